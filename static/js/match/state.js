/* Functions of a match's state: what it means to the viewer, and what changed. They need no page. */

import { outcomeMessage } from "../shared/messages.js";

const DECIDED_BY_STAFF = new Set(["voided", "adjudicated"]);

/**
 * Return whether both players use this screen. Then each is named, instead of "you".
 * @param {Pick<MatchState, "yours">} state
 */
export function isShared(state) {
  return state.yours.length > 1;
}

/** @param {MatchState} state */
export function isMyTurn(state) {
  return state.status === "live" && state.you !== null && state.turn === state.you;
}

/**
 * Return whether a state is newer than the shown one. After a restore from a backup the server has
 * another epoch: then any version is news.
 * @param {MatchState} shown
 * @param {MatchState} next
 */
export function isNewer(shown, next) {
  if (next.epoch !== shown.epoch) return true;
  return next.version >= shown.version && next.ply >= shown.ply;
}

/**
 * Return whether a newer state is of an older position, as after a restore from a backup.
 * @param {MatchState} before
 * @param {MatchState} state
 */
export function isRolledBack(before, state) {
  if (state.epoch === before.epoch) return false;
  return state.ply < before.ply || (state.ply === before.ply && state.diagram !== before.diagram);
}

/**
 * Return whether a pong reports a state that has not arrived.
 * @param {MatchState} state
 * @param {{epoch: string, version: number}} pong
 */
export function isBehind(state, pong) {
  return pong.epoch !== state.epoch || pong.version > state.version;
}

/**
 * Return whether the staff has changed the outcome.
 * @param {MatchState} before
 * @param {MatchState} state
 */
export function isStaffDecision(before, state) {
  if (before.version === state.version) return false;
  return DECIDED_BY_STAFF.has(state.ended) || DECIDED_BY_STAFF.has(before.ended);
}

/**
 * Return whether a rated match is over and has changed no rating yet.
 * @param {MatchState} state
 */
export function isUnrated(state) {
  return state.status === "over" && !Object.values(state.seats).some((seat) => seat.rating?.after);
}

/**
 * Return the change of a rating with its sign; "" without one.
 * @param {{before: string, after: string | null}} rating
 */
export function ratingChange({ before, after }) {
  if (after === null) return "";
  const points = parseInt(after, 10) - parseInt(before, 10);
  return `${points < 0 ? "−" : "+"}${Math.abs(points)}`;
}

/**
 * Return the mark that the last move made, for the list of moves.
 * @param {MatchState} before
 * @param {MatchState} state
 */
export function markOfMove(before, state) {
  const badge = state.seats[before.turn].mark;
  return badge === "." ? state.diagram[state.fresh[0]] : badge;
}

/**
 * Return the status below the board.
 * @param {MatchState} state
 * @param {SentAction | null} sent
 * @param {string | null} [grid] the grid on which a cell is still to be picked
 * @param {boolean} [isUnderway] whether an action of several places is picked in part
 * @returns {Message}
 */
export function statusMessage(state, sent, grid = null, isUnderway = false) {
  if (state.status !== "live") return endMessage(state);
  if (sent) return { code: "status.sending" };
  const who =
    state.turn === state.you && !isShared(state)
      ? { code: "status.yours" }
      : { code: "status.theirs", name: nameOf(state, state.turn) };
  const next = isUnderway ? { code: "status.next-place" } : promptMessage(state);
  const prompt = grid ? { code: `${state.game}.now-${grid}` } : next;
  const status = prompt ? { code: "status.asked", who, prompt } : who;
  if (state.draw === null) return status;
  const sentence = prompt ? status : { code: "status.said", who };
  return { code: "status.offered", status: sentence, offer: offerMessage(state) };
}

/**
 * Return what the position asks of the player, in games whose turns have several steps.
 * @param {MatchState} state
 */
function promptMessage(state) {
  if (!state.prompt) return null;
  const side = state.you === null ? "seen" : state.you === state.turn ? "mine" : "theirs";
  return {
    code: `${state.prompt.code}.${side}`,
    name: nameOf(state, state.turn),
    other: nameOf(state, otherRole(state, state.turn)),
  };
}

/**
 * Return how the match ended, from the viewer's side.
 * @param {MatchState} state
 */
