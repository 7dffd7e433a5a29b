import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clockMessage,
  longClockMessage,
  outcomeMessage,
  renderMessage,
  renderParts,
} from "../../../../static/js/shared/messages.js";

const NAMES = { xplayer: "Alice", oplayer: "Bob" };
const WATCHER = { you: null, roles: Object.keys(NAMES), nameOf: (role) => NAMES[role] };
const ALICE = { ...WATCHER, you: "xplayer" };
const BOB = { ...WATCHER, you: "oplayer" };

test("a sentence without parameters is rendered as it is", () => {
  assert.equal(renderMessage({ code: "test.plain" }), "Nothing to fill in");
});

test("a parameter can be a message itself", () => {
  const message = { code: "test.named", name: "Alice", game: { code: "six.name" } };
  assert.equal(renderMessage(message), "Alice plays Six in a Row");
});

test("every place of a parameter is filled", () => {
  assert.equal(renderMessage({ code: "test.twice", name: "Alice" }), "Alice, Alice");
});

test("the count chooses the plural form", () => {
  const rendered = [0, 1, 2, 7].map((count) => renderMessage({ code: "test.games", count }));
  assert.deepEqual(rendered, ["0 many games", "1 game", "2 games", "7 many games"]);
});

test("another parameter than the count can choose the plural form", () => {
  assert.equal(renderMessage({ code: "test.moves", ply: 1 }), "after 1 move");
  assert.equal(renderMessage({ code: "test.moves", ply: 7 }), "after 7 many moves");
});

test("dates and decimals follow the language of the page", () => {
  document.documentElement.lang = "de";
  const render = (name) => renderMessage({ code: "test.twice", name }).split(", ")[0];
  assert.equal(render("2026-11-25"), "25.11.2026");
  assert.equal(render("0.45"), "0,45");
  assert.equal(render("2026-11-25x"), "2026-11-25x");
  document.documentElement.lang = "en";
});

test("an unknown code and a missing parameter stay visible", () => {
  assert.equal(renderMessage({ code: "test.unknown" }), "test.unknown");
  assert.equal(renderMessage({ code: "test.named", name: "Alice" }), "Alice plays {game}");
});

test("a right-to-left name is isolated from the sentence", () => {
  const name = "\u05d0\u05d1";
  assert.equal(
    renderMessage({ code: "test.twice", name }),
    `\u2068${name}\u2069, \u2068${name}\u2069`,
  );
});

test("in a sentence from right to left every name is isolated", (context) => {
  document.documentElement.dir = "rtl";
  context.after(() => {
    document.documentElement.dir = "ltr";
  });
  const message = { code: "test.twice", name: "Anna." };
  assert.equal(renderMessage(message), "\u2068Anna.\u2069, \u2068Anna.\u2069");
});

test("an element among the parameters stays an element", () => {
  const element = { nodeType: 1 };
  assert.deepEqual(renderParts({ code: "test.named", name: element, game: "Chess" }), [
    element,
    " plays ",
    "Chess",
  ]);
});

test("the short text of a clock always has the same form", () => {
  assert.deepEqual(clockMessage(null), { code: "clock.none" });
  assert.deepEqual(clockMessage(""), { code: "clock.none" });
  assert.deepEqual(clockMessage("5+0"), { code: "clock.some", minutes: 5, seconds: 0 });
  assert.deepEqual(clockMessage("3+2"), { code: "clock.some", minutes: 3, seconds: 2 });
});

test("the long text of a clock names only what it has", () => {
  const minutes = { code: "clock.minutes", count: 5 };
  const seconds = { code: "clock.seconds", count: 10 };
  assert.deepEqual(longClockMessage(""), { code: "clock.none" });
  assert.deepEqual(longClockMessage("5+0"), minutes);
  assert.deepEqual(longClockMessage("0+10"), seconds);
  assert.deepEqual(longClockMessage("5+10"), { code: "clock.long", minutes, seconds });
});

test("winner, loser and watcher read different sentences about the same end", () => {
  const outcome = { code: "end.time", winner: "xplayer", won: null, lost: null };
  const names = { winner: "Alice", loser: "Bob" };
  for (const [viewer, side] of [
    [ALICE, "won"],
    [BOB, "lost"],
    [WATCHER, "seen"],
  ]) {
    assert.deepEqual(outcomeMessage(outcome, viewer), {
      code: `end.time.${side}`,
      ...names,
      result: { code: `end.rules.${side}`, ...names },
    });
  }
});

test("scores are part of the sentence in games that count", () => {
  const drawn = { code: "dots.drawn", winner: null, won: 12, lost: 12 };
  const result = { code: "end.rules" };
  assert.deepEqual(outcomeMessage(drawn, ALICE), { code: "dots.drawn", won: 12, lost: 12, result });
});

test("an end of several parts is nested from the first to the last", () => {
  const part = (code) => ({ code, winner: null, won: null, lost: null });
  const outcome = { ...part("end.rules"), more: [part("grid.one"), part("grid.two")] };
  assert.deepEqual(outcomeMessage(outcome, ALICE), {
    code: "end.more",
    said: {
      code: "end.more",
      said: { code: "end.rules", result: { code: "end.rules" } },
      more: { code: "grid.one" },
    },
    more: { code: "grid.two" },
  });
});
