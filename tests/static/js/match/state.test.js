import assert from "node:assert/strict";
import { test } from "node:test";
import {
  endTitleMessage,
  isBehind,
  isMyTurn,
  isNewer,
  isRolledBack,
  isStaffDecision,
  isStarting,
  isUnrated,
  markOfMove,
  newsMessages,
  passingMessage,
  ratingChange,
  rematchMessage,
  soundOf,
  statusMessage,
} from "../../../../static/js/match/state.js";

const LIVE = {
  game: "tic-tac-toe",
  ply: 4,
  version: 6,
  epoch: "e1",
  turn: "xplayer",
  diagram: "xo.......",
  fresh: [1],
  said: { code: "said.action", action: "B1" },
  status: "live",
  ended: null,
  verdict: null,
  prompt: null,
  draw: null,
  you: "xplayer",
  yours: ["xplayer"],
  seats: { xplayer: { name: "Alice", mark: "x" }, oplayer: { name: "Bob", mark: "o" } },
};
const WIN = { code: "end.time", winner: "xplayer", won: null, lost: null };
const WON = {
  ...LIVE,
  ply: 5,
  version: 7,
  status: "over",
  ended: "time",
  turn: null,
  verdict: WIN,
};
const DRAWN = { ...WON, verdict: { ...WIN, winner: null } };
const WATCHING = { you: null, yours: [] };
const SHARED = { yours: ["xplayer", "oplayer"] };
/** Alice has played her move, and it is Bob's turn. */
const MOVED = { ...LIVE, ply: 5, version: 7, turn: "oplayer" };

const codes = (messages) => messages.map((message) => message.code);

test("it is my turn in a live match whose role in control is mine", () => {
  assert.equal(isMyTurn(LIVE), true);
  assert.equal(isMyTurn({ ...LIVE, turn: "oplayer" }), false);
  assert.equal(isMyTurn({ ...WON, turn: "xplayer" }), false);
  assert.equal(isMyTurn({ ...LIVE, turn: null, you: null }), false);
});

test("an older state never replaces a newer one of the same epoch", () => {
  assert.equal(isNewer(LIVE, MOVED), true);
  assert.equal(isNewer(LIVE, LIVE), true); // the answer to a repeated move
  assert.equal(isNewer(MOVED, LIVE), false);
  assert.equal(isNewer(LIVE, { ...LIVE, version: 7, ply: 3 }), false);
  assert.equal(isNewer(MOVED, { ...LIVE, epoch: "e2" }), true);
});

test("a restored match is rolled back if it is of another position", () => {
  assert.equal(isRolledBack(MOVED, { ...LIVE, epoch: "e2" }), true);
  assert.equal(isRolledBack(LIVE, { ...LIVE, epoch: "e2", diagram: "x.o......" }), true);
  assert.equal(isRolledBack(LIVE, { ...LIVE, epoch: "e2" }), false);
  assert.equal(isRolledBack(LIVE, MOVED), false);
});

test("a pong with a newer version or another epoch reports a missed state", () => {
  assert.equal(isBehind(LIVE, { epoch: "e1", version: 6 }), false);
  assert.equal(isBehind(LIVE, { epoch: "e1", version: 5 }), false);
  assert.equal(isBehind(LIVE, { epoch: "e1", version: 7 }), true);
  assert.equal(isBehind(LIVE, { epoch: "e2", version: 6 }), true);
});

test("a decision of the staff changes the version", () => {
  const voided = { ...WON, version: 8, ended: "voided" };
  assert.equal(isStaffDecision(WON, voided), true);
  assert.equal(isStaffDecision(voided, { ...LIVE, version: 9 }), true); // reopened
  assert.equal(isStaffDecision(voided, voided), false);
  assert.equal(isStaffDecision(LIVE, WON), false);
});

test("a finished match without a new rating is unrated so far", () => {
  const rating = { before: "1512", after: "1520" };
  assert.equal(isUnrated(WON), true);
  assert.equal(isUnrated(LIVE), false);
  const seats = { ...WON.seats, xplayer: { ...WON.seats.xplayer, rating } };
  assert.equal(isUnrated({ ...WON, seats }), false);
});

