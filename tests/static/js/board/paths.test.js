import assert from "node:assert/strict";
import { test } from "node:test";
import {
  actionAt,
  choicesAt,
  elementsOfPath,
  follow,
  nextElements,
  trim,
} from "../../../../static/js/board/paths.js";
import {
  chosenElements,
  createState,
  nameOf,
  pick,
  takeBack,
  targetElements,
  updateState,
} from "../../../../static/js/board/state.js";

/** @type {Path[]} */
const MOVES = [
  ["move 0 1", "A-B", [0, 1]],
  ["move 0 2", "A-C", [0, 2]],
  ["move 3 2", "D-C", [3, 2]],
];
/** @type {Path[]} */
const CROWNINGS = [
  ["crown queen", "A-B queen", [0, 1]],
  ["crown knight", "A-B knight", [0, 1]],
  ["stay", "A", [0]],
];
/** @type {Path[]} */
const COLUMNS = [
  ["drop 1", "A", [[0, 2]]],
  ["drop 2", "B", [[1, 3]]],
];

/** @param {Path[]} paths */
function createOpenState(paths) {
  const elements = Array.from("ABCD", (name) => ({ step: "", name }));
  const state = createState(elements);
  updateState(state, { diagram: "....", open: "f", paths });
  return state;
}

test("a first click selects a source, and a second one a target", () => {
  assert.deepEqual(nextElements(MOVES, []), [0, 0, 3]);
  assert.deepEqual(follow(MOVES, [], 0), [0]);
  assert.deepEqual(nextElements(MOVES, [0]), [1, 2]);
  assert.equal(actionAt(MOVES, [0]), null);
  assert.equal(actionAt(MOVES, follow(MOVES, [0], 2)), "move 0 2");
});

test("a second click on a source cancels, and another source replaces it", () => {
  assert.deepEqual(follow(MOVES, [0], 0), []);
  assert.deepEqual(follow(MOVES, [0], 3), [3]);
  assert.deepEqual(follow(MOVES, [3], 1), [3]);
  assert.deepEqual(follow(MOVES, [], 2), []);
});

test("one target is not an action until it is clicked", () => {
  assert.equal(actionAt(MOVES, [3]), null);
  assert.equal(actionAt(MOVES, []), null);
});

test("several actions with the same elements are a choice", () => {
  assert.deepEqual(choicesAt(CROWNINGS, []), []);
  assert.deepEqual(choicesAt(CROWNINGS, [0]), ["stay"]);
  assert.equal(actionAt(CROWNINGS, [0]), null);
  assert.equal(actionAt(CROWNINGS, [0, 1]), null);
  assert.deepEqual(choicesAt(CROWNINGS, [0, 1]), ["crown queen", "crown knight"]);
  assert.deepEqual(choicesAt(MOVES, [0, 1]), []);
});

test("a column can be clicked anywhere, and is named by where the piece would land", () => {
  assert.equal(actionAt(COLUMNS, follow(COLUMNS, [], 3)), "drop 2");
  assert.deepEqual(elementsOfPath(COLUMNS, "drop 2", new Map()), [1, 3]);
  assert.deepEqual(elementsOfPath(COLUMNS, "drop 2", new Map([[1, [3]]])), [3]);
  assert.deepEqual(elementsOfPath(COLUMNS, "drop 9", new Map()), []);
});

test("a trail is kept as far as the paths still have it", () => {
  assert.deepEqual(trim(MOVES, [0, 1]), [0, 1]);
  assert.deepEqual(trim(MOVES.slice(1), [0, 1]), [0]);
  assert.deepEqual(trim(MOVES.slice(2), [0, 1]), []);
});

test("the open elements are the sources, then also the targets", () => {
  const state = createOpenState(MOVES);
  assert.deepEqual([...state.open].sort(), [0, 3]);
  assert.deepEqual([...targetElements(state)], []);
  assert.equal(pick(state, 0), null);
  assert.deepEqual([...state.open].sort(), [0, 1, 2, 3]);
  assert.deepEqual([...targetElements(state)], [1, 2]);
  assert.deepEqual([...chosenElements(state)], [0]);
  assert.equal(pick(state, 1), "move 0 1");
  assert.deepEqual([...chosenElements(state)], []);
});

test("what is picked can be taken back, once", () => {
  const state = createOpenState(MOVES);
  pick(state, 0);
  assert.equal(takeBack(state), true);
  assert.deepEqual([...state.open].sort(), [0, 3]);
  assert.equal(takeBack(state), false);
});

test("a picked source survives a frame of the same position only", () => {
  const state = createOpenState(MOVES);
  pick(state, 0);
  updateState(state, { diagram: "....", open: "f", paths: MOVES });
  assert.deepEqual(state.trail, [0]);
  updateState(state, { diagram: "x...", open: "f", paths: MOVES });
  assert.deepEqual(state.trail, []);
});

test("nothing is open while it is not the viewer's turn, and the pending action is chosen", () => {
  const state = createOpenState(MOVES);
  pick(state, 0);
  updateState(state, { diagram: "....", open: "", paths: MOVES, pending: "move 3 2" });
  assert.equal(state.open.size, 0);
  assert.deepEqual(state.trail, []);
  assert.deepEqual([...chosenElements(state)], [3, 2]);
  assert.equal(nameOf(state, "move 3 2"), "D-C");
});
