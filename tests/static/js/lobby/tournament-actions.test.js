import assert from "node:assert/strict";
import { test } from "node:test";
import { decideOnReturn, REPEAT_WITHIN } from "../../../../static/js/lobby/tournament-actions.js";

const action = { url: "/tournaments/x/do/pause/", body: "", label: "Pause", at: 1_000_000 };

test("an action whose answer was lost is repeated after a short interruption", () => {
  assert.equal(decideOnReturn(action, action.at), "repeat");
  assert.equal(decideOnReturn(action, action.at + REPEAT_WITHIN), "repeat");
});

test("after a long interruption, or with a changed clock, the organiser has to look first", () => {
  assert.equal(decideOnReturn(action, action.at + REPEAT_WITHIN + 1), "refuse");
  assert.equal(decideOnReturn(action, action.at - 1), "refuse");
});
