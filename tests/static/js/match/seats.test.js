import assert from "node:assert/strict";
import { test } from "node:test";
import {
  canClaimTime,
  formatClock,
  lowThreshold,
  secondsLeft,
  secondsToClaim,
} from "../../../../static/js/match/seats.js";

const CLOCK = {
  control: "3+2",
  remaining_ms: { xplayer: 60_000, oplayer: 45_500 },
  running: "xplayer",
  since: 1000,
  deadline: 1060,
  started: true,
  lag_ms: 500,
};

test("the running clock loses the time since the last move, and the other one stands", () => {
  assert.equal(secondsLeft(CLOCK, "xplayer", 1010), 50);
  assert.equal(secondsLeft(CLOCK, "oplayer", 1010), 45.5);
});

test("time neither grows before the start nor falls below zero", () => {
  assert.equal(secondsLeft(CLOCK, "xplayer", 990), 60);
  assert.equal(secondsLeft(CLOCK, "xplayer", -Infinity), 60);
  assert.equal(secondsLeft(CLOCK, "xplayer", 2000), 0);
});

test("time is low below a tenth of the start and a second, at most 30 s", () => {
  assert.equal(lowThreshold({ ...CLOCK, control: "3+2" }), 19);
  assert.equal(lowThreshold({ ...CLOCK, control: "30+0" }), 30);
  assert.equal(lowThreshold({ ...CLOCK, control: "0+10" }), 2);
});

test("time is claimed once the opponent's deadline, lag and a margin are over", () => {
  assert.equal(canClaimTime(CLOCK, "oplayer", 1060.55), false);
  assert.equal(canClaimTime(CLOCK, "oplayer", 1060.7), true);
});

test("only the opponent of the running clock claims time", () => {
  assert.equal(canClaimTime(CLOCK, "xplayer", 2000), false);
  assert.equal(canClaimTime(CLOCK, null, 2000), false);
  assert.equal(canClaimTime({ ...CLOCK, started: false }, "oplayer", 2000), false);
  assert.equal(canClaimTime({ ...CLOCK, running: null }, "oplayer", 2000), false);
});

test("a clock shows tenths near the end, and never more than is left", () => {
  assert.equal(formatClock(9.99), "9.9");
  assert.equal(formatClock(0), "0.0");
  assert.equal(formatClock(10), "0:10");
  assert.equal(formatClock(119.9), "1:59");
  assert.equal(formatClock(3725), "1:02:05");
});

test("the seat of an absent opponent counts down to the claim", () => {
  assert.equal(secondsToClaim({ claim_at: 1060, can: ["resign"] }, 1018.4), 42);
  assert.equal(secondsToClaim({ claim_at: 1060, can: ["resign"] }, 1061), 0);
});

test("nothing is counted down if nobody is absent, the claim is possible, or it is days away", () => {
  assert.equal(secondsToClaim({ can: ["resign"] }, 1000), null);
  assert.equal(secondsToClaim({ claim_at: 1060, can: ["claim-abandoned"] }, 1061), null);
  assert.equal(secondsToClaim({ claim_at: 1000 + 7 * 86400, can: [] }, 1000), null);
});
