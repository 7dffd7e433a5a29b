/* The two seats beside the board: names, presence, ratings, scores, and clocks. The time that is left
   is arithmetic on what the server stores: nothing is counted down here. */

import { renderMessage, showName } from "../shared/messages.js";
import { makeAvatar } from "../shared/page.js";
import { formatDuration, serverTime } from "../shared/time.js";
import { ratingChange } from "./state.js";

const TICK = 100; // ms
const CLAIM_INTERVAL = 1; // seconds between two claims
const TENTHS_BELOW = 10; // seconds
const LOW_FRACTION = 0.1; // of the time at the start
const MAX_LOW = 30; // seconds
const LONGEST_COUNTDOWN = 3600; // seconds
const CLAIM_MARGIN = 0.1; // seconds after the deadline before the client claims the win

/**
 * Show the seats of a state.
 * @param {HTMLElement} root
 * @param {MatchState} state
 */
export function drawSeats(root, state) {
  if (state.yours.length > 1 && state.turn) turnBoard(root, state.turn);
  for (const seat of root.querySelectorAll("[data-seat]")) drawSeat(seat, state);
}

/**
 * @param {HTMLElement} element
 * @param {MatchState} state
 */
function drawSeat(element, state) {
  const role = element.dataset.seat;
  const { name, here, mark, score, rating } = state.seats[role];
  const isToMove = state.turn === role;
  element.dataset.here = String(here);
  element.dataset.moves = String(isToMove);
  element.dataset.won = String(state.verdict?.winner === role);
  const absent = state.status === "live" ? "seat.away" : "seat.left";
  const presence = { code: here ? "seat.here" : absent };
  const label = { code: isToMove ? "seat.label-to-move" : "seat.label", name, presence };
  element.setAttribute("aria-label", renderMessage(label));
  element.querySelector(".mark").dataset.mark = mark;
  const nameElement = element.querySelector(".name");
  if (nameElement.textContent !== showName(name)) {
    nameElement.textContent = showName(name);
    element.querySelector(".avatar").replaceWith(makeAvatar(name));
  }
  /** @type {HTMLAnchorElement | null} */
  const link = nameElement.closest("a"); // a hidden player has none
  if (link) link.href = `/player/${encodeURIComponent(name)}/`;
  element.querySelector(".presence").textContent = renderMessage(presence);
  setText(element.querySelector(".rating"), rating ? ratingText(rating, role === state.you) : null);
  setText(element.querySelector(".score"), state.scores?.[role] ?? score);
}

/**
 * @param {HTMLElement} element hidden if there is no text
 * @param {string | number | null | undefined} text
 */
function setText(element, text) {
  element.hidden = (text ?? null) === null;
  element.textContent = String(text ?? "");
}

/**
 * "1512", and after the match was rated "1512 +12". The viewer's own change is beside the result.
 * @param {{before: string, after: string | null}} rating
 * @param {boolean} isOwn
 */
function ratingText(rating, isOwn) {
  if (isOwn) return rating.after ?? rating.before;
  return `${rating.before} ${ratingChange(rating)}`.trim();
}

/**
 * On a shared screen, move the player whose turn it is to the near side.
 * @param {HTMLElement} root
 * @param {string} role
 */
function turnBoard(root, role) {
  for (const seat of root.querySelectorAll("[data-seat]")) {
    seat.classList.toggle("near", seat.dataset.seat === role);
    seat.classList.toggle("far", seat.dataset.seat !== role);
  }
}

/**
 * Create the clocks of both seats.
 * @param {HTMLElement} root
 * @param {object} handlers
 * @param {() => void} handlers.onLow called once when the viewer's time gets low
 * @param {() => void} handlers.onFlag called when the opponent's time is up
 */
