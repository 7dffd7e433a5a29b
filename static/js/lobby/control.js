/* What the visitor wants to play for, remembered for the next time: the time limit, and whether it is
   rated and against whom. Where a game cannot be rated, the page says why. A group's page offers no
   rated games. */

import { renderMessage } from "../shared/messages.js";
import { bindPreferences } from "../shared/preferences.js";

const KEPT = "control";
const RANGE = "rating-range";

const choices = [...document.querySelectorAll('input[name="control"]')];
const other = document.getElementById("other-control");
const minutes = document.getElementById("minutes");
const increment = document.getElementById("increment");
const rated = document.getElementById("wants-rated"); // null on a group's page; disabled for who has no account
const mayRate = rated !== null && !rated.disabled;
const range = document.getElementById("rating-range");
const note = document.getElementById("rated-note");
const bounds = {
  lowest: document.getElementById("lowest"),
  highest: document.getElementById("highest"),
};

/* "3+2", or null for none. */
export function wantedControl() {
  const { value } = choices.find((choice) => choice.checked);
  return value === "other" ? `${whole(minutes)}+${whole(increment)}` : value || null;
}

/* What a seek for the game says of ratings; nothing where it is a casual one. */
export function wantedRating(game) {
  const card = document.querySelector(`.game[data-game="${game}"]`);
  if (!isRated() || !("mayBeRated" in card.dataset)) return {};
  return { rated: true, ...wantedRange() };
}

function isRated() {
  return mayRate && rated.checked && wantedControl() !== null;
}

/* Bounds in their order, null for an open one. */
function wantedRange() {
  const [lowest, highest] = [bounded(bounds.lowest), bounded(bounds.highest)];
  return lowest !== null && highest !== null && lowest > highest
    ? { lowest: highest, highest: lowest }
    : { lowest, highest };
}

function bounded(input) {
  if (input.value === "") return null;
  return Math.max(Number(input.min), Math.min(Number(input.max), Math.trunc(Number(input.value))));
}

function whole(input) {
  return Math.max(0, Math.min(180, Math.trunc(Number(input.value)) || 0));
}

function show() {
  other.hidden = !choices.find((choice) => choice.value === "other").checked;
  fill("clock", wantedControl() ?? "");
  fill("rated", isRated() ? "yes" : "");
  if (rated) range.hidden = !isRated();
  if (mayRate) note.textContent = renderMessage({ code: noteCode() });
  for (const why of document.querySelectorAll(".never-rated")) why.hidden = !isRated();
}

function fill(name, value) {
  for (const field of document.querySelectorAll(`input[type="hidden"][name="${name}"]`)) {
    field.value = value;
  }
}

function noteCode() {
  if (!rated.checked) return "rated.casual";
  return isRated() ? "rated.wanted" : "refused.unrated-untimed";
}

function choose(control) {
  const known = choices.find((choice) => choice.value === control && control !== "other");
  (known ?? choices.at(-1)).checked = true;
  if (known) return;
  const [kept, more] = control.split("+").map(Number);
  minutes.value = kept || 0;
  increment.value = more || 0;
}

const kept = localStorage.getItem(KEPT);
if (kept !== null && /^(\d+\+\d+)?$/.test(kept)) choose(kept);
for (const input of [...choices, minutes, increment]) {
  input.addEventListener("change", () => {
    localStorage.setItem(KEPT, wantedControl() ?? "");
    show();
  });
}
const keptRange = JSON.parse(localStorage.getItem(RANGE) ?? "{}");
for (const [name, input] of rated ? Object.entries(bounds) : []) {
  input.value = keptRange[name] ?? "";
  input.addEventListener("change", () => {
    localStorage.setItem(RANGE, JSON.stringify(wantedRange()));
  });
}
if (mayRate) bindPreferences(show);
show();
