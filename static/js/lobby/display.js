/* A tournament on the screen of the room where it is played. The screen changes between games,
   standings and clock. Results follow the socket; the rest comes from the page as the server renders
   it when a round begins or ends. */

import "../shared/dialog.js";
import "../shared/offline.js";
import { readData } from "../shared/page.js";
import { fetchPage } from "../shared/requests.js";
import { openSocket } from "../shared/socket.js";
import { syncServerTime, tickCountdowns } from "../shared/time.js";
import { drawResults } from "./standings.js";

const PANEL_TIME = 12000; // ms for which a panel is shown
const FETCH_INTERVAL = 3000; // ms between two fetches of the page, at least

const page = document.getElementById("display");
let shown = -1; // the index of the panel that is shown
let stage = page.dataset.stage;
let topPlaces = ""; // as JSON
let isStale = false;
let fetchedAt = -Infinity;

openSocket(`/ws/lobby/?shows=tournament&tournament=${page.dataset.tournament}`, {
  onFrame(frame) {
    if (frame.type === "tournament") receive(frame);
  },
});

/** @param {TournamentFrame} frame */
function receive(frame) {
  syncServerTime(frame.now);
  // A new round has other boards: its results wait for the page.
  if (frame.results !== undefined && frame.stage === page.dataset.stage) {
    drawResults(page.querySelectorAll("[data-board]"), frame.results);
  }
  const next = frame.top ? JSON.stringify(frame.top) : topPlaces;
  isStale ||= frame.stage !== stage || (topPlaces !== "" && next !== topPlaces);
  topPlaces = next;
  stage = frame.stage;
}

function showNextPanel() {
  const panels = [...page.querySelectorAll("#panels > section")];
  if (!panels.length) return;
  shown = (shown + 1) % panels.length;
  panels.forEach((panel, index) => {
    panel.toggleAttribute("data-shown", index === shown);
  });
}

/** Fetch the page again if it is out of date. */
async function refresh() {
  if (!isStale || performance.now() - fetchedAt < FETCH_INTERVAL) return;
  fetchedAt = performance.now();
  isStale = false;
  const fetched = (await fetchPage())?.getElementById("display");
  if (!fetched) {
    isStale = true;
    return;
  }
  page.dataset.stage = fetched.dataset.stage;
  for (const part of page.querySelectorAll("[data-part]")) {
    const next = fetched.querySelector(`[data-part="${part.dataset.part}"]`);
    if (next) part.replaceWith(document.importNode(next, true));
  }
  shown -= 1; // the new panels are all hidden: show the same one
  showNextPanel();
  tickCountdowns();
}

receive(readData("frame"));
page.toggleAttribute("data-turns", true);
showNextPanel();
tickCountdowns();
setInterval(tickCountdowns, 1000);
setInterval(showNextPanel, PANEL_TIME);
setInterval(refresh, FETCH_INTERVAL);
performance.mark("interactive");
