import assert from "node:assert/strict";
import { test } from "node:test";
import {
  awaitedIds,
  begunMessage,
  challengeMessage,
  gamesToMove,
  hasActivity,
  offerMessages,
  othersMessage,
  seekMessage,
  titleMessage,
} from "../../../../static/js/shared/activity.js";

const EMPTY = { seeks: [], begun: [], games: [], challenges: [], declined: [] };
const SEEK = { seek: "s1", game: "tic-tac-toe", clock: null, invitation: false, rated: false };
const NEWS = { isMyTurn: false, hasBegun: false, games: 0, isSearching: false };

test("any open row is activity", () => {
  assert.equal(hasActivity(EMPTY), false);
  for (const name of Object.keys(EMPTY)) {
    assert.equal(hasActivity({ ...EMPTY, [name]: [{}] }), true, name);
  }
});

test("games to move are those in which the player is awaited and that are not listed as new", () => {
  const games = [
    { match: "mine", waits: true },
    { match: "theirs", waits: false },
    { match: "new", waits: true },
  ];
  const begun = [{ match: "new" }];
  assert.deepEqual(gamesToMove({ games, begun }), [games[0]]);
});

test("other tabs are told of seeks, new matches and games, in this order", () => {
  const frame = {
    ...EMPTY,
    seeks: [{ seek: "s1" }],
    begun: [{ match: "m1" }],
    games: [{ match: "m2" }],
    challenges: [{ challenge: "c1" }],
  };
  assert.deepEqual(awaitedIds(frame), ["s1", "m1", "m2"]);
});

test("an untimed search names its game only", () => {
  assert.deepEqual(seekMessage(SEEK), {
    code: "waiting.search",
    game: { code: "tic-tac-toe.name" },
  });
});

test("a timed search names its clock, and whether it is rated", () => {
  const game = { code: "tic-tac-toe.name" };
  const clock = { code: "clock.some", minutes: 3, seconds: 2 };
  const timed = { ...SEEK, clock: "3+2" };
  assert.deepEqual(seekMessage(timed).game, { code: "waiting.game", game, clock });
  const rated = { ...timed, rated: true };
  assert.deepEqual(seekMessage(rated).game, { code: "waiting.rated-game", game, clock });
});

test("an invitation is not a search", () => {
  assert.equal(seekMessage({ ...SEEK, invitation: true }).code, "waiting.invitation");
});

test("a new match says where it came from", () => {
  const names = { name: "Bob", event: "Cup" };
  const codeOf = (match) => begunMessage({ game: "tic-tac-toe", ...match }, names).code;
  assert.equal(codeOf({ invitation: false }), "waiting.begun");
  assert.equal(codeOf({ invitation: true }), "waiting.accepted");
  assert.equal(codeOf({ invitation: false, event: "Cup" }), "waiting.tournament");
});

test("a challenge says who sent it", () => {
  const challenge = { game: "tic-tac-toe", clock: "5+0", rated: false };
  assert.equal(challengeMessage({ ...challenge, mine: true }, "Bob").code, "challenge.mine");
  const theirs = challengeMessage({ ...challenge, mine: false }, "Bob");
  assert.equal(theirs.code, "challenge.theirs");
  assert.deepEqual(theirs.game.clock, { code: "clock.some", minutes: 5, seconds: 0 });
});

test("the title shows the most important news", () => {
  const title = "Parlour";
  assert.equal(titleMessage(NEWS, title), null);
  const all = { isMyTurn: true, hasBegun: true, games: 2, isSearching: true };
  const codes = [];
  for (const [name, none] of Object.entries(NEWS)) {
    codes.push(titleMessage(all, title).code);
    all[name] = none;
  }
  assert.deepEqual(codes, [
    "status.title",
    "waiting.title-begun",
    "waiting.title-games",
    "waiting.title",
  ]);
});

const OFFER = { seek: "s2", mine: "s1", game: "tic-tac-toe", player: "Boris" };
const CLOCK = { code: "clock.some", minutes: 3, seconds: 2 };

test("an offer names the player and the other setup", () => {
  const timed = { ...OFFER, clock: "3+2", rated: false };
  assert.deepEqual(offerMessages(timed, SEEK, "Boris"), {
    waits: { code: "offer.waits", name: "Boris", rating: undefined, clock: CLOCK },
    play: { code: "offer.play", clock: CLOCK },
  });
  const untimed = offerMessages({ ...OFFER, clock: null, rated: false }, SEEK, "Boris");
  assert.equal(untimed.waits.code, "offer.waits-untimed");
  assert.equal(untimed.play.code, "offer.play-untimed");
});

test("an offer says whether it is rated, and that it is not to somebody who wants it rated", () => {
  const rated = { ...OFFER, clock: "3+2", rated: true, rating: "1500?" };
  const { waits, play } = offerMessages(rated, SEEK, "Boris");
  assert.deepEqual([waits.code, waits.rating], ["offer.waits-rated", "1500?"]);
  assert.equal(play.code, "offer.play-rated");
  const casual = { ...OFFER, clock: "3+2", rated: false };
  const wanted = { ...SEEK, clock: "3+2", rated: true };
  assert.equal(offerMessages(casual, wanted, "Boris").waits.code, "offer.waits-casual");
  const untimed = { ...casual, clock: null };
  assert.equal(offerMessages(untimed, wanted, "Boris").waits.code, "offer.waits-untimed");
});

test("nothing is said about others online until their number is known", () => {
  assert.equal(othersMessage(undefined), null);
  assert.deepEqual(othersMessage(0), { code: "offer.nobody" });
  assert.deepEqual(othersMessage(3), { code: "offer.others", count: 3 });
});
