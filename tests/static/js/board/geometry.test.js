import assert from "node:assert/strict";
import { test } from "node:test";
import { findLines, findNearest } from "../../../../static/js/board/geometry.js";

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

test("the longest line through the points is found", () => {
  const row = [GRID[0], GRID[1], GRID[2], GRID[4]];
  assert.deepEqual(findLines(row), [[GRID[0], GRID[2]]]);
});

test("two lines of the same length are both found", () => {
  const cross = [GRID[0], GRID[4], GRID[8], GRID[2], GRID[6]];
  assert.deepEqual(findLines(cross), [
    [GRID[0], GRID[8]],
    [GRID[2], GRID[6]],
  ]);
});

test("two points are no line", () => {
  assert.deepEqual(findLines([GRID[0], GRID[1]]), []);
  assert.deepEqual(findLines([]), []);
});
