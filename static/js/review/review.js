/* The review of a match: the same stepping as on its own page, the chart of think times as a way to
   step, and the computer's verdicts once they are there. */

import { fill } from "../board/drawing.js";
import * as moves from "../board/moves.js";
import { makeReplay } from "../board/replay.js";
import { renderMessage } from "../shared/messages.js";
import { fresh } from "../shared/page.js";

const root = document.getElementById("review");
const board = root.querySelector(".board");
const words = document.getElementById("step-words");
const chart = document.getElementById("think-times");
const EVERY = 1000; // ms between two looks at how far the computer has come
const last = Number(root.dataset.last);

const replay = makeReplay(root.dataset.match, (frame) => {
  fill(board, frame);
  moves.showCurrent(frame.ply);
  words.textContent = renderMessage({ code: "replay.position", ply: frame.ply, last });
  chart?.querySelector(".bar.current")?.classList.remove("current");
  chart?.querySelector(`.bar[data-ply="${frame.ply}"]`)?.classList.add("current");
});
replay.open(last);
chart?.addEventListener("click", (event) => {
  const bar = event.target.closest("[data-ply]");
  if (bar) replay.show(Number(bar.dataset.ply));
});

function computer() {
  return document.getElementById("computer");
}

/* While the computer looks at the match, tell how far it has come; then show what it found. */
const timer = computer()?.dataset.state === "waiting" ? setInterval(look, EVERY) : 0;

async function look() {
  const answer = await fetch(`/match/${root.dataset.match}/analysis.json`, {
    cache: "no-store",
  }).catch(() => null);
  if (!answer) return; // no connection: the next look will tell
  const found = answer.ok ? await answer.json() : { state: "none" };
  if (found.state === "waiting") {
    const progress = { code: "analysis.progress", looked: found.looked, plies: found.plies };
    document.getElementById("computer-progress").textContent = renderMessage(progress);
    return;
  }
  clearInterval(timer);
  const page = await fresh();
  for (const id of ["computer", "moves"]) {
    const made = page?.getElementById(id);
    if (!made) continue;
    document.getElementById(id).replaceChildren(...made.childNodes);
    Object.assign(document.getElementById(id).dataset, made.dataset);
  }
  replay.renew();
}