export function createClocks(root, { onLow, onFlag }) {
  const seats = [...root.querySelectorAll("[data-seat]")];
  /** @type {MatchState | null} */
  let state = null;
  /** @type {Set<string>} the roles that were warned of low time */
  const warned = new Set();
  let claimedAt = 0;

  /** @param {MatchState} next */
  function draw(next) {
    state = next;
    tick();
  }

  function tick() {
    const clock = state?.clock;
    for (const seat of seats) {
      const face = seat.querySelector(".clock");
      face.hidden = !clock;
      if (clock) drawFace(face, clock, seat.dataset.seat);
      drawClaim(seat.querySelector(".claim"), seat.dataset.seat);
    }
    if (clock && canClaimTime(clock, state.you, serverTime())) claim();
  }

  /**
   * Count down in the seat of a player who has left.
   * @param {HTMLElement} line
   * @param {string} role
   */
  function drawClaim(line, role) {
    const left = state && role !== state.you ? secondsToClaim(state, serverTime()) : null;
    line.hidden = left === null;
    if (left === null) return;
    const text = renderMessage({ code: "seat.claim", time: formatDuration(left) });
    if (line.textContent !== text) line.textContent = text;
  }

  /**
   * @param {HTMLElement} face
   * @param {Clock} clock
   * @param {string} role
   */
  function drawFace(face, clock, role) {
    const left = secondsLeft(clock, role, serverTime());
    const isRunning = clock.running === role;
    const isLow = state.status === "live" && left <= lowThreshold(clock);
    const text = formatClock(left);
    if (face.textContent !== text) face.textContent = text;
    face.classList.toggle("running", isRunning);
    face.classList.toggle("low", isLow);
    if (state.status !== "live") stop(face, role);
    if (isLow && isRunning && role === state.you && !warned.has(role)) {
      warned.add(role);
      onLow();
    }
  }

  /**
   * Show that a clock no longer counts.
   * @param {HTMLElement} face
   * @param {string} role
   */
  function stop(face, role) {
    face.classList.add("stopped");
    const label = { code: "seat.clock-stopped", name: state.seats[role].name };
    face.setAttribute("aria-label", renderMessage(label));
  }

  function claim() {
    if (serverTime() - claimedAt <= CLAIM_INTERVAL) return;
    claimedAt = serverTime();
    onFlag();
  }

  setInterval(tick, TICK);
  return { draw };
}

/**
 * Return the whole seconds until the viewer may claim the match of an absent opponent. Null if there
 * is nothing to count down: nobody is absent, the claim is a button already, or it is days away.
 * @param {Pick<MatchState, "claim_at" | "can">} state
 * @param {number} now the server's time
 */
export function secondsToClaim({ claim_at: at, can }, now) {
  const left = at === undefined ? Infinity : Math.ceil(at - now);
  return left > LONGEST_COUNTDOWN || can.includes("claim-abandoned") ? null : Math.max(0, left);
}

/**
 * Return the seconds that a role has left.
 * @param {Clock} clock
 * @param {string} role
 * @param {number} now the server's time
 */
export function secondsLeft(clock, role, now) {
  const stored = clock.remaining_ms[role] / 1000;
  if (clock.running !== role) return stored;
  return Math.max(0, stored - Math.max(0, now - clock.since));
}

/**
 * Return the seconds below which time is low: a tenth of the time at the start, at most 30 s.
 * @param {Clock} clock
 */
export function lowThreshold(clock) {
  const [minutes, increment] = clock.control.split("+").map(Number);
  return Math.min(MAX_LOW, (minutes * 60 || increment) * LOW_FRACTION + 1);
}

/**
 * Return whether the viewer can claim that the opponent's time is up.
 * @param {Clock} clock
 * @param {string | null} you the viewer's role
 * @param {number} now the server's time
 */
export function canClaimTime(clock, you, now) {
  if (!you || !clock.started || !clock.running || clock.running === you) return false;
  return now - clock.deadline - clock.lag_ms / 1000 > CLAIM_MARGIN;
}

/**
 * Format the time that is left, with tenths near the end.
 * @param {number} seconds
 */
export function formatClock(seconds) {
  if (seconds < TENTHS_BELOW) return (Math.floor(seconds * 10) / 10).toFixed(1);
  return formatDuration(Math.floor(seconds));
}
