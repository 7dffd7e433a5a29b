/* The panel, on every page, that lists what the player has open: searches, invitations, challenges,
   and matches that have just begun. The server has drawn the first version of it. */

import {
  awaitedIds,
  gamesToMove,
  makeChallengeRow,
  makeComputerOffer,
  makeDeclinedRow,
  makeMatchRow,
  makeOffer,
  makeSeekRow,
  othersMessage,
  titleMessage,
} from "./activity.js";
import { renderMessage } from "./messages.js";
import { closest, keepScrollPosition } from "./page.js";
import { formatDuration } from "./time.js";

const CLOSED_NOTICES = "closed-notices"; // lobby/views/player_summary.py reads this cookie
const CLOSED_SECONDS = 86400;
const MOST_CLOSED = 20; // notices
const KEY = "waiting"; // in localStorage, for all tabs: the player is waiting for something
const ALONE_TIME = 15; // seconds without an offer after which the player is offered the computer
const GONE_TIME = 3000; // ms for which an offer that is gone keeps its place, and its words

const isMatchPage = document.getElementById("match") !== null; // it may be against the computer
const usualTitle = document.title;
const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
const usualIcon = icon.href;
const panel = document.getElementById("waiting");
const list = document.getElementById("waiting-list");
/** @type {import("./activity.js").TabNews & {title: string | null}} */
const news = { isMyTurn: false, hasBegun: false, games: 0, isSearching: false, title: null };
/** @type {Set<string>} seeks that the player has stopped and the server still lists */
const stopped = new Set();
/** @type {Set<string>} offered seeks that were gone when this tab joined them */
const taken = new Set();
let isFirstFrame = true;
let timer = 0;
/** @type {Send | null} null before the first frame: then forms stop and join seeks */
let sendMessage = null;
/** @type {HTMLElement | null} the offer that this tab is joining */
let joined = null;
/** @type {() => void} shows the last frame again */
let redraw = () => {};

/** @typedef {(message: object) => boolean} Send sends a message, if there is a connection */

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
 * @param {OwnFrame} whole
 * @param {Send} send to the lobby socket
 * @param {object} [handlers]
 * @param {() => void} [handlers.onNews] called when a match has begun, or a challenge or offer has
 *   arrived
 * @param {(frame: OwnFrame) => void} [handlers.onFrame] called with the frame without closed
 *   notices, and again when the player closes one: then the match is a game like any other
 */
export function showActivity(whole, send, handlers = {}) {
  const { onNews, onFrame } = handlers;
  const closed = readClosedNotices();
  const frame = { ...whole, begun: whole.begun.filter(({ match }) => !closed.includes(match)) };
  redraw = () => showActivity({ ...whole, boards: [] }, send, { onFrame });
  sendMessage = send;
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
  const hasNewOffers = seeks.filter((seek) => updateOffers(seek, frame)).length > 0;
  const hasNews =
    hasNewOffers ||
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
  onFrame?.(frame);
}

