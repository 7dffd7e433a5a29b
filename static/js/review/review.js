/* The review of a match: the same stepping as on its own page, and the chart as a way to step. */

import { fill } from "../board/drawing.js";
import * as moves from "../board/moves.js";
import { makeReplay } from "../board/replay.js";
import { say } from "../shared/words.js";

const root = document.getElementById("review");
const board = root.querySelector(".board");
const words = document.getElementById("step-words");
const chart = document.getElementById("think-times");
const last = Number(root.dataset.last);

const replay = makeReplay(root.dataset.match, (frame) => {
  fill(board, frame);
  moves.showCurrent(frame.ply);
  words.textContent = say({ code: "replay.position", ply: frame.ply, last });
  chart.querySelector(".bar.current")?.classList.remove("current");
  chart.querySelector(`.bar[data-ply="${frame.ply}"]`)?.classList.add("current");
});
replay.open(last);
chart.addEventListener("click", (event) => {
  const bar = event.target.closest("[data-ply]");
  if (bar) replay.show(Number(bar.dataset.ply));
});