test("the mark of a move is the seat's, or what was drawn on the board", () => {
  assert.equal(markOfMove(LIVE, MOVED), "x");
  const seats = { xplayer: { name: "Alice", mark: "." }, oplayer: { name: "Bob", mark: "." } };
  assert.equal(markOfMove(LIVE, { ...MOVED, seats, fresh: [1] }), "o");
});

test("the status says whose turn it is", () => {
  const theirs = (name) => ({ code: "status.theirs", name });
  assert.deepEqual(statusMessage(LIVE, null), { code: "status.yours" });
  assert.deepEqual(statusMessage(MOVED, null), theirs("Bob"));
  assert.deepEqual(statusMessage({ ...LIVE, ...WATCHING }, null), theirs("Alice"));
  assert.deepEqual(statusMessage({ ...LIVE, ...SHARED }, null), theirs("Alice"));
});

test("the status says that a move is on its way", () => {
  const sent = { ply: 4, action: "mark 1 1" };
  assert.deepEqual(statusMessage(LIVE, sent), { code: "status.sending" });
  assert.deepEqual(statusMessage(LIVE, null, null, true), {
    code: "status.asked",
    who: { code: "status.yours" },
    prompt: { code: "status.next-place" },
  });
  assert.equal(statusMessage(WON, sent).code, "end.time.won");
});

test("the status asks for the next step of a turn", () => {
  const prompted = { ...LIVE, prompt: { code: "six-in-a-row.pick" } };
  const promptOf = (state, grid) => statusMessage(state, null, grid).prompt;
  assert.equal(promptOf(prompted).code, "six-in-a-row.pick.mine");
  assert.equal(promptOf({ ...prompted, you: "oplayer" }).code, "six-in-a-row.pick.theirs");
  assert.equal(promptOf({ ...prompted, ...WATCHING }).code, "six-in-a-row.pick.seen");
  assert.equal(promptOf(prompted).other, "Bob");
  assert.deepEqual(promptOf(LIVE, "2"), { code: "tic-tac-toe.now-2" });
});

test("the status names a draw offer and who made it", () => {
  assert.deepEqual(statusMessage({ ...LIVE, draw: "oplayer" }, null), {
    code: "status.offered",
    status: { code: "status.said", who: { code: "status.yours" } },
    offer: { code: "draw.theirs", name: "Bob" },
  });
  assert.deepEqual(statusMessage({ ...LIVE, draw: "xplayer" }, null).offer, { code: "draw.mine" });
  const shared = { ...LIVE, ...SHARED, draw: "xplayer" };
  assert.deepEqual(statusMessage(shared, null).offer, { code: "draw.theirs", name: "Alice" });
});

test("the end is described from the viewer's side", () => {
  assert.equal(statusMessage(WON, null).code, "end.time.won");
  assert.equal(statusMessage({ ...WON, you: "oplayer" }, null).code, "end.time.lost");
  assert.equal(statusMessage({ ...WON, ...WATCHING }, null).code, "end.time.seen");
  assert.equal(statusMessage(DRAWN, null).code, "end.time");
});

test("the title of a finished match has the first part of its end", () => {
  assert.equal(endTitleMessage(LIVE, "Tic-Tac-Toe"), null);
  const more = [{ ...WIN, code: "grid.full", winner: null }];
  const title = endTitleMessage({ ...WON, verdict: { ...WIN, more } }, "Tic-Tac-Toe");
  assert.equal(title.code, "status.title-end");
  assert.equal(title.end.code, "end.time.won");
  assert.equal(title.game, "Tic-Tac-Toe");
});

test("a move is news, and so is the turn it gives", () => {
  assert.deepEqual(codes(newsMessages(LIVE, MOVED)), ["news.mine"]);
  const answered = { ...LIVE, ply: 6, version: 8 };
  assert.deepEqual(codes(newsMessages(MOVED, answered)), ["news.theirs", "news.turn"]);
  assert.deepEqual(newsMessages(LIVE, LIVE), []);
});

