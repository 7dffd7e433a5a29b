/* Notifications on every page except the lobby's: matches that begin, challenges, and games in which
   it is the player's turn. A visitor without a player has a socket only while waiting. */

import { gamesToMove, hasActivity } from "./activity.js";
import { renderMessage } from "./messages.js";
import { keepScrollPosition } from "./page.js";
import { openSocket } from "./socket.js";
import { playSound } from "./sound.js";
import { isWaiting, JOIN_HANDLERS, onWaiting, resumeActivity, showActivity } from "./waiting.js";

const isPlayer = "player" in document.body.dataset;
const matchId = document.getElementById("match")?.dataset.match; // the match of this page
const bar = /** @type {HTMLAnchorElement} */ (document.getElementById("games-wait"));
/** @type {ReturnType<typeof openSocket> | null} */
let socket = null;

/** @type {Record<string, (frame: any) => void>} */
const HANDLERS = { ...JOIN_HANDLERS, own: show };

function listen() {
  if (socket) return;
  socket = openSocket(`/ws/lobby/?shows=own${matchId ? `&match=${matchId}` : ""}`, {
    quiet: true,
    onOpen() {
      resumeActivity(send);
    },
    onFrame(frame) {
      HANDLERS[frame.type]?.(frame);
    },
  });
}

/** @param {OwnFrame} frame */
function show(frame) {
  showActivity(frame, send, {
    onNews: () => playSound("start"),
    onFrame: (shown) => showGamesToMove(gamesToMove(shown)),
  });
  if (isPlayer || hasActivity(frame)) return;
  socket?.close();
  socket = null;
}

/** @param {object} message */
function send(message) {
  return Boolean(socket?.send(message));
}

/**
 * Show in the bar below the header how many games wait for the player's move. Once shown, the bar
 * stays, so that the content does not jump.
 * @param {OwnGame[]} games
 */
function showGamesToMove(games) {
  if (!bar || (bar.hidden && !games.length)) return;
  bar.textContent = renderMessage(
    games.length ? { code: "waiting.games", count: games.length } : { code: "waiting.no-games" },
  );
  bar.href = games.length === 1 ? games[0].url : "/";
  bar.toggleAttribute("data-none", !games.length);
  if (!bar.hidden) return;
  keepScrollPosition(() => {
    bar.hidden = false;
  });
}

if (isPlayer || isWaiting()) listen();
onWaiting(listen);
window.addEventListener("pageshow", (event) => {
  if (event.persisted && isWaiting()) listen(); // restored by the back button
});
