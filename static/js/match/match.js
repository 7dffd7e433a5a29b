/* The page of a match. It shows the newest state that the server has sent. */

import "../shared/dialog.js";
import "../shared/notifications.js";
import "../shared/offline.js";
import { mountBoard } from "../board/board.js";
import { animateEnd } from "../board/render.js";
import {
  appendMove,
  countMoves,
  createReplay,
  fetchFrames,
  replaceMoves,
  showCurrentMove,
} from "../board/replay.js";
import { renderMessage } from "../shared/messages.js";
import { closest, readData } from "../shared/page.js";
import { bindPreferences, prefers } from "../shared/preferences.js";
import { openSocket } from "../shared/socket.js";
import { playSound } from "../shared/sound.js";
import { syncServerTime } from "../shared/time.js";
import "../shared/dialog.js";
import { updateTab } from "../shared/waiting.js";
import "./opening.js";
import { createConfirmation, drawCommands, drawRematch } from "./commands.js";
import { bindPhrases, drawPhrases, showNote, showPhrase } from "./extras.js";
import {
  betterAtEnd,
  bindAnalysis,
  createEndRow,
  drawGain,
  drawResult,
  refreshDecisions,
  showVerdict,
} from "./finished.js";
import { createStateReader } from "./frames.js";
import { createClocks, drawSeats } from "./seats.js";
import {
  endTitleMessage,
  isBehind,
  isMyTurn,
  isNewer,
  isRolledBack,
  isShared,
  isStaffDecision,
  isStarting,
  markOfMove,
  newsMessages,
  passingMessage,
  soundOf,
  statusMessage,
} from "./state.js";

/** @type {Record<string, number>} ms after which a refused move is sent again, by error code */
const RETRY_DELAYS = { unavailable: 2000, "too-fast": 1000 };
const EMPTY = ".";
const MANY_CHOICES = 5; // more than fit beside the tools of a phone

const root = document.getElementById("match");
const matchId = root.dataset.match;
const statusLine = document.getElementById("status");
const announcer = document.getElementById("announcer");
const errorLine = document.getElementById("error");
const watchers = document.getElementById("watchers");
const choices = /** @type {HTMLButtonElement[]} */ ([
  ...document.querySelectorAll("#choices [data-action]"),
]);

/** @type {MatchState} */
let state = readData("state");
/** @type {SentAction | null} */
let sent = null;
let missedStates = 0; // pongs in a row that report a state which has not arrived

const board = mountBoard(root.querySelector(".table .board"), {
  onAction: choose,
  onPick() {
    if (board.isUnderway()) announcer.textContent = renderMessage({ code: "status.next-place" });
    draw();
  },
});
const confirmation = createConfirmation({ onYes: play, onNo: clearChoice });
const endRow = createEndRow(root);
const clocks = createClocks(root, {
  onLow: () => playSound("low"),
  onFlag: () => socket.send({ type: "claim-time" }),
});
const replay = createReplay(matchId, (frame) => {
  drawBoard(frame);
  showVerdict(frame);
  showCurrentMove(frame.ply);
  drawSeats(root, { ...state, scores: frame.scores });
});

const readState = createStateReader(() => socket.send({ type: "look" }));
const socket = openSocket(`/ws/match/${matchId}/?patches=1`, {
  onOpen() {
    missedStates = 0;
    if (sent) socket.send({ type: "play", ...sent });
  },
  onFrame(frame) {
    if (frame.now) syncServerTime(frame.now);
    const next = readState(frame);
    if (next) receive(next);
    else if (frame.type === "pong") checkPong(frame);
    else if (frame.type === "phrase") showPhrase(frame, state);
    else if (frame.type === "error") handleError(frame);
  },
});

/**
 * A state may have been lost: ask for it, and reconnect if that does not help.
 * @param {{epoch: string, version: number}} pong
 */
function checkPong(pong) {
  missedStates = isBehind(state, pong) ? missedStates + 1 : 0;
  if (missedStates === 1) socket.send({ type: "look" });
  else if (missedStates > 1) {
    missedStates = 0;
    socket.reconnect();
  }
}

/** @param {MatchState} next */
function receive(next) {
  if (!isNewer(state, next)) return;
  const before = state;
  state = next;
  if (isRolledBack(before, state)) {
    sent = null;
    confirmation.clear();
    board.clear();
    showError({ code: "match.older" });
  }
  if (sent && state.ply > sent.ply) sent = null;
  if (state.ply > before.ply) {
    showError(null);
    confirmation.clear();
  }
  if (state.status !== "live" && before.status === "live") {
    sent = null;
    confirmation.clear();
  }
  const sound = soundOf(before, state);
  if (sound) playSound(sound);
  const news = newsMessages(before, state);
  if (news.length) announcer.textContent = news.map(renderMessage).join(" ");
  const passing = passingMessage(before, state);
  if (passing) showNote(passing);
  if (isStaffDecision(before, state)) refreshDecisions();
  if (state.status === "live" && before.status !== "live") {
    location.reload(); // the staff has reopened the match
    return;
  }
  updateMoves(before);
  draw();
  if (state.status === "over" && before.status === "live") {
    statusLine.classList.add("arrives"); // only for those who were there
    animateEnd(root.querySelector(".table .board"), root.querySelectorAll(".seat .score"));
  }
}