function readClosedNotices() {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${CLOSED_NOTICES}=`));
  return found?.slice(CLOSED_NOTICES.length + 1).split(".") ?? [];
}

/** @param {string} match */
function closeNotice(match) {
  const closed = [...readClosedNotices(), match].slice(-MOST_CLOSED).join(".");
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  document.cookie = `${CLOSED_NOTICES}=${closed}; path=/; max-age=${CLOSED_SECONDS}; samesite=lax${secure}`;
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

/**
 * Show what could be played instead of waiting with a seek. Return whether there is an offer where
 * there was none.
 * @param {OwnSeek} seek
 * @param {OwnFrame} frame
 */
function updateOffers(seek, { offers, others }) {
  const box = findRow(`seek ${seek.seek}`).querySelector(".offers");
  box.dataset.game = seek.computer && !seek.invitation && !isMatchPage ? seek.game : "";
  box.dataset.others = others === undefined ? "" : String(others);
  const shown = /** @type {HTMLElement[]} */ ([...box.querySelectorAll("[data-offer]:not(.gone)")]);
  const known = new Set(shown.map((line) => line.dataset.offer));
  const open = offers.filter((offer) => offer.mine === seek.seek && !taken.has(offer.seek));
  const added = open.filter((offer) => !known.has(offer.seek));
  for (const line of shown) {
    if (!open.some((offer) => offer.seek === line.dataset.offer)) fadeOffer(line);
  }
  if (!added.length) return false;
  keepScrollPosition(() => {
    const alone = box.querySelector(".alone");
    for (const offer of added) box.insertBefore(makeOffer(offer, seek), alone);
  });
  return !shown.length;
}

/**
 * Remove an offer after a while, so that no other button moves under the pointer.
 * @param {HTMLElement} line
 */
function fadeOffer(line) {
  line.classList.add("gone");
  setDisabled(line, true);
  setTimeout(() => line.remove(), GONE_TIME);
}

/**
 * @param {HTMLElement} line of an offer
 * @param {boolean} isDisabled
 */
function setDisabled(line, isDisabled) {
  const button = /** @type {HTMLButtonElement} */ (line.querySelector("button"));
  button.disabled = isDisabled;
}

/**
 * Show why an offered seek could not be joined. Return false if this tab is not joining any.
 * @param {{code: string, words: Message}} error a frame of the lobby socket
 */
export function showJoinError({ code, words }) {
  if (!joined) return false;
  const line = joined.querySelector(".error");
  line.textContent = renderMessage(words);
  line.hidden = false;
  if (code === "taken") {
    taken.add(joined.dataset.offer);
    fadeOffer(joined);
  } else {
    setDisabled(joined, false);
  }
  joined = null;
  return true;
}

/** Handlers for the answers to a join, for pages on which nothing else joins a seek. */
export const JOIN_HANDLERS = {
  paired(/** @type {{url: string}} */ frame) {
    location.assign(frame.url);
  },
  error: showJoinError,
};

/**
 * Begin again on a new connection: the last messages may not have reached the server.
 * @param {Send} send
 */
export function resumeActivity(send) {
  joined = null;
  for (const seek of stopped) send({ type: "cancel", seek });
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
  for (const box of list.querySelectorAll(".offers[data-game]")) offerComputer(box);
  for (const since of list.querySelectorAll("[data-since]")) {
    const seconds = Math.floor(Date.now() / 1000 - Number(since.dataset.since));
    since.textContent = formatDuration(Math.max(0, seconds));
  }
}

/**
 * Offer the computer, with the number of others who are online, after a while without an offer.
 * @param {HTMLElement} box the offers of a seek
 */
function offerComputer(box) {
  const since = box.parentElement.querySelector("[data-since]");
  if (!box.dataset.game || !since) return;
  // The player's clock may be wrong, so the time since the row was made counts as well.
  box.dataset.madeAt ??= String(performance.now());
  const waited = Math.max(
    Date.now() / 1000 - Number(since.dataset.since),
    (performance.now() - Number(box.dataset.madeAt)) / 1000,
  );
  let line = box.querySelector(".alone");
  if (!line && waited >= ALONE_TIME && !box.querySelector("[data-offer]")) {
    line = makeComputerOffer(box.dataset.game);
    keepScrollPosition(() => box.append(line));
  }
  if (!line) return;
  const { others } = box.dataset;
  const message = othersMessage(others ? Number(others) : undefined);
  const text = message ? renderMessage(message) : "";
  const words = line.querySelector("[data-others]");
  if (words.textContent !== text) words.textContent = text;
}

/** @param {HTMLElement} line */
function removeNotice(line) {
  keepScrollPosition(() => {
    line.remove();
    panel.hidden = list.children.length === 0;
  });
  redraw();
}

/** @param {string} key */
function findRow(key) {
  const rows = /** @type {HTMLElement[]} */ ([...list.children]);
  return rows.find((child) => child.dataset.key === key);
}

/** @param {string} path */
function isThisPage(path) {
  return location.pathname === path;
}

list.addEventListener("click", (event) => {
  const closer = /** @type {HTMLElement} */ (closest(event, "[data-close-notice]"));
  if (closer) {
    closeNotice(closer.dataset.closeNotice);
    if (closer.localName === "button") removeNotice(closer.closest("li"));
    return;
  }
  const button = /** @type {HTMLButtonElement} */ (closest(event, "[data-stop], [data-join]"));
  if (!button || !sendMessage) return;
  event.preventDefault(); // the server's version of the button submits a form
  const { stop, join } = button.dataset;
  if (stop) {
    stopped.add(stop);
    button.disabled = true;
    sendMessage({ type: "cancel", seek: stop });
  } else if (!joined && sendMessage({ type: "join", seek: join })) {
    joined = button.closest("[data-offer]");
    joined.querySelector(".error").hidden = true;
    button.disabled = true;
  }
});
setStableIds();
tick();
