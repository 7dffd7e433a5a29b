import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatCountdown,
  formatDuration,
  serverTime,
  shiftDateTime,
  syncServerTime,
} from "../../../../static/js/shared/time.js";

test("a duration has minutes, and hours if it has any", () => {
  assert.equal(formatDuration(0), "0:00");
  assert.equal(formatDuration(61), "1:01");
  assert.equal(formatDuration(3599), "59:59");
  assert.equal(formatDuration(3600), "1:00:00");
  assert.equal(formatDuration(36125), "10:02:05");
});

test("a countdown rounds up, ends at zero, and counts days", () => {
  assert.equal(formatCountdown(59.2), "1:00");
  assert.equal(formatCountdown(0), "0:00");
  assert.equal(formatCountdown(-5), "0:00");
  assert.equal(formatCountdown(86399), "23:59:59");
  assert.equal(formatCountdown(86400), "1 day");
  assert.equal(formatCountdown(3 * 86400 - 1), "2 days");
});

test("the server's time is unknown before the first frame, and the least delayed frame wins", () => {
  assert.equal(serverTime(), -Infinity);
  const sent = 1_760_000_000;
  syncServerTime(sent);
  const first = serverTime();
  assert.ok(first >= sent && first < sent + 5);
  syncServerTime(sent - 60); // delayed by a minute
  assert.ok(serverTime() >= first);
  syncServerTime(sent + 60); // the first one was delayed
  assert.ok(serverTime() >= sent + 60);
});

test("a field's time is shifted across midnight, and an unfinished one is left alone", () => {
  assert.equal(shiftDateTime("2026-11-22T23:30", 60), "2026-11-23T00:30");
  assert.equal(shiftDateTime("2026-11-22T00:30", -60), "2026-11-21T23:30");
  assert.equal(shiftDateTime("2026-11-22T", 60), "2026-11-22T");
  assert.equal(shiftDateTime("", 60), "");
});
