/* What the player waits for, on every page: searches and invitations, each with its own end,
   challenges, and matches that have begun meanwhile, each with the way there. The server has drawn
   what it knew. */

import { makeChallenge, makeDeclined } from "./challenges.js";
import { clockMessage, renderMessage, renderParts } from "./messages.js";
import { keepPlace, make } from "./page.js";

const FLAG = "waiting"; // in localStorage, where all tabs see it: somebody here waits for something

const usualTitle = document.title;
const icon = document.querySelector('link[rel="icon"]');
const usual = icon.href;
const said = { turn: false, begun: false, games: 0, searching: false, title: null };
const panel = document.getElementById("waiting");
const list = document.getElementById("waiting-list");
const stopped = new Set(); // seeks that the player has stopped, until the server says so too
let own = { seeks: [], begun: [], games: [] };
let isKnown = false; // whether a frame has come: what is in the first is no news
let timer = 0;
let stopSeek = null; // how a seek is stopped; until a frame has come, by a form

/* Whether some tab of this browser has seen its player wait, or the server says so. */
export function isSomethingAwaited() {
  return localStorage.getItem(FLAG) !== null || panel.dataset.awaits === "yes";
}

/* Whether the player waits for something that this page does not show itself. */
export function isAwaiting(frame) {
  const { seeks, begun, games, challenges, declined } = frame;
  return [seeks, begun, games, challenges, declined].some((rows) => rows.length > 0);
}

/* Calls `react` when another tab begins to wait. */
export function onAwaited(react) {
  window.addEventListener("storage", (event) => {
    if (event.key === FLAG && event.newValue) react();
  });
}

/* The games that wait for the player, but for those that have just begun: these are told apart. */
export function gamesWaiting({ games, begun }) {
  const told = new Set(begun.map((match) => match.match));
  return games.filter((game) => game.waits && !told.has(game.match));
}

/* Show an `own` frame; `stop(seek)` is called with what the player no longer wants, `onBegun()` when
   a match has begun to which this page does not go by itself, or somebody challenges the player. */
export function showOwn(frame, stop, onBegun = () => {}) {
  own = frame;
  stopSeek = stop;
  noteAwaited();
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
    ...seeks.map((seek) => [`seek ${seek.seek}`, () => makeOpen(seek)]),
  ].map(([key, makeRow]) => {
    const row = rows.get(key) ?? makeRow();
    row.dataset.key = key;
    rows.delete(key);
    return row;
  });
  const isNews =
    begun.some((match) => !shown.has(`match ${match.match}`)) ||
    challenges.some((each) => !each.mine && !shown.has(`challenge ${each.challenge}`));
  if (isKnown && isNews) onBegun();
  isKnown = true;
  keepPlace(() => {
    for (const row of rows.values()) row.remove();
    wanted.forEach((row, index) => {
      if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    });
    panel.hidden = wanted.length === 0;
  });
  nameFirst();
  for (const seek of stopped) {
    if (!own.seeks.some((each) => each.seek === seek)) stopped.delete(seek);
  }
  const searching = seeks.some((seek) => !seek.invitation);
  sayInTab({ begun: begun.length > 0, games: gamesWaiting(own).length, searching });
  clearInterval(timer);
  tick();
  if (searching) timer = setInterval(tick, 1000);
}

/* What was stopped and is perhaps not known to the server yet: to be sent again once it is there. */
export function stoppedSeeks() {
  return [...stopped];
}

/* What the tab says while one is elsewhere, by its title and its icon. New may be: whether it is the
   viewer's `turn` in the game of this page, whether a match has `begun`, how many `games` elsewhere
   wait for them, whether they are `searching`; and the page's own `title` (null: as it came). */
export function sayInTab(news) {
  Object.assign(said, news);
  document.title = titleNow();
  icon.href = said.turn || said.begun || said.games ? icon.dataset.turn : usual;
}

function titleNow() {
  const base = said.title ?? usualTitle;
  if (said.turn) return renderMessage({ code: "status.title", title: base });
  if (said.begun) return renderMessage({ code: "waiting.title-begun", title: base });
  if (said.games)
    return renderMessage({ code: "waiting.title-games", count: said.games, title: base });
  return said.searching ? renderMessage({ code: "waiting.title", title: base }) : base;
}

/* Tell the other tabs. Each change is another text, so that each of them hears of it. */
function noteAwaited() {
  const ids = [
    ...own.seeks.map((each) => each.seek),
    ...own.begun.map((each) => each.match),
    ...own.games.map((each) => each.match),
  ];
  if (ids.length) localStorage.setItem(FLAG, ids.join(" "));
  else localStorage.removeItem(FLAG);
}

function makeOpen(seek) {
  const name = { code: `${seek.game}.name` };
  const game = seek.clock
    ? {
        code: seek.rated ? "waiting.rated-game" : "waiting.game",
        game: name,
        clock: clockMessage(seek.clock),
      }
    : name;
  const kind = seek.invitation ? "invitation" : "search";
  const words = renderMessage({ code: `waiting.${kind}`, game });
  const text = make("p", {}, make("span", { textContent: words, "data-words": "" }));
  if (!seek.invitation) {
    text.append(
      " ",
      make("span", { className: "since", "aria-hidden": "true", "data-since": seek.since }),
    );
  }
  const end = seek.invitation ? "withdraw" : "stop";
  const button = make("button", {
    type: "button",
    className: "button",
    "data-stop": seek.seek,
    textContent: renderMessage({ code: `waiting.${end}` }),
    "aria-label": renderMessage({ code: `waiting.${end}-label`, game }),
  });
  const more = seek.invitation
    ? [
        make("a", {
          className: "button",
          href: `/seek/${seek.seek}/`,
          textContent: renderMessage({ code: "waiting.show" }),
          "aria-label": renderMessage({ code: "waiting.show-label", game: name }),
        }),
      ]
    : [];
  return make(
    "li",
    {},
    make("span", { className: "pulse", "aria-hidden": "true" }),
    text,
    make("span", { className: "do" }, ...more, button),
  );
}

function makeBegun(match) {
  const name = make("bdi", { textContent: match.opponent });
  const game = { code: `${match.game}.name` };
  const begun = match.invitation ? "waiting.accepted" : "waiting.begun";
  const code = match.event ? "waiting.tournament" : begun;
  const event = make("bdi", { textContent: match.event ?? "" });
  const text = make("p", {}, make("span", {}, ...renderParts({ code, game, name, event })));
  const link = make("a", {
    className: "button primary",
    href: match.url,
    textContent: renderMessage({ code: "waiting.play" }),
    "aria-label": renderMessage({ code: "waiting.play-label", game, name: match.opponent }),
  });
  return make("li", { className: "begun" }, text, make("span", { className: "do" }, link));
}

/* The oldest is what scripts and style sheets from outside may count on. */
function nameFirst() {
  for (const [part, id] of [
    ["[data-words]", "waiting-text"],
    ["[data-stop]", "waiting-cancel"],
  ]) {
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

list?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-stop]");
  if (!button || !stopSeek) return;
  event.preventDefault(); // of the form that the server made
  stopped.add(button.dataset.stop);
  button.disabled = true;
  stopSeek(button.dataset.stop);
});
nameFirst();
tick();
