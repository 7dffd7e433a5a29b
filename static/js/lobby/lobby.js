/* The lobby: start a game with one click, join a seek, and see what is being played. */

import "../shared/dialog.js";
import "../shared/offline.js";
import { renderMessage, renderParts } from "../shared/messages.js";
import { make, makeAvatar, readData } from "../shared/page.js";
import { becomeGuest } from "../shared/requests.js";
import { openSocket } from "../shared/socket.js";
import "../shared/sound.js"; // a click here unlocks the sounds of the match
import { listTabSeeks, SEEK_HANDLERS, takeNextSetup } from "../shared/tab-seeks.js";
import { tickCountdowns } from "../shared/time.js";
import { resumeActivity, showActivity, showJoinError } from "../shared/waiting.js";
import { bindCards, showWaiting } from "./cards.js";
import { addMatches, clearMyGames, drawMatches, drawMyGames, removeMatches } from "./matches.js";
import { applyChanges, countUnlisted, createListing } from "./seek.js";
import { drawSeeks, markSearches } from "./seeks.js";
import { chosenClock, chosenRating, rememberGame } from "./setup-form.js";

const ALONE_DELAY = 3000; // ms: longer than the server takes to count a new visitor

/** @type {string | null} the viewer's name */
let me = readData("frame").you;
let listing = createListing(readData("frame"));
let hasCounts = false; // whether the server has counted since the page was loaded
let aloneTimer = 0;
/** @type {object[]} messages to send when the socket is open */
let unsent = [];
let isBecomingGuest = false;
/** @type {string | null} the seek that this tab is joining */
let joining = null;
/** @type {HTMLElement | null} where an error is shown */
let errorLine = null;

const socket = openSocket("/ws/lobby/?shows=changes", {
  onOpen() {
    clearMyGames();
    resumeActivity(socket.send);
    for (const seek of listTabSeeks()) socket.send({ type: "resume", seek });
    // A visitor who is becoming a guest gets a new connection soon.
    if (!isBecomingGuest) for (const message of unsent.splice(0)) send(message);
  },
  onFrame(frame) {
    HANDLERS[frame.type]?.(frame);
  },
});

/** @type {Record<string, (frame: any) => void>} */
const HANDLERS = {
  ...SEEK_HANDLERS,
  lobby(frame) {
    hasCounts = true;
    drawLobby(frame);
  },
  changes(/** @type {LobbyChanges} */ frame) {
    listing = applyChanges(listing, frame);
    drawLists();
    removeMatches(frame.over ?? []);
    addMatches(frame.matches ?? [], frame.boards ?? []);
  },
  own(/** @type {OwnFrame} */ frame) {
    showActivity(frame, socket.send, { onFrame: drawMyGames });
    markSearches(frame);
  },
  error(frame) {
    if (showJoinError(frame)) return;
    if (frame.code === "taken" && joining) {
      listing = applyChanges(listing, { gone: [joining] });
      drawLists();
    } else showError(currentErrorLine(), frame.words);
    if (frame.code === "rated-account") {
      const text = renderMessage({ code: "rated.sign-up" });
      const link = make("a", { href: "/accounts/signup/", textContent: text });
      currentErrorLine()?.append(" ", link);
    }
    joining = null;
  },
};

/** @param {LobbyFrame} frame */
function drawLobby(frame) {
  if (frame.you !== me) {
    me = frame.you;
    const name = make("b", {}, make("bdi", { textContent: me }));
    const parts = me ? renderParts({ code: "me.name", name }) : [];
    if (me) parts.unshift(makeAvatar(me));
    document.getElementById("whoami").replaceChildren(...parts);
  }
  listing = createListing(frame);
  drawLists();
  drawMatches(frame.matches, frame.boards ?? []);
}

function drawLists() {
  if (hasCounts) drawCounts();
  const unlisted = countUnlisted(listing);
  const line = document.getElementById("more-seeks");
  line.hidden = !unlisted;
  line.textContent = unlisted ? renderMessage({ code: "seeks.more", count: unlisted }) : "";
  const seeks = [...listing.seeks.values()];
  drawSeeks(seeks, { me, onJoin: join });
  showWaiting(seeks, me);
}

function drawCounts() {
  const { playing } = listing.counts;
  setText("playing", playing && { code: "counts.playing", count: playing });
  const count = countOthers();
  if (count) setText("online", { code: "counts.others", count });
  else if (!aloneTimer) aloneTimer = setTimeout(drawAlone, ALONE_DELAY);
}

/** A new visitor is not counted for a moment: wait, or one other player would count as nobody. */
function drawAlone() {
  aloneTimer = 0;
  if (!countOthers()) setText("online", { code: "counts.alone" });
}

function countOthers() {
  return Math.max(0, listing.counts.online - (me ? 1 : 0));
}

/**
 * @param {string} id
 * @param {Message | 0} message
 */
function setText(id, message) {
  const element = document.getElementById(id);
  const text = message ? renderMessage(message) : "";
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {string} game
 * @param {object} setup
 */
function seek(game, setup) {
  errorLine = document.querySelector(`[data-error="${game}"]`);
  rememberGame(game);
  request({ type: "seek", game, ...setup });
}

/**
 * @param {string} id
 * @param {HTMLElement} line where an error is shown
 */
function join(id, line) {
  errorLine = line;
  joining = id;
  rememberGame(listing.seeks.get(id)?.game ?? "");
  request({ type: "join", seek: id });
}

/** The row of a seek may have been made again since the click, because the visitor became a guest. */
function currentErrorLine() {
  if (errorLine?.isConnected || !joining) return errorLine;
  return document.querySelector(`#seeks [data-seek="${joining}"] .error`) ?? errorLine;
}

/**
 * Send a message; a visitor becomes a guest first.
 * @param {object} message
 */
async function request(message) {
  showError(errorLine, null);
  if (me) {
    send(message);
    return;
  }
  unsent.push(message);
  if (isBecomingGuest) return;
  isBecomingGuest = true;
  try {
    await becomeGuest();
    socket.reconnect();
  } catch (error) {
    unsent = [];
    showError(errorLine, error.cause);
  } finally {
    isBecomingGuest = false;
  }
}

/** @param {object} message */
function send(message) {
  if (!socket.send(message)) unsent.push(message);
}

/**
 * @param {HTMLElement | null} line
 * @param {Message | null} message
 */
function showError(line, message) {
  if (!line) return;
  line.textContent = message ? renderMessage(message) : "";
  line.hidden = !message;
}

for (const button of document.querySelectorAll("button[data-seek]")) {
  const game = button.dataset.seek;
  button.addEventListener("click", () => {
    seek(game, { clock: chosenClock(), ...chosenRating(game) });
  });
}
bindCards(join);
setInterval(tickCountdowns, 1000);
document.getElementById("matches").replaceChildren(); // the server's list is for pages without scripts
drawLobby(readData("frame"));
const nextSetup = takeNextSetup();
if (nextSetup) seek(nextSetup.game, nextSetup);
performance.mark("interactive"); // from here on, clicks work
