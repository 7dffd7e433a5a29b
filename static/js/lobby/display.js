/* A tournament on the wall of the room. It turns by itself from the games to the standings to the
   clock, follows results by the socket, and is made anew when a round begins or ends. */

import { tickCountdowns } from "../shared/local-times.js";
import { data, fresh } from "../shared/page.js";
import { learnNow } from "../shared/server-time.js";
import { keepSocket } from "../shared/socket.js";

const TURN = 12000; // ms for which a panel is shown
const AGAIN = 3000; // ms at least between two times that the page is asked for
const RESULTS = { w: "1–0", d: "½–½", l: "0–1", b: "0–0" };

const page = document.getElementById("display");
let shown = 0; // the place of the panel that is shown
let stage = page.dataset.stage;
let places = ""; // the first places, as they were last told
let isStale = false;
let askedAt = -Infinity;

keepSocket(`/ws/lobby/?shows=tournament&tournament=${page.dataset.tournament}`, {
  onFrame(frame) {
    if (frame.type === "tournament") hear(frame);
  },
});

function hear(frame) {
  learnNow(frame.now);
  if (frame.results !== undefined) drawResults(frame.results);
  const told = frame.top ? JSON.stringify(frame.top) : places;
  isStale ||= frame.stage !== stage || (places !== "" && told !== places);
  places = told;
  stage = frame.stage;
}

function drawResults(results) {
  for (const row of page.querySelectorAll("[data-board]")) {
    const text = RESULTS[results[Number(row.dataset.board) - 1]];
    if (!text) continue;
    row.querySelector(".score").textContent = text;
    row.querySelector(".first").classList.toggle("won", text === RESULTS.w);
    row.querySelector(".second").classList.toggle("won", text === RESULTS.l);
  }
}

function turn() {
  const panels = [...page.querySelectorAll("#panels > section")];
  if (!panels.length) return;
  shown = (shown + 1) % panels.length;
  panels.forEach((panel, index) => {
    panel.toggleAttribute("data-shown", index === shown);
  });
}

/* What is listed comes from the page, with the next turn: nobody waits for it in front of the wall. */
async function takeAnew() {
  if (!isStale || performance.now() - askedAt < AGAIN) return;
  askedAt = performance.now();
  isStale = false;
  const there = (await fresh())?.getElementById("display");
  if (!there) {
    isStale = true;
    return;
  }
  for (const part of page.querySelectorAll("[data-part]")) {
    const other = there.querySelector(`[data-part="${part.dataset.part}"]`);
    if (other) part.replaceWith(document.importNode(other, true));
  }
  shown -= 1;
  turn();
  tickCountdowns();
}

hear(data("frame"));
page.toggleAttribute("data-turns", true);
shown = -1;
turn();
tickCountdowns();
setInterval(tickCountdowns, 1000);
setInterval(turn, TURN);
setInterval(takeAnew, AGAIN);
performance.mark("interactive"); // from now on it turns
