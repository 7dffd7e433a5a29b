/* The panel, on every page, that lists what the player has open: searches, invitations, challenges,
   and matches that have just begun. The server has drawn the first version of it. */

import {
  awaitedIds,
  gamesToMove,
  makeChallengeRow,
  makeDeclinedRow,
  makeMatchRow,
  makeSeekRow,
  titleMessage,
} from "./activity.js";
import { renderMessage } from "./messages.js";
import { closest, keepScrollPosition } from "./page.js";
import { formatDuration } from "./time.js";

const KEY = "waiting"; // in localStorage, for all tabs: the player is waiting for something

const usualTitle = document.title;
const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
const usualIcon = icon.href;
const panel = document.getElementById("waiting");
const list = document.getElementById("waiting-list");
/** @type {import("./activity.js").TabNews & {title: string | null}} */
const news = { isMyTurn: false, hasBegun: false, games: 0, isSearching: false, title: null };
/** @type {Set<string>} seeks that the player has stopped and the server still lists */
const stopped = new Set();
let isFirstFrame = true;
let timer = 0;
/** @type {((seek: string) => void) | null} null before the first frame: then a form stops a seek */
let stopSeek = null;

/** Return whether a tab of this browser, or the server, knows that the player is waiting. */
export function isWaiting() {
  return localStorage.getItem(KEY) !== null || panel.dataset.awaits === "yes";
}

/**
 * Call back when the player starts to wait in another tab.
 * @param {() => void} callback
 */
export function onWaiting(callback) {
  window.addEventListener("storage", (event) => {
    if (event.key === KEY && event.newValue) callback();
  });
}

/**
 * Show an `own` frame.
 * @param {OwnFrame} frame
 * @param {(seek: string) => void} stop asks the server to cancel a seek
 * @param {() => void} [onNews] called when a match has begun or a challenge has arrived
 */
export function showActivity(frame, stop, onNews) {
  stopSeek = stop;
  const awaited = awaitedIds(frame);
  // A different value each time, so that other tabs get an event.
  if (awaited.length) localStorage.setItem(KEY, awaited.join(" "));
  else localStorage.removeItem(KEY);
  const seeks = frame.seeks.filter((seek) => !isThisPage(`/seek/${seek.seek}/`));
  const begun = frame.begun.filter((match) => !isThisPage(match.url));
  const challenges = frame.challenges.filter((challenge) => !isThisPage(challenge.url));
  const arrived = updateRows([
    ...begun.map((match) => row(`match ${match.match}`, () => makeMatchRow(match))),
    ...challenges.map((each) => row(`challenge ${each.challenge}`, () => makeChallengeRow(each))),
    ...frame.declined.map((each) => row(`declined ${each.challenge}`, () => makeDeclinedRow(each))),
    ...seeks.map((seek) => row(`seek ${seek.seek}`, () => makeSeekRow(seek))),
  ]);
  const hasNews =
    begun.some((match) => arrived.has(`match ${match.match}`)) ||
    challenges.some((each) => !each.mine && arrived.has(`challenge ${each.challenge}`));
  if (hasNews && !isFirstFrame) onNews?.();
  isFirstFrame = false;
  setStableIds();
  for (const seek of stopped) {
    if (!frame.seeks.some((each) => each.seek === seek)) stopped.delete(seek);
  }
  const isSearching = seeks.some((seek) => !seek.invitation);
  updateTab({ hasBegun: begun.length > 0, games: gamesToMove(frame).length, isSearching });
  clearInterval(timer);
  tick();
  if (isSearching) timer = setInterval(tick, 1000);
}

/**
 * @param {string} key
 * @param {() => HTMLElement} makeRow
 */
function row(key, makeRow) {
  return { key, makeRow };
}

/**
 * Show these rows, and return the keys of those that were not there before.
 * @param {{key: string, makeRow: () => HTMLElement}[]} rows
 */
function updateRows(rows) {
  const children = /** @type {HTMLElement[]} */ ([...list.children]);
  const old = new Map(children.map((child) => [child.dataset.key, child]));
  const elements = rows.map(({ key, makeRow }) => {
    const element = old.get(key) ?? makeRow();
    element.dataset.key = key;
    return element;
  });
  keepScrollPosition(() => {
    for (const child of children) if (!elements.includes(child)) child.remove();
    elements.forEach((element, index) => {
      if (list.children[index] !== element)
        list.insertBefore(element, list.children[index] ?? null);
    });
    panel.hidden = rows.length === 0;
  });
  return new Set(rows.map(({ key }) => key).filter((key) => !old.has(key)));
}

/** Return the stopped seeks that the server may not know of yet, to send them again. */
export function stoppedSeeks() {
  return [...stopped];
}

/**
 * Show news in the title and the icon of the tab.
 * @param {Partial<typeof news>} change `title` replaces the page's own title; null restores it
 */
export function updateTab(change) {
  Object.assign(news, change);
  const title = news.title ?? usualTitle;
  const message = titleMessage(news, title);
  document.title = message ? renderMessage(message) : title;
  const needsPlayer = news.isMyTurn || news.hasBegun || news.games;
  icon.href = needsPlayer ? icon.dataset.turn : usualIcon;
}

/** Give the oldest row's parts the ids that external scripts and tests rely on. */
function setStableIds() {
  for (const [selector, id] of [
    ["[data-words]", "waiting-text"],
    ["[data-stop]", "waiting-cancel"],
  ]) {
    document.getElementById(id)?.removeAttribute("id");
    const first = list.querySelector(selector);
    if (first) first.id = id;
  }
}

function tick() {
  for (const since of list.querySelectorAll("[data-since]")) {
    const seconds = Math.floor(Date.now() / 1000 - Number(since.dataset.since));
    since.textContent = formatDuration(Math.max(0, seconds));
  }
}

/** @param {string} path */
function isThisPage(path) {
  return location.pathname === path;
}

list.addEventListener("click", (event) => {
  const button = /** @type {HTMLButtonElement} */ (closest(event, "[data-stop]"));
  if (!button || !stopSeek) return;
  event.preventDefault(); // the server's version of the button submits a form
  stopped.add(button.dataset.stop);
  button.disabled = true;
  stopSeek(button.dataset.stop);
});
setStableIds();
tick();
