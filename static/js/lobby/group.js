/* The lobby of a group: play with another member, join a seek, and see what is being played. */

import "../shared/dialog.js";
import "../shared/offline.js";
import { renderMessage, renderParts } from "../shared/messages.js";
import { make, readData } from "../shared/page.js";
import { openSocket } from "../shared/socket.js";
import "../shared/sound.js"; // a click here unlocks the sounds of the match
import { listTabSeeks, SEEK_HANDLERS } from "../shared/tab-seeks.js";
import { makeClock, showLocalTimes } from "../shared/time.js";
import { resumeActivity, showActivity, showJoinError } from "../shared/waiting.js";
import { playersMessage } from "./seek.js";
import { drawSeeks, markSearches, markTaken } from "./seeks.js";
import { chosenClock } from "./setup-form.js";

showLocalTimes();

const NOT_FOUND = 4404; // close code: the group is gone, or the player has left it

const { group } = document.getElementById("group").dataset;
const { you: me } = readData("frame");
const groupError = document.getElementById("group-error");
const live = document.getElementById("live");
let isSubmitting = false; // whether a form of this page is being sent
/** @type {object[]} messages to send when the socket is open */
const unsent = [];
/** @type {string | null} the seek that this tab is joining */
let joining = null;
let errorLine = groupError;

const socket = openSocket(`/ws/lobby/?shows=group&group=${group}`, {
  onOpen() {
    resumeActivity(socket.send);
    for (const seek of listTabSeeks()) socket.send({ type: "resume", seek });
    for (const message of unsent.splice(0)) send(message);
  },
  onEnd(code) {
    // A member who leaves with this page's form is redirected by its response.
    if (code === NOT_FOUND && !isSubmitting) location.replace("/groups/");
    return code === NOT_FOUND;
  },
  onFrame(frame) {
    HANDLERS[frame.type]?.(frame);
  },
});

/** @type {Record<string, (frame: any) => void>} */
const HANDLERS = {
  ...SEEK_HANDLERS,
  group: draw,
  own(/** @type {OwnFrame} */ frame) {
    showActivity(frame, socket.send);
    markSearches(frame);
  },
  error(frame) {
    if (showJoinError(frame)) return;
    if (frame.code === "taken" && joining) markTaken(joining);
    else showError(frame.words);
    joining = null;
  },
};

/** @param {{seeks: ListedSeek[], matches: ListedMatch[]}} frame */
function draw({ seeks, matches }) {
  drawSeeks(seeks, { me, onJoin: join });
  const rows = /** @type {HTMLElement[]} */ ([...live.children]);
  const old = new Map(rows.map((row) => [row.dataset.match, row]));
  live.replaceChildren(...matches.map((match) => old.get(match.match) ?? makeRow(match)));
  document.getElementById("no-live").hidden = matches.length > 0;
}

/** @param {ListedMatch} match */
function makeRow(match) {
  const game = { code: `${match.game}.name` };
  const players = playersMessage(match);
  const setup = { code: "seek.what", game, clock: makeClock(match.clock) };
  const who = make(
    "span",
    { className: "who" },
    make("b", { textContent: renderMessage(players) }),
    make("span", {}, ...renderParts(setup)),
  );
  const link = make("a", {
    className: "button",
    href: `/match/${match.match}/`,
    textContent: renderMessage({ code: "group.look" }),
    "aria-label": renderMessage({ code: "match.watch", game, players }),
  });
  return make("li", { "data-match": match.match }, who, link);
}

/**
 * @param {string} seek
 * @param {HTMLElement} line where an error is shown
 */
function join(seek, line) {
  errorLine = line;
  joining = seek;
  send({ type: "join", seek });
}

/** @param {object} message */
function send(message) {
  showError(null);
  if (!socket.send(message)) unsent.push(message);
}

/** @param {Message | null} message */
function showError(message) {
  errorLine.textContent = message ? renderMessage(message) : "";
  errorLine.hidden = !message;
}

document.addEventListener("submit", () => {
  isSubmitting = true;
});
for (const button of document.querySelectorAll("button[data-seek]")) {
  button.addEventListener("click", () => {
    errorLine = groupError;
    send({ type: "seek", game: button.dataset.seek, clock: chosenClock(), group });
  });
}
draw(readData("frame"));
performance.mark("interactive"); // from here on, clicks work
