/* A tournament's page: its standings, results and boards follow by the socket. What changes seldom
   (a round begins, it is over) is taken from the page as the server makes it then. When the viewer's
   game begins, one tab goes there by itself. */

import { localTimes, tickCountdowns } from "../shared/local-times.js";
import { renderMessage } from "../shared/messages.js";
import { data, fresh, keepPlace } from "../shared/page.js";
import { learnNow } from "../shared/server-time.js";
import { keepSocket } from "../shared/socket.js";
import { play } from "../shared/sound.js";
import { showOwn, stoppedSeeks } from "../shared/waiting.js";
import { goOnce, noteShown } from "./going.js";
import { addMatches, drawMatches, removeMatches } from "./matches.js";
import { drawStandings } from "./standings.js";

const page = document.getElementById("tournament");
const { tournament } = page.dataset;
const RESULTS = { w: "1–0", d: "½–½", l: "0–1", b: "0–0" };
const QUIET = 400; // ms at least until the page is asked for again
const EACH = 15; // ms more for each player: so many may ask at the same time
const SELDOM = 5000; // ms at least until it is asked for again because of a result

let stage = page.dataset.stage;
let top = null; // the first places, as they were last told
let topStage = ""; // the stage in which they were
let place = [];
let shown = new Set(); // the matches whose boards are shown
let isFirst = true; // whether the next frame is the first of its connection
let asking = 0;
let askedFor = 0; // when that is due

const socket = keepSocket(`/ws/lobby/?shows=tournament&tournament=${tournament}`, {
  onOpen() {
    isFirst = true;
    for (const seek of stoppedSeeks()) stop(seek);
  },
  onFrame(frame) {
    HEAR[frame.type]?.(frame);
  },
});

const HEAR = {
  tournament: show,
  place(frame) {
    place = frame.rows;
    drawTable();
  },
  own(frame) {
    const here = frame.begun.filter((match) => match.tournament === tournament);
    const begun = frame.begun.filter((match) => match.tournament !== tournament); // told apart here
    showOwn({ ...frame, begun }, stop, () => play("start"));
    if (goOnce(here)) {
      play("start");
      takeAnew();
    }
  },
};

function stop(seek) {
  socket.send({ type: "cancel", seek });
}

function show(frame) {
  learnNow(frame.now);
  topStage = frame.stage;
  if (frame.top) {
    top = frame.top;
    drawTable();
  }
  tellPlayers(frame.players);
  tellNext(frame.next_at);
  if (frame.results !== undefined) drawResults(frame.results);
  drawBoards(frame);
  const hasResult = frame.results !== undefined && !isFirst;
  isFirst = false;
  if (frame.stage !== stage) askAgain(QUIET, frame.players);
  else if (hasResult && document.getElementById("cross-title")) askAgain(SELDOM, frame.players);
}

/* Only the first page of the places follows; whoever looks at another one has it as it was made. */
function drawTable() {
  const body = document.querySelector("#standings[data-follows] tbody");
  // Its columns are others once it has begun: then the table waits for the page that has them.
  if (!body || !top || stateOf(topStage) !== stateOf(stage)) return;
  drawStandings(body, top, place);
  body.closest(".table-box").hidden = top.length === 0;
  document.getElementById("nobody").hidden = top.length > 0;
}

function stateOf(stage) {
  return stage.split("-", 1)[0];
}

/* A pause may have moved the end. */
function tellNext(at) {
  const until = page.querySelector('[data-part="head"] [data-until]');
  if (until && at !== null) until.dataset.until = Math.floor(at);
}

function tellPlayers(count) {
  fill(document.getElementById("players"), String(count || ""));
  fill(
    page.querySelector('[data-fact="players"]'),
    renderMessage({ code: "tournament.players", count }),
  );
}

function fill(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/* A letter for each board of the round that is being played. */
function drawResults(results) {
  for (const row of document.querySelectorAll("#pairs[data-follows] [data-board]")) {
    const text = RESULTS[results[Number(row.dataset.board) - 1]];
    const score = row.querySelector(".score");
    if (!text || score.dataset.result === text) continue;
    score.dataset.result = score.textContent = text;
    row.querySelector(".first").classList.toggle("won", text === RESULTS.w);
    row.querySelector(".second").classList.toggle("won", text === RESULTS.l);
  }
}

function drawBoards({ matches, boards = [] }) {
  if (isFirst) drawMatches(matches ?? [], boards);
  else {
    if (matches) {
      const now = new Set(matches.map((match) => match.match));
      removeMatches([...shown].filter((match) => !now.has(match)));
    }
    addMatches(matches ?? [], boards);
  }
  if (matches) shown = new Set(matches.map((match) => match.match));
}

/* Another stage, or a result for the crosstable: take each part as it is made now, once, a while
   after everybody was told. */
function askAgain(least, players) {
  const wait = least + Math.random() * Math.min(20000, EACH * players);
  const at = performance.now() + wait;
  if (asking && askedFor <= at) return;
  clearTimeout(asking);
  askedFor = at;
  asking = setTimeout(takeAnew, wait);
}

async function takeAnew() {
  clearTimeout(asking);
  asking = 0;
  const made = await fresh();
  const there = made?.getElementById("tournament");
  if (!there) return;
  stage = page.dataset.stage = there.dataset.stage;
  keepPlace(() => {
    for (const part of page.querySelectorAll("[data-part]")) replace(part, there);
  });
  localTimes(page);
  tickCountdowns();
  drawTable();
  document.getElementById("announcer").textContent = there.dataset.said;
}

/* What somebody is just typing in, or has opened, stays as it is. */
function replace(part, there) {
  const other = there.querySelector(`[data-part="${part.dataset.part}"]`);
  const isTyped =
    part.contains(document.activeElement) &&
    document.activeElement.matches("input, select, textarea");
  if (!other || isTyped) return;
  const open = new Set([...part.querySelectorAll("details[open][id]")].map((each) => each.id));
  for (const each of other.querySelectorAll("details[id]")) each.open ||= open.has(each.id);
  part.replaceWith(document.importNode(other, true));
}

/* A board that is gone stays grey for a while, and then the section goes with the last one. */
const boardList = document.getElementById("matches");
new MutationObserver(() => {
  document.getElementById("boards").hidden = boardList.children.length === 0;
}).observe(boardList, { childList: true });

document.addEventListener("click", (event) => {
  if (event.target.closest("#print")) window.print();
});
boardList.replaceChildren(); // drawn by the server for pages without scripts
noteShown([...page.querySelectorAll("[data-my-match]")].map((each) => each.dataset.myMatch));
localTimes();
setInterval(tickCountdowns, 1000);
show(data("frame"));
tickCountdowns();
performance.mark("interactive"); // from now on a click does what it says
