/* The page of a match. What is shown is a function of the newest state; older ones are ignored. */

import { mount } from "../board/board.js";
import { makeAnalysis, showVerdict, verdictAtEnd } from "./analysis.js";
import { makeClocks } from "./clocks.js";
import { drawCommands } from "./commands.js";
import { makeConfirm } from "./confirm.js";
import { isByStaff, refreshDecisions } from "./decisions.js";
import { makeEnds } from "./ends.js";
import "./folds.js";
import { flourish } from "../board/flourish.js";
import * as moves from "../board/moves.js";
import { makeReplay } from "../board/replay.js";
import { renderMessage } from "../shared/messages.js";
import { data } from "../shared/page.js";
import { bindPreferences, prefers } from "../shared/preferences.js";
import { learnNow } from "../shared/server-time.js";
import { keepSocket } from "../shared/socket.js";
import * as sound from "../shared/sound.js";
import { sayInTab } from "../shared/waiting.js";
import { hear, hearStart } from "./hearing.js";
import { drawPhrases, makePhrases, showPhrase } from "./phrases.js";
import { drawRematch } from "./rematch.js";
import { drawSeats } from "./seats.js";
import { announce, endTitleOf, isShared, statusOf } from "./status.js";

const AGAIN = { unavailable: 2000, "too-fast": 1000 }; // ms after which a kept move is sent again

const root = document.getElementById("match");
const status = document.getElementById("status");
const problem = document.getElementById("error");
const watchers = document.getElementById("watchers");
const choices = [...document.querySelectorAll("#choices [data-action]")];
const matchId = root.dataset.match;

let state = data("state");
let sent = null; // {ply, action}: what was sent and is not accepted yet
let missed = 0; // pongs in a row that spoke of a state that did not come

const board = mount(root.querySelector(".table .board"), {
  onAction: choose,
  onPick: () => draw(),
});
const confirm = makeConfirm({ onYes: play, onNo: forget });
const ends = makeEnds(root);
const clocks = makeClocks(root, {
  onLow: () => sound.play("low"),
  onFlag: () => socket.send({ type: "claim-time" }),
});
const replay = makeReplay(matchId, (frame) => {
  drawBoard(frame);
  showVerdict(frame);
  moves.showCurrent(frame.ply);
  drawSeats(root, { ...state, scores: frame.scores });
});

const socket = keepSocket(`/ws/match/${matchId}/`, {
  onOpen() {
    missed = 0;
    if (sent) socket.send({ type: "play", ...sent });
  },
  onFrame(frame) {
    if (frame.now) learnNow(frame.now);
    if (frame.type === "state") take(frame);
    else if (frame.type === "pong") compare(frame);
    else if (frame.type === "phrase") showPhrase(frame, state);
    else if (frame.type === "error") refused(frame);
  },
});

/* A frame may have been lost: ask for the state, and if that does not help connect anew. */
function compare(pong) {
  const isBehind = pong.epoch !== state.epoch || pong.version > state.version;
  missed = isBehind ? missed + 1 : 0;
  if (missed === 1) socket.send({ type: "look" });
  else if (missed > 1) {
    missed = 0;
    socket.renew();
  }
}

/* In another epoch an older copy of the match may have come back: there every version is news. */
function take(next) {
  const isAnother = next.epoch !== state.epoch;
  if (!isAnother && (next.version < state.version || next.ply < state.ply)) return;
  const before = state;
  state = next;
  const isElsewhere =
    isAnother &&
    (next.ply < before.ply || (next.ply === before.ply && next.diagram !== before.diagram));
  if (isElsewhere) goBack();
  if (sent && state.ply > sent.ply) sent = null;
  if (state.ply > before.ply) {
    tell();
    confirm.clear();
  }
  if (state.status !== "live" && before.status === "live") {
    sent = null;
    confirm.clear();
  }
  hear(before, state);
  announce(before, state);
  if (isByStaff(before, state)) refreshDecisions();
  if (state.status === "live" && before.status !== "live") {
    location.reload(); // the staff lets it go on
    return;
  }
  follow(before, isAnother && before.epoch !== "");
  draw();
  if (state.status === "over" && before.status === "live") {
    flourish(root.querySelector(".table .board"), root.querySelectorAll(".seat .score"));
  }
}

/* What was chosen was chosen for another position. */
function goBack() {
  sent = null;
  confirm.clear();
  board.clear();
  tell({ code: "match.older" });
}

