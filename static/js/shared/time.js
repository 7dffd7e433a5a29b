/* The server's time, and times as the visitor's clock shows them. The server writes times in UTC, for
   pages without scripts. */

import { clockMessage, longClockMessage, renderMessage } from "./messages.js";
import { make } from "./page.js";

const DAY = 86400; // seconds

let offset = -Infinity; // seconds from performance.now() to the server's clock

/**
 * Learn the server's time from a frame. The frame with the least delay is the most accurate.
 * @param {number} now seconds since 1970
 */
export function syncServerTime(now) {
  offset = Math.max(offset, now - performance.now() / 1000);
}

/** Return the server's time in seconds since 1970; -Infinity before the first frame. */
export function serverTime() {
  return performance.now() / 1000 + offset;
}

/**
 * Show every `time[data-local]` below `root` in the visitor's time zone.
 * @param {ParentNode} [root]
 */
export function showLocalTimes(root = document) {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = root.querySelectorAll("time[data-local]");
  for (const time of times) {
    const at = new Date(time.dateTime);
    const isToday =
      Math.abs(at.getTime() - Date.now()) < DAY * 1000 && at.getDate() === new Date().getDate();
    time.textContent = at.toLocaleString(document.documentElement.lang, {
      ...(isToday ? {} : { weekday: "short", day: "numeric", month: "short" }),
      hour: "2-digit",
      minute: "2-digit",
      numberingSystem: "latn", // as the server writes numbers
    });
  }
}

/**
 * Make the text of a match's clock: short on the screen, and long for screen readers, as the tag
 * `clock` of the templates does.
 * @param {string | null} clock null or "" for an untimed match
 */
export function makeClock(clock) {
  const short = renderMessage(clockMessage(clock));
  if (!clock) return make("span", { textContent: short });
  return make(
    "span",
    {},
    make("span", { textContent: short, "aria-hidden": "true" }),
    " ",
    make("span", { textContent: renderMessage(longClockMessage(clock)), className: "unseen" }),
  );
}

/** Update every `[data-until]` of the page, which counts down to a time in seconds since 1970. */
export function tickCountdowns() {
  const known = serverTime();
  const now = Number.isFinite(known) ? known : Date.now() / 1000;
  for (const element of document.querySelectorAll("[data-until]")) {
    const text = formatCountdown(Number(element.dataset.until) - now);
    if (element.textContent !== text) element.textContent = text;
  }
}

/**
 * Format seconds as days, as h:mm:ss or as m:ss.
 * @param {number} seconds
 */
export function formatCountdown(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole >= DAY)
    return renderMessage({ code: "tournament.days", count: Math.floor(whole / DAY) });
  return formatDuration(whole);
}

/**
 * Format whole seconds as h:mm:ss or as m:ss.
 * @param {number} seconds
 */
export function formatDuration(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const rest = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/**
 * Shift the value of a `datetime-local` field.
 * @param {string} value such as "2026-11-22T19:30"
 * @param {number} minutes
 */
export function shiftDateTime(value, minutes) {
  const time = new Date(`${value}Z`);
  if (Number.isNaN(time.getTime())) return value;
  return new Date(time.getTime() + minutes * 60000).toISOString().slice(0, 16);
}
