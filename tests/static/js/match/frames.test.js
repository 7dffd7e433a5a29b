import assert from "node:assert/strict";
import { test } from "node:test";
import { createStateReader } from "../../../../static/js/match/frames.js";

test("a patch changes the last state, and a gap asks for the whole one", () => {
  let gaps = 0;
  const read = createStateReader(() => gaps++);
  assert.equal(read({ type: "pong", now: 1 }), null);
  assert.equal(read({ type: "patch", from: 1, version: 2 }), null);
  assert.equal(gaps, 1);
  const whole = { type: "state", version: 3, ply: 2, turn: "x", watchers: 1 };
  assert.deepEqual(read(whole), whole);
  const next = { ...whole, version: 4, ply: 3, turn: "o" };
  assert.deepEqual(
    withoutFrom(read({ type: "patch", from: 3, version: 4, ply: 3, turn: "o" })),
    next,
  );
  assert.deepEqual(whole.version, 3); // the former state is not changed
  assert.equal(read({ type: "patch", from: 3, version: 5 }), null);
  assert.equal(gaps, 2);
});

/** @param {any} state */
function withoutFrom({ from, ...state }) {
  return state;
}
