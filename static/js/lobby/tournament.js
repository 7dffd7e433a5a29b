/* A tournament's page. Standings, results and boards follow the socket. When a round begins or ends,
   the changed parts are taken from the page that the server renders then; until they are there, frames
   of the new stage wait, so that the page shows one moment. When the viewer's match begins, one of
   their tabs goes to it. */

import "../shared/dialog.js";
import "../shared/offline.js";
import { renderMessage } from "../shared/messages.js";
import { closest, keepScrollPosition, readData } from "../shared/page.js";
import { fetchPage } from "../shared/requests.js";
import { openSocket } from "../shared/socket.js";
import { playSound } from "../shared/sound.js";
import { showLocalTimes, syncServerTime, tickCountdowns } from "../shared/time.js";
import { JOIN_HANDLERS, resumeActivity, showActivity } from "../shared/waiting.js";
import { addMatches, drawMatches, removeMatches } from "./matches.js";
import { drawResults, drawStandings } from "./standings.js";
import { handleActions } from "./tournament-actions.js";

const STAGE_DELAY = 400; // ms before the page is fetched because of a new stage, at least
const RESULT_DELAY = 5000; // ms before it is fetched because of a result, at least
const RETRY_DELAY = 2000; // ms until it is fetched again after a failure, at least
const DELAY_PER_PLAYER = 15; // ms: the more players, the longer the time over which they fetch it
const MAX_SPREAD = 20000; // ms
const BACKGROUND_DELAY = 800; // ms that a tab in the background leaves to a visible one
const VISITED_KEY = "gone-to"; // in localStorage: the match that a tab of this browser went to last
const TYPING = "input, select, textarea";

const page = document.getElementById("tournament");
const { tournament, viewer = "" } = page.dataset;
let { entry = "" } = page.dataset; // changes when the viewer joins
let stage = page.dataset.stage;
/** @type {StandingsRow[] | null} the first places */
let top = null;
let topStage = ""; // the stage that they are of
/** @type {StandingsRow[]} the places around the viewer */
let around = [];
/** @type {Set<string>} the matches whose boards are shown */
let shown = new Set();
/** @type {any[]} the frames that are not drawn yet, because they are newer than the page */
let waiting = [];
let isFirstFrame = true; // of this connection
let playerCount = -1; // in the last frame
let fetchTimer = 0;
let fetchAt = 0;
let fetchCount = 0;
let newestStage = stage; // of the last frame
const isOrganiser = !document.getElementById("director").hidden;
/** @type {Set<string>} matches that the player knows of: no tab goes to them */
const knownMatches = new Set();

const actions = handleActions(page, tournament, showPage);
const socket = openSocket(`/ws/lobby/?shows=tournament&tournament=${tournament}`, {
  onOpen() {
    isFirstFrame = true;
    actions.setConnected(true);
    resumeActivity(socket.send);
  },
  onLost() {
    actions.setConnected(false);
  },
  onFrame(frame) {
    HANDLERS[frame.type]?.(frame);
  },
});

/** @type {Record<string, (frame: any) => void>} */
const HANDLERS = {
  ...JOIN_HANDLERS,
  tournament(/** @type {TournamentFrame} */ frame) {
    syncServerTime(frame.now);
    if (isFirstFrame) waiting = [];
    waiting.push({ ...frame, isWhole: isFirstFrame });
    isFirstFrame = false;
    newestStage = frame.stage;
    drawWaiting();
    if (newestStage !== stage) scheduleUpdate(STAGE_DELAY, frame.players);
  },
  place(/** @type {{rows: StandingsRow[]}} */ frame) {
    waiting.push(frame);
    drawWaiting();
  },
  own(/** @type {OwnFrame} */ frame) {
    const isOurs = (/** @type {BegunMatch} */ match) => match.tournament === tournament;
    const begun = frame.begun.filter((match) => !isOurs(match));
    showActivity({ ...frame, begun }, socket.send, { onNews: () => playSound("start") });
    if (goToNewMatch(frame.begun.filter(isOurs))) {
      playSound("start");
      updatePage();
    }
  },
};

/** Draw the frames that have arrived, if the page is of the same stage as the last one. */
function drawWaiting() {
  if (newestStage !== stage) return;
  const frames = waiting;
  waiting = [];
  for (const frame of frames) {
    if ("rows" in frame) around = frame.rows;
    else draw(frame, frame.isWhole);
  }
  drawTable();
}

/**
 * @param {TournamentFrame} frame
 * @param {boolean} isWhole
 */
function draw(frame, isWhole) {
  topStage = frame.stage;
  if (frame.top) top = frame.top;
  setText(document.getElementById("players"), String(frame.players || ""));
  const players = renderMessage({ code: "tournament.players", count: frame.players });
  setText(page.querySelector('[data-fact="players"]'), players);
  drawNextTime(frame.next_at);
  drawPresence(frame.arena);
  if (frame.results !== undefined) {
    const rows = document.querySelectorAll("#pairs[data-follows] [data-board]");
    drawResults(rows, frame.results);
  }
  drawBoards(frame, isWhole);
  const hasJoined = frame.players !== playerCount; // or has left
  playerCount = frame.players;
  const hasResults = frame.results !== undefined;
  if (isWhole) return;
  if (isOrganiser && (hasJoined || hasResults)) scheduleUpdate(STAGE_DELAY, 0);
  else if (hasResults && document.getElementById("cross-title")) {
    scheduleUpdate(RESULT_DELAY, frame.players);
  }
}

/** Draw the first page of the standings. The other pages stay as the server rendered them. */
function drawTable() {
  const body = document.querySelector("#standings[data-follows] tbody");
  if (!body || !top || topStage !== stage) return;
  drawStandings(body, top, around, entry);
  body.closest(".table-box").hidden = top.length === 0;
  document.getElementById("nobody").hidden = top.length > 0;
}

