import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyChanges,
  countUnlisted,
  createListing,
  orderRange,
  parseRating,
  parseTime,
  playersMessage,
  seekMessage,
} from "../../../../static/js/lobby/seek.js";

const SEEK = { seek: "a", game: "tic-tac-toe", clock: "3+2", lowest: null, highest: null };
const LISTING = createListing({ seeks: [SEEK], online: 3, playing: 1, seeking: 1 });

test("a seek says what it is for", () => {
  assert.deepEqual(seekMessage({ ...SEEK, rated: false }), {
    code: "seek.what",
    game: { code: "tic-tac-toe.name" },
    clock: { code: "clock.some", minutes: 3, seconds: 2 },
    lowest: null,
    highest: null,
  });
});

test("a rated seek says which ratings may join", () => {
  const codeOf = (lowest, highest) => seekMessage({ ...SEEK, rated: true, lowest, highest }).code;
  assert.equal(codeOf(null, null), "seek.rated");
  assert.equal(codeOf(1400, null), "seek.rated-from");
  assert.equal(codeOf(null, 1600), "seek.rated-to");
  assert.equal(codeOf(1400, 1600), "seek.rated-between");
});

test("a match is named by its players", () => {
  const seats = { xplayer: { name: "Alice" }, oplayer: { name: "Bob" } };
  assert.deepEqual(playersMessage({ seats }), {
    code: "match.against",
    one: "Alice",
    other: "Bob",
  });
});

test("changes add, replace and remove seeks, and leave the rest", () => {
  const changed = { ...SEEK, player: "Alice" };
  const added = { ...SEEK, seek: "b" };
  const listing = applyChanges(LISTING, { seeks: [changed, added], online: 4 });
  assert.deepEqual([...listing.seeks.values()], [changed, added]);
  assert.deepEqual(listing.counts, { online: 4, playing: 1, seeking: 1 });
  assert.deepEqual([...applyChanges(listing, { gone: ["a"] }).seeks.keys()], ["b"]);
  assert.deepEqual([...LISTING.seeks.values()], [SEEK]);
});

test("a count can change to zero", () => {
  assert.equal(applyChanges(LISTING, { playing: 0 }).counts.playing, 0);
});

test("seeks that are not listed are counted", () => {
  assert.equal(countUnlisted(LISTING), 0);
  assert.equal(countUnlisted(applyChanges(LISTING, { seeking: 5 })), 4);
  assert.equal(countUnlisted(applyChanges(LISTING, { seeking: 0 })), 0);
});

test("times are whole numbers from 0 to 180", () => {
  assert.deepEqual(["", "5", "7.9", "-3", "999", "abc"].map(parseTime), [0, 5, 7, 0, 180, 0]);
});

test("ratings stay within the bounds of their field, and an empty one is open", () => {
  const parse = (value) => parseRating({ value, min: "400", max: "3000" });
  assert.deepEqual(["", "1512.7", "1", "9999"].map(parse), [null, 1512, 400, 3000]);
});

test("a reversed range is put in order", () => {
  assert.deepEqual(orderRange(1600, 1400), { lowest: 1400, highest: 1600 });
  assert.deepEqual(orderRange(1400, 1600), { lowest: 1400, highest: 1600 });
  assert.deepEqual(orderRange(1600, null), { lowest: 1600, highest: null });
  assert.deepEqual(orderRange(null, 1400), { lowest: null, highest: 1400 });
});
