/* The lobby's form for what the visitor wants to play: the clock, whether the match is rated, and the
   range of opponents' ratings. The browser remembers it. A group's page has no rated matches. */

import { renderMessage } from "../shared/messages.js";
import { bindPreferences, prefers } from "../shared/preferences.js";
import { orderRange, parseRating, parseTime } from "./seek.js";

const COOKIE = "lobby"; // lobby/views/lobby.py reads it, to draw the page right at once
const COOKIE_SECONDS = 365 * 86400;
const MOST_RECENT = 8; // games
const RANGE_KEY = "rating-range"; // in localStorage

const choices = /** @type {HTMLInputElement[]} */ ([
  ...document.querySelectorAll('input[name="control"]'),
]);
const otherClock = document.getElementById("other-control");
const minutes = inputById("minutes");
const increment = inputById("increment");
const rated = inputById("wants-rated"); // null on a group's page
const canRate = rated !== null && "canRate" in document.getElementById("ratedness").dataset;
const rangeButton = document.getElementById("rating-range");
const note = document.getElementById("rated-note");
const bounds = { lowest: inputById("lowest"), highest: inputById("highest") };

/** @param {string} id */
function inputById(id) {
  return /** @type {HTMLInputElement | null} */ (document.getElementById(id));
}

/** Return the chosen clock, such as "3+2"; null for an untimed match. */
export function chosenClock() {
  const { value } = choices.find((choice) => choice.checked);
  if (value !== "other") return value || null;
  return `${parseTime(minutes.value)}+${parseTime(increment.value)}`;
}

/**
 * Return the rating keys of a seek; none for a casual one.
 * @param {string} game
 */
export function chosenRating(game) {
  const card = document.querySelector(`.game[data-game="${game}"]`);
  if (!isRated() || !("mayBeRated" in card.dataset)) return {};
  return { rated: true, ...chosenRange() };
}

function isRated() {
  return canRate && rated.checked && chosenClock() !== null;
}

function chosenRange() {
  return orderRange(parseRating(bounds.lowest), parseRating(bounds.highest));
}

function draw() {
  otherClock.hidden = !choices.find((choice) => choice.value === "other").checked;
  fillHiddenFields("clock", chosenClock() ?? "");
  if (canRate) {
    rated.disabled = chosenClock() === null;
    rated.checked = !rated.disabled && prefers("rated");
  }
  if (rated) rangeButton.hidden = !isRated();
  if (canRate) note.textContent = renderMessage({ code: noteCode() });
  for (const reason of document.querySelectorAll(".never-rated")) reason.hidden = !isRated();
}

/**
 * Invitations are forms: their hidden fields carry the choice.
 * @param {string} name
 * @param {string} value
 */
function fillHiddenFields(name, value) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll(`input[type="hidden"][name="${name}"]`);
  for (const field of fields) field.value = value;
}

function noteCode() {
  if (rated.disabled) return "refused.unrated-untimed";
  return rated.checked ? "rated.wanted" : "rated.casual";
}

/** Return what the browser remembers of the lobby. */
function readRemembered() {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${COOKIE}=`));
  return new URLSearchParams(found?.slice(COOKIE.length + 1));
}

/**
 * @param {"clock" | "recent" | "favourites"} name
 * @param {string} value
 */
function remember(name, value) {
  const values = readRemembered();
  values.set(name, value);
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all browsers
  document.cookie = `${COOKIE}=${values}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax${secure}`;
}

/**
 * Remember that a game was started: the next page shows it first.
 * @param {string} game
 */
export function rememberGame(game) {
  const games = (readRemembered().get("recent") ?? "").split(" ");
  const others = games.filter((each) => each && each !== game);
  remember("recent", [game, ...others].slice(0, MOST_RECENT).join(" "));
}

/**
 * Remember whether a game is a favourite: the next page shows it before the others.
 * @param {string} game
 * @param {boolean} isFavourite
 */
export function rememberFavourite(game, isFavourite) {
  const games = (readRemembered().get("favourites") ?? "").split(" ");
  const others = games.filter((each) => each && each !== game);
  remember("favourites", [...others, ...(isFavourite ? [game] : [])].join(" "));
}

/** @param {string} clock */
function chooseClock(clock) {
  const known = choices.find((choice) => choice.value === clock && clock !== "other");
  (known ?? choices.at(-1)).checked = true;
  if (known) return;
  const [savedMinutes, savedIncrement] = clock.split("+").map(Number);
  minutes.value = String(savedMinutes || 0);
  increment.value = String(savedIncrement || 0);
}

const savedClock = readRemembered().get("clock");
if (savedClock !== null && /^(\d+\+\d+)?$/.test(savedClock)) chooseClock(savedClock);
for (const input of [...choices, minutes, increment]) {
  input.addEventListener("change", () => {
    remember("clock", chosenClock() ?? "");
    draw();
  });
}
if (rated) {
  const savedRange = JSON.parse(localStorage.getItem(RANGE_KEY) ?? "{}");
  for (const [name, input] of Object.entries(bounds)) {
    input.value = savedRange[name] ?? "";
    input.addEventListener("change", () => {
      localStorage.setItem(RANGE_KEY, JSON.stringify(chosenRange()));
    });
  }
}
if (canRate) bindPreferences(draw);
draw();
