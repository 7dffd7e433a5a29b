/* The staff's review of a match: its replay, a chart of thinking times to step with, and the
   computer's verdicts when they are ready. */

import { renderDiagram } from "../board/diagram.js";
import { createReplay, showCurrentMove } from "../board/replay.js";
import { renderMessage } from "../shared/messages.js";
import { closest } from "../shared/page.js";
import { fetchPage, get } from "../shared/requests.js";

const POLL_INTERVAL = 1000; // ms between two checks of the analysis' progress

const root = document.getElementById("review");
const board = root.querySelector(".board");
const positionLine = document.getElementById("step-words");
const chart = document.getElementById("think-times");
const last = Number(root.dataset.last);

const replay = createReplay(root.dataset.match, (frame) => {
  renderDiagram(board, frame);
  showCurrentMove(frame.ply);
  positionLine.textContent = renderMessage({ code: "replay.position", ply: frame.ply, last });
  chart?.querySelector(".bar.current")?.classList.remove("current");
  chart?.querySelector(`.bar[data-ply="${frame.ply}"]`)?.classList.add("current");
});
replay.open(last);
chart?.addEventListener("click", (event) => {
  const bar = closest(event, "[data-ply]");
  if (bar) replay.show(Number(bar.dataset.ply));
});

const isAnalysing = document.getElementById("computer")?.dataset.state === "waiting";
const timer = isAnalysing ? setInterval(poll, POLL_INTERVAL) : 0;

async function poll() {
  const url = `/match/${root.dataset.match}/analysis.json`;
  const response = await get(url);
  if (!response) return; // no connection: the next check will show
  const { state, looked, plies } = response.ok ? await response.json() : { state: "none" };
  if (state === "waiting") {
    const progress = { code: "analysis.progress", looked, plies };
    document.getElementById("computer-progress").textContent = renderMessage(progress);
    return;
  }
  clearInterval(timer);
  const page = await fetchPage();
  for (const id of ["computer", "moves"]) {
    const fetched = page?.getElementById(id);
    if (!fetched) continue;
    const element = document.getElementById(id);
    element.replaceChildren(...fetched.childNodes);
    Object.assign(element.dataset, fetched.dataset);
  }
  replay.refresh();
}