export function endMessage(state) {
  return outcomeMessage(state.verdict, {
    you: state.you,
    roles: Object.keys(state.seats),
    nameOf: (role) => nameOf(state, role),
  });
}

/**
 * Return what to say about an offered rematch. It is honest about an opponent who has left.
 * @param {MatchState} state
 * @returns {Message}
 */
export function rematchMessage(state) {
  const { by } = state.rematch;
  if (by !== state.you) return { code: "rematch.offered", name: by && nameOf(state, by) };
  const opponent = otherRole(state, by);
  const { name, here } = state.seats[opponent];
  return { code: here ? "rematch.asked" : "rematch.absent", name };
}

/**
 * Return the news that is shown for a moment: that the opponent declined the viewer's draw offer.
 * @param {MatchState} before
 * @param {MatchState} state
 * @returns {Message | null}
 */
export function passingMessage(before, state) {
  const isDeclined = before.draw !== null && state.draw === null && state.status === "live";
  return isDeclined && before.draw === state.you && !isShared(state)
    ? declineMessage(before, state)
    : null;
}

/**
 * Return the title of a finished match's tab; null while it is live.
 * @param {MatchState} state
 * @param {string} game its name
 * @returns {Message | null}
 */
export function endTitleMessage(state, game) {
  if (state.status === "live") return null;
  let end = endMessage(state);
  while (end.code === "end.more") end = end.said; // the first part is the shortest
  return { code: "status.title-end", end, game };
}

/**
 * Return the news since the state before, for screen readers: moves, draw offers, the end.
 * @param {MatchState} before
 * @param {MatchState} state
 * @returns {Message[]}
 */
export function newsMessages(before, state) {
  /** @type {Message[]} */
  const news = [];
  const hasMoved = state.ply > before.ply;
  if (hasMoved && before.turn) news.push(moveMessage(before, state));
  if (state.status !== "live") {
    if (hasMoved || before.status === "live") news.push(endMessage(state));
    return news;
  }
  if (state.draw !== before.draw) {
    news.push(state.draw ? offerMessage(state) : declineMessage(before, state));
  }
  if (hasMoved && state.turn === state.you) {
    const who = { code: "status.theirs", name: nameOf(state, state.turn) };
    news.push(isShared(state) ? { code: "status.said", who } : { code: "news.turn" });
  }
  return news;
}

/**
 * @param {MatchState} before
 * @param {MatchState} state
 */
function moveMessage(before, state) {
  return before.turn === state.you && !isShared(state)
    ? { code: "news.mine", said: state.said }
    : { code: "news.theirs", name: nameOf(state, before.turn), said: state.said };
}

/** @param {MatchState} state */
function offerMessage(state) {
  return state.draw === state.you && !isShared(state)
    ? { code: "draw.mine" }
    : { code: "draw.theirs", name: nameOf(state, state.draw) };
}

/**
 * A draw offer is gone: its recipient declined it or played on.
 * @param {MatchState} before
 * @param {MatchState} state
 */
function declineMessage(before, state) {
  const recipient = otherRole(state, before.draw);
  return recipient === state.you && !isShared(state)
    ? { code: "draw.declined-by-me" }
    : { code: "draw.declined", name: nameOf(state, recipient) };
}

/**
 * Return the sound of a change, or null. When a move ends the match, only the end is heard; a watcher
 * hears every win as a win.
 * @param {MatchState} before
 * @param {MatchState} state
 */
export function soundOf(before, state) {
  if (state.status === "live") {
    if (state.ply <= before.ply) return null;
    return before.turn === before.you ? "move" : "theirs";
  }
  if (before.status !== "live") return null;
  if (!state.verdict?.winner) return "drawn";
  return state.you === null || state.you === state.verdict.winner ? "won" : "lost";
}

/**
 * Return whether the page was loaded by a player of a match that starts.
 * @param {MatchState} state
 */
export function isStarting(state) {
  return Boolean(state.you) && state.status === "live" && state.ply === 0;
}

/**
 * @param {MatchState} state
 * @param {string} role
 */
function nameOf(state, role) {
  return state.seats[role].name;
}

/**
 * @param {MatchState} state
 * @param {string} role
 */
function otherRole(state, role) {
  return Object.keys(state.seats).find((each) => each !== role);
}
