import assert from "node:assert/strict";
import { test } from "node:test";
import { scrollFor } from "../../../../static/js/board/replay.js";

test("the current move starts in the middle of the list, and further left if it is long", () => {
  assert.equal(scrollFor(500, 80, 300), 350);
  assert.equal(scrollFor(500, 200, 300), 400);
  assert.equal(scrollFor(500, 400, 300), 500);
});