/* Keep the list of moves in step; fetch it where something was missed. */
async function follow(before, isAnother) {
  if (moves.count() === state.ply && !isAnother) return;
  if (!isAnother && moves.count() === before.ply && state.ply === before.ply + 1) {
    const badge = state.seats[before.turn].mark;
    const mark = badge === "." ? state.diagram[state.fresh[0]] : badge;
    moves.append({ ply: state.ply, mark, said: state.said, short: state.short });
  } else {
    const frames = await moves.fetchFrames(matchId).catch(() => null);
    if (frames) moves.replace(frames);
  }
  if (replay.isAtEnd()) moves.showCurrent(state.ply);
}

function draw() {
  root.dataset.ply = state.ply;
  root.dataset.turn = state.turn ?? "";
  root.dataset.status = state.status;
  root.dataset.role = state.you ?? "";
  status.textContent = statusOf(state, sent, isMyTurn() ? board.nextGrid() : null);
  sayInTab({ turn: isMyTurn() && !isShared(state), title: endTitleOf(state, root.dataset.name) });
  clocks.draw(state);
  drawPhrases(state);
  watchers.textContent = state.watchers
    ? renderMessage({ code: "seat.watchers", count: state.watchers })
    : "";
  for (const button of choices) {
    button.hidden = !(isMyTurn() && state.buttons.includes(button.dataset.action));
    button.disabled = Boolean(sent);
    const isPressed = button.dataset.action === (sent?.action ?? confirm.asked());
    button.setAttribute("aria-pressed", String(isPressed));
  }
  drawCommands(state, (type) => command(type));
  drawRematch(state);
  ends.draw(state);
  if (state.status !== "live") replay.open(state.ply);
  if (replay.isAtEnd()) {
    drawBoard({ ...state, better: verdictAtEnd() });
    drawSeats(root, state);
    moves.showCurrent(state.ply);
  }
}

function drawBoard({ diagram, fresh, line, better }) {
  const isOpen = isMyTurn() && !sent;
  const open = isOpen ? state.open : "";
  const hand = isMyTurn() ? state.hand : state.seats[state.you]?.mark;
  const closing = isOpen ? state.closing : [];
  board.draw({
    diagram,
    fresh,
    line,
    better,
    open,
    hand,
    closing,
    pending: sent?.action ?? confirm.asked(),
  });
}

function isMyTurn() {
  return state.status === "live" && state.you !== null && state.turn === state.you;
}

/* An action was chosen: to be sent, or to be asked about first. */
function choose(action) {
  if (!isMyTurn() || sent) return;
  if (!prefers("confirm")) {
    play(action);
    return;
  }
  confirm.ask(action, questionOf(action));
  if (!sent) draw();
}

/* What is asked before an action is sent: {text, mark}. */
function questionOf(action) {
  const button = choices.find((each) => each.dataset.action === action);
  if (button?.dataset.question) {
    return { text: button.dataset.question, mark: button.dataset.mark };
  }
  const place = board.placeOf(action);
  const words = place ? { code: "confirm.place", place } : { code: "confirm.ask" };
  return { text: renderMessage(words), mark: state.hand };
}

function forget() {
  board.clear();
  draw();
}

function play(action) {
  if (!isMyTurn() || sent) return;
  tell();
  sent = { ply: state.ply, action };
  socket.send({ type: "play", ...sent }); // if there is no connection, once it is back
  draw();
}

function command(type) {
  tell();
  if (!socket.send({ type })) tell({ code: "connection.none" });
}

function refused(frame) {
  if (frame.code in AGAIN && sent) {
    const kept = sent;
    setTimeout(() => sent === kept && socket.send({ type: "play", ...kept }), AGAIN[frame.code]);
  } else {
    sent = null;
    board.clear();
  }
  tell(frame.words);
  draw();
}

function tell(words) {
  problem.textContent = words ? renderMessage(words) : "";
  problem.hidden = !words;
}

document.getElementById("choices").addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  if (button) choose(button.dataset.action);
});
makePhrases((message) => socket.send(message));
bindPreferences((what) => {
  if (what === "confirm") {
    confirm.clear();
    forget();
  }
});
makeAnalysis(matchId, { onReady: replay.renew, onRefused: tell });
learnNow(state.now);
draw();
hearStart(state);
