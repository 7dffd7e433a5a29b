import assert from "node:assert/strict";
import { test } from "node:test";
import { findNearest, findStrokes } from "../../../../static/js/board/geometry.js";

const GRID = [0, 10, 20].flatMap((y) => [0, 10, 20].map((x) => ({ x, y })));
const CENTRE = GRID[4];
const LEFT = [-1, 0];
const RIGHT = [1, 0];
const UP = [0, -1];
const DOWN = [0, 1];

test("an arrow leads to the neighbour in its direction", () => {
  const found = [LEFT, RIGHT, UP, DOWN].map((direction) => findNearest(CENTRE, GRID, direction));
  assert.deepEqual(found, [3, 5, 1, 7]);
});

test("at the edge an arrow leads nowhere", () => {
  assert.equal(findNearest(GRID[0], GRID, LEFT), -1);
  assert.equal(findNearest(GRID[0], GRID, UP), -1);
});

test("a point straight ahead is preferred to a closer one off to the side", () => {
  const points = [
    { x: 8, y: 7 },
    { x: 18, y: 0 },
  ];
  assert.equal(findNearest({ x: 0, y: 0 }, points, RIGHT), 1);
});

const CELLS = [26, 126, 226].flatMap((y) =>
  [26, 126, 226].map((x) => ({ x: x + 50, y: y + 50, size: 100 })),
);

test("a stroke goes through the longest line, beyond the marks at its ends", () => {
  const row = [CELLS[0], CELLS[1], CELLS[2], CELLS[4]];
  assert.deepEqual(findStrokes(row), [[31, 76, 321, 76]]);
});

test("two lines of the same length both have one", () => {
  const cross = [CELLS[0], CELLS[4], CELLS[8], CELLS[2], CELLS[6]];
  assert.deepEqual(findStrokes(cross), [
    [44.2, 44.2, 307.8, 307.8],
    [307.8, 44.2, 44.2, 307.8],
  ]);
});

test("each grid has its own lines", () => {
  const left = [0, 3, 6].map((index) => ({ ...CELLS[index], grid: "1" }));
  const right = [0, 1, 2].map((index) => ({ ...CELLS[index], x: CELLS[index].x + 344, grid: "2" }));
  assert.deepEqual(findStrokes([...left, ...right]), [
    [76, 31, 76, 321],
    [375, 76, 665, 76],
  ]);
});

test("two points are no line", () => {
  assert.deepEqual(findStrokes([CELLS[0], CELLS[1]]), []);
  assert.deepEqual(findStrokes([]), []);
});
