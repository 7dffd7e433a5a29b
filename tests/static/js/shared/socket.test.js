import assert from "node:assert/strict";
import { test } from "node:test";
import { reconnectDelay } from "../../../../static/js/shared/socket.js";

const LOST = 1006;
const RESTART = 1012;

test("each attempt waits twice as long, up to 15 seconds", () => {
  const delays = [0, 1, 2, 5, 6, 20].map((attempt) => reconnectDelay(attempt, LOST, 0.5));
  assert.deepEqual(delays, [400, 800, 1600, 12800, 15000, 15000]);
});

test("jitter spreads clients from half to one and a half of the delay", () => {
  assert.equal(reconnectDelay(0, LOST, 0), 200);
  assert.equal(reconnectDelay(0, LOST, 1), 600);
  for (let round = 0; round < 100; round++) {
    const delay = reconnectDelay(3, LOST);
    assert.ok(delay >= 1600 && delay <= 4800);
  }
});

test("after a restart of the server the first attempt comes sooner", () => {
  assert.equal(reconnectDelay(0, RESTART, 0.5), 200);
});