/**
 * Add the new move to the list, or fetch the list if states were missed.
 * @param {MatchState} before
 */
async function updateMoves(before) {
  const isRestored = state.epoch !== before.epoch && before.epoch !== "";
  if (countMoves() === state.ply && !isRestored) return;
  if (!isRestored && countMoves() === before.ply && state.ply === before.ply + 1) {
    const mark = markOfMove(before, state);
    appendMove({ ply: state.ply, mark, said: state.said });
  } else {
    await fetchFrames(matchId).then(replaceMoves, () => {}); // without a connection, the next time
  }
  if (replay.isAtEnd()) showCurrentMove(state.ply);
}

function draw() {
  root.dataset.ply = String(state.ply);
  root.dataset.turn = state.turn ?? "";
  root.dataset.status = state.status;
  root.dataset.role = state.you ?? "";
  const grid = isMyTurn(state) ? board.nextGrid() : null;
  const isUnderway = isMyTurn(state) && board.isUnderway();
  const status = statusMessage(state, sent, grid, isUnderway);
  if (state.status === "live") statusLine.textContent = renderMessage(status);
  else drawResult(statusLine, status);
  drawGain(state);
  const title = endTitleMessage(state, root.dataset.name);
  updateTab({
    isMyTurn: isMyTurn(state) && !isShared(state),
    title: title && renderMessage(title),
  });
  clocks.draw(state);
  drawPhrases(state);
  watchers.textContent = state.watchers
    ? renderMessage({ code: "seat.watchers", count: state.watchers })
    : "";
  drawChoices();
  drawCommands(state, sendCommand);
  drawRematch(state);
  endRow.draw(state);
  if (state.status !== "live") replay.open(state.ply);
  if (replay.isAtEnd()) {
    drawBoard({ ...state, better: betterAtEnd() });
    drawSeats(root, state);
    showCurrentMove(state.ply);
  }
}

/** Draw the buttons of actions that are not on the board. */
function drawChoices() {
  const actions = isMyTurn(state) ? [...state.buttons, ...board.choices()] : [];
  for (const button of choices) {
    const { action } = button.dataset;
    button.hidden = !actions.includes(action);
    button.disabled = Boolean(sent);
    button.setAttribute("aria-pressed", String(action === pendingAction()));
  }
  const isMany = choices.filter((button) => !button.hidden).length >= MANY_CHOICES;
  document.getElementById("choices").toggleAttribute("data-many", isMany);
}

/** @param {Drawing} drawing */
function drawBoard({ diagram, fresh, line, better }) {
  const canAct = isMyTurn(state) && !sent;
  board.draw({
    diagram,
    fresh,
    line,
    better,
    open: canAct ? state.open : "",
    closing: canAct ? state.closing : [],
    paths: state.paths,
    hand: isMyTurn(state) ? state.hand : state.seats[state.you]?.mark,
    pending: pendingAction(),
  });
}

/** Return the action that was sent or has to be confirmed. */
function pendingAction() {
  return sent?.action ?? confirmation.pending();
}

/**
 * Send an action that the player chose, or ask for a confirmation first.
 * @param {string} action
 */
function choose(action) {
  if (!isMyTurn(state) || sent) return;
  if (!prefers("confirm")) {
    play(action);
    return;
  }
  confirmation.ask(action, questionFor(action));
  if (!sent) draw();
}

/** @param {string} action */
function questionFor(action) {
  const button = choices.find((each) => each.dataset.action === action);
  if (button?.dataset.question) {
    return { text: button.dataset.question, mark: button.dataset.mark };
  }
  const sentence = board.sentenceOf(action) || button?.textContent;
  if (sentence) {
    return { text: typeof sentence === "string" ? sentence : renderMessage(sentence), mark: EMPTY };
  }
  const place = board.nameOf(action);
  const message = place ? { code: "confirm.place", place } : { code: "confirm.ask" };
  return { text: renderMessage(message), mark: state.hand };
}

function clearChoice() {
  board.clear();
  draw();
}

/** @param {string} action */
function play(action) {
  if (!isMyTurn(state) || sent) return;
  showError(null);
  sent = { ply: state.ply, action };
  socket.send({ type: "play", ...sent }); // without a connection, it is sent when there is one
  draw();
}

/** @param {string} type */
function sendCommand(type) {
  showError(null);
  if (!socket.send({ type })) showError({ code: "connection.none" });
}

/** @param {{code: string, words: Message}} frame */
function handleError(frame) {
  const delay = RETRY_DELAYS[frame.code];
  if (delay && sent) {
    const refused = sent;
    setTimeout(() => sent === refused && socket.send({ type: "play", ...refused }), delay);
  } else {
    sent = null;
    board.clear();
  }
  showError(frame.words);
  draw();
}

/** @param {Message | null} message */
function showError(message) {
  errorLine.textContent = message ? renderMessage(message) : "";
  errorLine.hidden = !message;
}

document.getElementById("choices").addEventListener("click", (event) => {
  const button = closest(event, "[data-action]");
  if (button) choose(button.dataset.action);
});
bindPhrases((message) => socket.send(message));
bindPreferences((name) => {
  if (name !== "confirm") return;
  confirmation.clear();
  clearChoice();
});
bindAnalysis(matchId, { onReady: replay.refresh, onRefused: showError });
syncServerTime(state.now);
draw();
if (isStarting(state)) playSound("start");
