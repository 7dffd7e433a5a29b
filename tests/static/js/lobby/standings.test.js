import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseRows, drawResults } from "../../../../static/js/lobby/standings.js";

const row = (entry, rank) => ({ entry, rank });
const TOP = [row(11, 1), row(12, 2), row(13, 3)];

test("without places around the viewer only the first ones are shown", () => {
  assert.deepEqual(chooseRows(TOP, []), { rows: TOP, gapAt: -1 });
});

test("a gap separates the viewer's places from the first ones", () => {
  const around = [row(18, 8), row(19, 9)];
  assert.deepEqual(chooseRows(TOP, around), { rows: [...TOP, ...around], gapAt: 3 });
});

test("there is no gap if the viewer's places follow, and none is shown twice", () => {
  const around = [row(13, 3), row(14, 4)];
  assert.deepEqual(chooseRows(TOP, around), { rows: [...TOP, row(14, 4)], gapAt: -1 });
  assert.deepEqual(chooseRows(TOP, [row(12, 2)]), { rows: TOP, gapAt: -1 });
});

test("results are drawn on their boards", () => {
  const boards = ["1", "2", "3"].map((board) => {
    const won = new Set();
    const player = (name) => ({
      classList: { toggle: (_, force) => (force ? won.add(name) : won.delete(name)) },
    });
    const cells = {
      ".score": { dataset: {}, textContent: "" },
      ".first": player("first"),
      ".second": player("second"),
    };
    return { dataset: { board }, cells, won, querySelector: (selector) => cells[selector] };
  });
  drawResults(boards, "l-d");
  const texts = boards.map((board) => board.cells[".score"].textContent);
  assert.deepEqual(texts, ["0–1", "", "½–½"]);
  assert.deepEqual(
    boards.map((board) => [...board.won]),
    [["second"], [], []],
  );
});
