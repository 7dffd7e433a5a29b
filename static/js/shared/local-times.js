/* Times as the visitor's own clock shows them: the server writes them in UTC, for pages without
   scripts. And how long it is until one of them. */

import { renderMessage } from "./messages.js";
import { serverNow } from "./server-time.js";

const DAY = 86400;

/* Show every `time[data-local]` within `root` in the visitor's time zone. */
export function localTimes(root = document) {
  for (const time of root.querySelectorAll("time[data-local]")) {
    const at = new Date(time.dateTime);
    const isNear = Math.abs(at - Date.now()) < DAY * 1000 && at.getDate() === new Date().getDate();
    time.textContent = at.toLocaleString(document.documentElement.lang, {
      ...(isNear ? {} : { weekday: "short", day: "numeric", month: "short" }),
      hour: "2-digit",
      minute: "2-digit",
    });
  }
}

/* Let every `[data-until]` (seconds since 1970) within the page count down; never below 0. */
export function tickCountdowns() {
  for (const element of document.querySelectorAll("[data-until]")) {
    const text = left(Number(element.dataset.until) - now());
    if (element.textContent !== text) element.textContent = text;
  }
}

function now() {
  const known = serverNow();
  return Number.isFinite(known) ? known : Date.now() / 1000;
}

function left(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole >= DAY)
    return renderMessage({ code: "tournament.days", count: Math.floor(whole / DAY) });
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
