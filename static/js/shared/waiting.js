/* What the player waits for, on every page: searches and invitations, each with its own end,
   challenges, and matches that have begun meanwhile, each with the way there. */

import { makeChallenge, makeDeclined } from "./challenges.js";
import { make } from "./page.js";
import { parts, say } from "./words.js";

const FLAG = "waiting"; // in localStorage, where all tabs see it: somebody here waits for something

const panel = document.getElementById("waiting");
const list = document.getElementById("waiting-list");
const title = document.title;
const stopped = new Set(); // seeks that the player has stopped, until the server says so too
let own = { seeks: [], begun: [] };
let isKnown = false; // whether a frame has come: what is in the first is no news
let timer = 0;

/* Whether some tab of this browser has seen its player wait. */
export function isSomethingAwaited() {
  return localStorage.getItem(FLAG) !== null;
}

/* Calls `react` when another tab begins to wait. */
export function onAwaited(react) {
  window.addEventListener("storage", (event) => {
    if (event.key === FLAG && event.newValue) react();
  });
}

/* Show an `own` frame; `stop(seek)` is called with what the player no longer wants, `onBegun()` when
   a match has begun to which this page does not go by itself, or somebody challenges the player. */
export function showOwn(frame, stop, onBegun = () => {}) {
  own = frame;
  if (own.seeks.length + own.begun.length) localStorage.setItem(FLAG, "yes");
  else localStorage.removeItem(FLAG);
  const seeks = own.seeks.filter((seek) => !isHere(`/seek/${seek.seek}/`));
  const begun = own.begun.filter((match) => !isHere(match.url));
  const challenges = (own.challenges ?? []).filter((each) => !isHere(each.url));
  const declined = own.declined ?? [];
  const rows = new Map([...list.children].map((row) => [row.dataset.key, row]));
  const shown = new Set(rows.keys());
  const wanted = [
    ...begun.map((match) => [`match ${match.match}`, () => makeBegun(match)]),
    ...challenges.map((each) => [`challenge ${each.challenge}`, () => makeChallenge(each)]),
    ...declined.map((each) => [`declined ${each.challenge}`, () => makeDeclined(each)]),
    ...seeks.map((seek) => [`seek ${seek.seek}`, () => makeOpen(seek, stop)]),
  ].map(([key, makeRow]) => {
    const row = rows.get(key) ?? makeRow();
    row.dataset.key = key;
    rows.delete(key);
    return row;
  });
  const isNews = begun.some((match) => !shown.has(`match ${match.match}`))
    || challenges.some((each) => !each.mine && !shown.has(`challenge ${each.challenge}`));
  if (isKnown && isNews) onBegun();
  isKnown = true;
  for (const row of rows.values()) row.remove();
  wanted.forEach((row, index) => {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
  nameFirst();
  for (const seek of stopped) {
    if (!own.seeks.some((each) => each.seek === seek)) stopped.delete(seek);
  }
  panel.hidden = wanted.length === 0;
  const isSearching = seeks.some((seek) => !seek.invitation);
  document.title = titleNow(begun.length > 0, isSearching);
  clearInterval(timer);
  tick();
  if (isSearching) timer = setInterval(tick, 1000);
}

/* What was stopped and is perhaps not known to the server yet: to be sent again once it is there. */
export function stoppedSeeks() {
  return [...stopped];
}

function titleNow(hasBegun, isSearching) {
  if (hasBegun) return say({ code: "waiting.title-begun", title });
  return isSearching ? say({ code: "waiting.title", title }) : title;
}

function makeOpen(seek, stop) {
  const name = { code: `${seek.game}.name` };
  const game = seek.clock ? { code: "waiting.game", game: name, clock: seek.clock } : name;
  const kind = seek.invitation ? "invitation" : "search";
  const words = say({ code: `waiting.${kind}`, game });
  const text = make("p", {}, make("span", { textContent: words, "data-words": "" }));
  if (!seek.invitation) {
    text.append(" ", make("span", { className: "since", "aria-hidden": "true",
      "data-since": seek.since }));
  }
  const end = seek.invitation ? "withdraw" : "stop";
  const button = make("button", { type: "button", className: "button", "data-stop": seek.seek,
    textContent: say({ code: `waiting.${end}` }),
    "aria-label": say({ code: `waiting.${end}-label`, game }) });
  button.addEventListener("click", () => {
    stopped.add(seek.seek);
    button.disabled = true;
    stop(seek.seek);
  });
  const more = seek.invitation
    ? [make("a", { className: "button", href: `/seek/${seek.seek}/`,
      textContent: say({ code: "waiting.show" }),
      "aria-label": say({ code: "waiting.show-label", game: name }) })]
    : [];
  return make("li", {}, make("span", { className: "pulse", "aria-hidden": "true" }), text,
    make("span", { className: "do" }, ...more, button));
}

function makeBegun(match) {
  const name = make("bdi", { textContent: match.opponent });
  const game = { code: `${match.game}.name` };
  const code = match.invitation ? "waiting.accepted" : "waiting.begun";
  const text = make("p", {}, make("span", {}, ...parts({ code, game, name })));
  const link = make("a", { className: "button primary", href: match.url,
    textContent: say({ code: "waiting.play" }),
    "aria-label": say({ code: "waiting.play-label", game, name: match.opponent }) });
  return make("li", { className: "begun" }, text, make("span", { className: "do" }, link));
}

/* The oldest is what scripts and style sheets from outside may count on. */
function nameFirst() {
  for (const [part, id] of [["[data-words]", "waiting-text"], ["[data-stop]", "waiting-cancel"]]) {
    document.getElementById(id)?.removeAttribute("id");
    const first = list.querySelector(part);
    if (first) first.id = id;
  }
}

function tick() {
  for (const since of list.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, Math.floor(Date.now() / 1000 - Number(since.dataset.since)));
    since.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

function isHere(path) {
  return location.pathname === path;
}
