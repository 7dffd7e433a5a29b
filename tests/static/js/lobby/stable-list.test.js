import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addKey,
  arrangeWall,
  createSlots,
  findSlot,
  removeKey,
  settleSlots,
} from "../../../../static/js/lobby/stable-list.js";

const GREY = 3000;

/** A list of these entries, all settled. */
function slotsOf(...keys) {
  const state = createSlots();
  for (const key of keys) addKey(state, key);
  settleSlots(state, false, 0);
  return state;
}

/** The entries in their order; a grey one has a minus sign. */
function shown(state) {
  return state.slots.map(({ key, removedAt }) => (removedAt === null ? key : `-${key}`));
}

test("new entries come at the end, once each", () => {
  const state = slotsOf("a", "b");
  addKey(state, "b");
  addKey(state, "c");
  settleSlots(state, false, 0);
  assert.deepEqual(shown(state), ["a", "b", "c"]);
});

test("a removed entry stays grey in its place for a while", () => {
  const state = slotsOf("a", "b", "c");
  removeKey(state, "b", 0);
  settleSlots(state, false, GREY - 1);
  assert.deepEqual(shown(state), ["a", "-b", "c"]);
  assert.equal(findSlot(state, "b"), undefined);
});

test("after a while the last entry fills the gap", () => {
  const state = slotsOf("a", "b", "c");
  removeKey(state, "a", 0);
  settleSlots(state, false, GREY);
  assert.deepEqual(shown(state), ["c", "b"]);
});

test("a removed entry at the end disappears and moves nothing", () => {
  const state = slotsOf("a", "b");
  removeKey(state, "b", 0);
  settleSlots(state, false, GREY);
  assert.deepEqual(shown(state), ["a"]);
});

test("a new entry takes the place of a grey one", () => {
  const state = slotsOf("a", "b", "c");
  removeKey(state, "a", 0);
  addKey(state, "d");
  settleSlots(state, false, GREY);
  assert.deepEqual(shown(state), ["d", "b", "c"]);
});

test("before a grey place is free, a new entry comes at the end", () => {
  const state = slotsOf("a", "b");
  removeKey(state, "a", 0);
  addKey(state, "c");
  settleSlots(state, false, 1);
  assert.deepEqual(shown(state), ["-a", "b", "c"]);
});

test("an entry that comes back gets its own place again", () => {
  const state = slotsOf("a", "b", "c");
  removeKey(state, "b", 0);
  addKey(state, "b");
  settleSlots(state, false, 1);
  assert.deepEqual(shown(state), ["a", "b", "c"]);
});

test("while a pointer is over the list, grey places stay and new entries wait", () => {
  const state = slotsOf("a", "b", "c");
  removeKey(state, "b", 0);
  addKey(state, "d");
  settleSlots(state, true, 10 * GREY);
  assert.deepEqual(shown(state), ["a", "-b", "c"]);
  settleSlots(state, false, 10 * GREY);
  assert.deepEqual(shown(state), ["a", "d", "c"]);
});

test("while a pointer is over a list without grey places, new entries come at the end", () => {
  const state = slotsOf("a");
  addKey(state, "b");
  settleSlots(state, true, 0);
  assert.deepEqual(shown(state), ["a", "b"]);
});

test("an entry that was removed while it waited never appears", () => {
  const state = slotsOf("a");
  removeKey(state, "a", 0);
  addKey(state, "b");
  settleSlots(state, true, 0);
  assert.equal(removeKey(state, "b", 1), undefined);
  settleSlots(state, false, GREY);
  assert.deepEqual(shown(state), []);
});

test("on the wall the most watched match comes first and the others keep their places", () => {
  assert.deepEqual(arrangeWall([null, null, null], ["a", "b"]), ["a", "b", null]);
  assert.deepEqual(arrangeWall(["a", "b", "c"], ["c", "a", "b"]), ["c", "b", "a"]);
  assert.deepEqual(arrangeWall(["a", "b", "c"], ["a", "c"]), ["a", null, "c"]);
  assert.deepEqual(arrangeWall(["a", "b", "c"], ["a", "d", "c"]), ["a", "d", "c"]);
});

test("the wall leaves out matches for which it has no place, and can be empty", () => {
  assert.deepEqual(arrangeWall([null, null], ["a", "b", "c"]), ["a", "b"]);
  assert.deepEqual(arrangeWall(["a", "b"], []), [null, null]);
});