/**
 * Say how many players of an arena are here, and why nobody is paired.
 * @param {TournamentFrame["arena"]} arena
 */
function drawPresence(arena) {
  const element = document.getElementById("arena-here");
  if (!element || !arena) return;
  const { entered, here, why } = arena;
  const counts = renderMessage({ code: "arena.here", entered, here });
  setText(element, why ? `${counts} ${renderMessage(why)}` : counts);
}

/**
 * A pause may have moved the time of the next round, or of the end.
 * @param {number | null} at
 */
function drawNextTime(at) {
  const countdown = page.querySelector('[data-part="head"] [data-until]');
  if (countdown && at !== null) countdown.dataset.until = String(Math.floor(at));
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {TournamentFrame} frame
 * @param {boolean} isWhole
 */
function drawBoards({ matches, boards = [] }, isWhole) {
  const listed = new Set(matches?.map((match) => match.match));
  if (isWhole) drawMatches(matches ?? [], boards);
  else {
    if (matches) removeMatches([...shown].filter((match) => !listed.has(match)));
    addMatches(matches ?? [], boards);
  }
  if (matches) shown = listed;
}

/**
 * Fetch the page after a random time, so that the players do not all fetch it at the same moment.
 * @param {number} least in milliseconds
 * @param {number} players
 */
function scheduleUpdate(least, players) {
  const spread = Math.min(MAX_SPREAD, DELAY_PER_PLAYER * players);
  const delay = least + Math.random() * spread;
  const at = performance.now() + delay;
  if (fetchTimer && fetchAt <= at) return;
  clearTimeout(fetchTimer);
  fetchAt = at;
  fetchTimer = setTimeout(updatePage, delay);
}

async function updatePage() {
  clearTimeout(fetchTimer);
  fetchTimer = 0;
  const started = ++fetchCount;
  const fetched = await fetchPage();
  if (started !== fetchCount) return;
  if (fetched) showPage(fetched);
  else if (newestStage !== stage) scheduleUpdate(RETRY_DELAY, 0);
}

/**
 * Replace the parts of the page by those of a fetched one. Return false if that is another page.
 * @param {Document} fetched
 */
function showPage(fetched) {
  const next = fetched.getElementById("tournament");
  if (next?.dataset.tournament !== tournament) return false;
  if ((next.dataset.viewer ?? "") !== viewer) {
    location.reload(); // a visitor has become a guest: the socket must be theirs
    return true;
  }
  fetchCount += 1; // a page that was requested before is older
  entry = page.dataset.entry = next.dataset.entry ?? "";
  const hasNews = stage !== next.dataset.stage;
  stage = page.dataset.stage = next.dataset.stage;
  document.getElementById("director").hidden = next.querySelector("#director").hidden;
  keepScrollPosition(() => {
    for (const part of page.querySelectorAll("[data-part]")) replacePart(part, next);
  });
  showLocalTimes(page);
  tickCountdowns();
  actions.update();
  drawWaiting();
  if (hasNews) document.getElementById("announcer").textContent = next.dataset.said;
  return true;
}

/**
 * Replace a part of the page, unless the viewer is typing in it. What they have opened stays open.
 * @param {HTMLElement} part
 * @param {HTMLElement} fetched
 */
function replacePart(part, fetched) {
  const next = fetched.querySelector(`[data-part="${part.dataset.part}"]`);
  const isTyping = part.contains(document.activeElement) && document.activeElement.matches(TYPING);
  if (!next || isTyping) return;
  const open = new Set([...part.querySelectorAll("details[open][id]")].map(({ id }) => id));
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const details = next.querySelectorAll("details[id]");
  for (const each of details) each.open ||= open.has(each.id);
  part.replaceWith(document.importNode(next, true));
}

/**
 * Go to the first match that has just begun, and return whether there is one.
 * @param {BegunMatch[]} begun
 */
function goToNewMatch(begun) {
  const news = begun.filter(({ match }) => !knownMatches.has(match));
  for (const { match } of news) knownMatches.add(match);
  if (!news.length) return false;
  if (document.visibilityState === "visible") goTo(news[0]);
  else setTimeout(() => goTo(news[0]), BACKGROUND_DELAY);
  return true;
}

/** @param {BegunMatch} begun */
async function goTo({ match, url }) {
  if (document.activeElement?.matches(TYPING)) return;
  if (await isFirstTab(match)) location.assign(url);
}

/**
 * Return whether no other tab of this browser goes to the match. The lock decides between tabs that
 * ask at the same moment.
 * @param {string} match
 */
async function isFirstTab(match) {
  if (localStorage.getItem(VISITED_KEY) === match) return false;
  localStorage.setItem(VISITED_KEY, match);
  if (!navigator.locks) return true;
  return new Promise((resolve) => {
    navigator.locks.request(`go ${match}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {}); // held until this page is left
    });
  });
}

// Hide the section of the boards when the last one has disappeared.
const boardList = document.getElementById("matches");
new MutationObserver(() => {
  document.getElementById("boards").hidden = boardList.children.length === 0;
}).observe(boardList, { childList: true });

document.addEventListener("click", (event) => {
  if (closest(event, "#print")) window.print();
});
boardList.replaceChildren(); // the server's list is for pages without scripts
for (const each of page.querySelectorAll("[data-my-match]")) knownMatches.add(each.dataset.myMatch);
showLocalTimes();
setInterval(tickCountdowns, 1000);
draw(readData("frame"), true);
drawTable();
tickCountdowns();
performance.mark("interactive"); // from here on, clicks work