test("on a shared screen both players are named", () => {
  const news = newsMessages({ ...LIVE, ...SHARED }, { ...MOVED, ...SHARED, you: "oplayer" });
  assert.deepEqual(codes(news), ["news.theirs", "status.said"]);
  assert.equal(news[0].name, "Alice");
  assert.equal(news[1].who.name, "Bob");
});

test("the end is news once", () => {
  assert.deepEqual(codes(newsMessages(LIVE, WON)), ["news.mine", "end.time.won"]);
  assert.deepEqual(codes(newsMessages({ ...LIVE, ply: 5 }, WON)), ["end.time.won"]);
  assert.deepEqual(newsMessages(WON, { ...WON, version: 8 }), []);
});

test("a draw offer and its refusal are news", () => {
  const offered = { ...LIVE, version: 7, draw: "oplayer" };
  assert.deepEqual(newsMessages(LIVE, offered), [{ code: "draw.theirs", name: "Bob" }]);
  assert.deepEqual(newsMessages(offered, LIVE), [{ code: "draw.declined-by-me" }]);
  const mine = { ...LIVE, draw: "xplayer" };
  assert.deepEqual(newsMessages(mine, LIVE), [{ code: "draw.declined", name: "Bob" }]);
});

test("a move sounds like the player's or the opponent's", () => {
  assert.equal(soundOf(LIVE, MOVED), "move");
  assert.equal(soundOf(MOVED, { ...LIVE, ply: 6 }), "theirs");
  assert.equal(soundOf({ ...LIVE, ...WATCHING }, { ...MOVED, ...WATCHING }), "theirs");
  assert.equal(soundOf(LIVE, { ...LIVE, version: 7 }), null);
});

test("only the end of a match is heard, not its last move, and a watcher hears a win", () => {
  assert.equal(soundOf(LIVE, WON), "won");
  assert.equal(soundOf(LIVE, { ...WON, you: "oplayer" }), "lost");
  assert.equal(soundOf(LIVE, { ...WON, ...WATCHING }), "won");
  assert.equal(soundOf(LIVE, DRAWN), "drawn");
  assert.equal(soundOf(WON, WON), null);
});

test("a match starts for its players before the first move", () => {
  assert.equal(isStarting({ ...LIVE, ply: 0 }), true);
  assert.equal(isStarting(LIVE), false);
  assert.equal(isStarting({ ...LIVE, ply: 0, ...WATCHING }), false);
});

test("an offered rematch is described to its opponent, and honestly when they have left", () => {
  const seats = (here) => ({ ...WON.seats, oplayer: { ...WON.seats.oplayer, here } });
  const offered = { ...WON, rematch: { by: "xplayer", match: null, url: null } };
  assert.deepEqual(rematchMessage({ ...offered, seats: seats(true) }), {
    code: "rematch.asked",
    name: "Bob",
  });
  assert.equal(rematchMessage({ ...offered, seats: seats(false) }).code, "rematch.absent");
  assert.deepEqual(rematchMessage({ ...offered, you: "oplayer" }), {
    code: "rematch.offered",
    name: "Alice",
  });
});

test("a declined draw is shown to the player who offered it", () => {
  const offered = { ...LIVE, draw: "xplayer" };
  assert.equal(passingMessage(offered, LIVE).code, "draw.declined");
  assert.equal(passingMessage(offered, offered), null);
  assert.equal(passingMessage(LIVE, LIVE), null);
  assert.equal(passingMessage(offered, DRAWN), null);
  const asBob = { ...offered, you: "oplayer" };
  assert.equal(passingMessage(asBob, { ...LIVE, you: "oplayer" }), null);
});

test("the change of a rating has a sign", () => {
  assert.equal(ratingChange({ before: "1741", after: "1765" }), "+24");
  assert.equal(ratingChange({ before: "1512?", after: "1490?" }), "−22");
  assert.equal(ratingChange({ before: "1512", after: "1512" }), "+0");
  assert.equal(ratingChange({ before: "1512", after: null }), "");
});
