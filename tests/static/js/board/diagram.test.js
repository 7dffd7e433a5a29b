import assert from "node:assert/strict";
import { test } from "node:test";
import { createThumbnails } from "../../../../static/js/board/diagram.js";

/** @param {number} count */
function board(count) {
  const elements = Array.from({ length: count }, () => {
    const attributes = new Set();
    return {
      dataset: { mark: "." },
      attributes,
      toggleAttribute: (name, force) => (force ? attributes.add(name) : attributes.delete(name)),
    };
  });
  return { elements, querySelector: () => null, querySelectorAll: () => elements };
}

/** @param {ReturnType<typeof board>} svg */
function item(svg) {
  return { querySelector: () => svg, querySelectorAll: () => [] };
}

/** @param {ReturnType<typeof board>} svg */
function marks(svg) {
  return svg.elements.map((element) => element.dataset.mark).join("");
}

test("changes add up to the position", () => {
  const thumbnails = createThumbnails(() => board(3));
  thumbnails.update({ match: "m", marks: { 0: "x" }, fresh: [0] }, "game");
  thumbnails.update({ match: "m", marks: { 2: "o" }, fresh: [2] }, "game");
  const svg = board(3);
  thumbnails.draw("m", item(svg));
  assert.equal(marks(svg), "x.o");
  assert.deepEqual(
    svg.elements.map((element) => element.attributes.has("data-fresh")),
    [false, false, true],
  );
});

test("matches do not share a board, and a removed one starts from the empty board", () => {
  const thumbnails = createThumbnails(() => board(2));
  thumbnails.update({ match: "a", marks: { 0: "x" }, fresh: [] }, "game");
  thumbnails.update({ match: "b", marks: { 1: "o" }, fresh: [] }, "game");
  thumbnails.remove("a");
  thumbnails.update({ match: "a", marks: {}, fresh: [] }, "game");
  const [a, b] = [board(2), board(2)];
  thumbnails.draw("a", item(a));
  thumbnails.draw("b", item(b));
  assert.deepEqual([marks(a), marks(b)], ["..", ".o"]);
});

test("an unknown match is not drawn", () => {
  const svg = board(1);
  svg.elements[0].dataset.mark = "x";
  createThumbnails(() => board(1)).draw("m", item(svg));
  assert.equal(marks(svg), "x");
});
