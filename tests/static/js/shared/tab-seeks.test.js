import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  addTabSeek,
  clearTabSeeks,
  listTabSeeks,
  removeTabSeek,
  SEEK_HANDLERS,
  saveNextSetup,
  takeNextSetup,
} from "../../../../static/js/shared/tab-seeks.js";

beforeEach(clearTabSeeks);

test("a tab remembers its seeks across pages", () => {
  addTabSeek("a");
  addTabSeek("b");
  addTabSeek("a");
  removeTabSeek("c");
  assert.deepEqual(listTabSeeks(), ["b", "a"]);
  assert.equal(sessionStorage.getItem("asked"), '["b","a"]');
});

test("a tab remembers the 20 newest seeks", () => {
  for (let index = 0; index < 25; index++) addTabSeek(String(index));
  assert.equal(listTabSeeks().length, 20);
  assert.equal(listTabSeeks()[0], "5");
});

test("frames of the lobby add and remove seeks, and a pairing leads to the match", () => {
  const visited = [];
  globalThis.location = { assign: (url) => visited.push(url) };
  SEEK_HANDLERS.seeking({ seek: "a" });
  SEEK_HANDLERS.seeking({ seek: "b" });
  SEEK_HANDLERS.cancelled({ seek: "a" });
  assert.deepEqual(listTabSeeks(), ["b"]);
  SEEK_HANDLERS.paired({ url: "/match/m/" });
  assert.deepEqual(listTabSeeks(), []);
  assert.deepEqual(visited, ["/match/m/"]);
});

test("the setup for a new opponent is taken once", () => {
  saveNextSetup({ game: "six-in-a-row", clock: "", options: "plain", rated: "yes" });
  const setup = { game: "six-in-a-row", clock: null, rated: true };
  assert.deepEqual(takeNextSetup(), setup);
  assert.equal(takeNextSetup(), null);
});
