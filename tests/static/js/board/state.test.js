import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chosenElements,
  createState,
  elementsOf,
  nameOf,
  nextGrid,
  parseOpen,
  pick,
  sentenceOf,
  targetElements,
  updateState,
} from "../../../../static/js/board/state.js";

const CELLS = [
  { grid: "1", cell: "1 1", name: "A1" },
  { grid: "1", cell: "1 2", name: "B1" },
  { grid: "2", cell: "1 1", name: "D1" },
  { grid: "2", cell: "1 2", name: "E1" },
];
const LINES = [{ action: "draw 1" }, {}, { action: "draw 2", name: "B1–B2" }];

test("the bits of open elements are packed four to a digit, the first one highest", () => {
  assert.deepEqual([...parseOpen("9c", 8)], [0, 3, 4, 5]);
  assert.deepEqual([...parseOpen("f", 3)], [0, 1, 2]);
  assert.deepEqual([...parseOpen("", 8)], []);
});

test("an element with an action gives it immediately", () => {
  assert.equal(pick(createState(LINES), 2), "draw 2");
});

test("a cell of each grid gives the action", () => {
  const state = createState(CELLS, "mark");
  assert.equal(nextGrid(state), null);
  assert.equal(pick(state, 2), null);
  assert.equal(nextGrid(state), "1");
  assert.equal(pick(state, 1), "mark 1 2 1 1");
  assert.deepEqual([...chosenElements(state)].sort(), [1, 2]);
});

test("another cell of a grid replaces the first one, and the same cell takes it back", () => {
  const state = createState(CELLS, "mark");
  pick(state, 0);
  pick(state, 1);
  assert.deepEqual([...chosenElements(state)], [1]);
  assert.equal(pick(state, 1), null);
  assert.deepEqual([...chosenElements(state)], []);
});

test("a completed pick repeats its action", () => {
  const state = createState(CELLS, "mark");
  pick(state, 0);
  pick(state, 2);
  assert.equal(pick(state, 2), "mark 1 1 1 1");
});

test("picks survive a frame of the same position only", () => {
  const state = createState(CELLS, "mark");
  updateState(state, { diagram: "....", open: "f" });
  pick(state, 0);
  updateState(state, { diagram: "....", open: "f" });
  assert.equal(state.picks.size, 1);
  updateState(state, { diagram: "x...", open: "f" });
  assert.equal(state.picks.size, 0);
});

test("a frame says what is open, what an action closes, and what is pending", () => {
  const state = createState(LINES);
  const closing = [
    [0, 1],
    [0, 2],
  ];
  updateState(state, { diagram: "...", open: "a", closing, pending: "draw 2" });
  assert.deepEqual([...state.open], [0, 2]);
  assert.deepEqual(state.closing.get(0), [1, 2]);
  assert.deepEqual([...chosenElements(state)], [2]);
  updateState(state, { diagram: "..." });
  assert.deepEqual([...state.open], []);
  assert.equal(state.closing.size, 0);
  assert.deepEqual([...chosenElements(state)], []);
});

test("an action is found on the board by its own element or by its cells", () => {
  assert.deepEqual(elementsOf(createState(LINES), "draw 1"), [0]);
  assert.deepEqual(elementsOf(createState(LINES), "draw 9"), []);
  assert.deepEqual(elementsOf(createState(CELLS), "mark 1 2 1 1"), [1, 2]);
});

test("an action is named for people by its elements, in the order of the grids", () => {
  assert.equal(nameOf(createState(CELLS, "mark", " + "), "mark 1 2 1 1"), "B1 + D1");
  assert.equal(nameOf(createState(LINES), "draw 2"), "B1–B2");
  assert.equal(nameOf(createState(LINES), "noop"), "");
});

test("an action is a sentence if the names of its elements are not enough", () => {
  const pool = createState([
    { action: "give a", name: "a disc", sentence: "Give a disc" },
    ...LINES,
  ]);
  assert.equal(sentenceOf(pool, "give a"), "Give a disc");
  assert.equal(sentenceOf(pool, "draw 2"), "");
  const men = createState([
    { step: "", name: "A1" },
    { step: "", name: "A2" },
  ]);
  updateState(men, {
    diagram: "..",
    open: "c",
    paths: [
      ["move 1 2", "A1–A2", [0, 1]],
      ["take 1", { code: "mill.take", places: "A1" }, [0]],
      ["crown 2", "A2 queen", [1]],
    ],
  });
  assert.equal(sentenceOf(men, "move 1 2"), "");
  assert.deepEqual(sentenceOf(men, "take 1"), { code: "mill.take", places: "A1" });
  assert.equal(sentenceOf(men, "crown 2"), "A2 queen");
});

test("pieces to choose from are targets, unless all pieces or empty places can be chosen", () => {
  const state = createState([{ step: "" }, { step: "" }, { step: "" }]);
  const targets = (open, ...paths) => {
    updateState(state, { diagram: "wb.", open, paths });
    return [...targetElements(state)];
  };
  assert.deepEqual(targets("4", ["take 2", "Take A2", [1]]), [1]);
  assert.deepEqual(targets("c", ["take 1", "", [0]], ["take 2", "", [1]]), []);
  assert.deepEqual(targets("2", ["place 3", "A3", [2]]), []);
  assert.deepEqual(targets("8", ["move 1 3", "A1–A3", [0, 2]]), []);
  assert.deepEqual(targets("0"), []);
});
