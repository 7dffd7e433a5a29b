/* The cards of the games: who waits for a game, the dialogs with other ways to play it, favourites
   and the filter. */

import "../shared/dialog.js";
import { clockMessage, renderMessage, renderParts, showName } from "../shared/messages.js";
import { closest, make } from "../shared/page.js";
import { get } from "../shared/requests.js";
import { makeClock } from "../shared/time.js";
import { chosenClock, chosenRating, rememberFavourite, rememberGame } from "./setup-form.js";

const GREY_TIME = 3000; // ms for which a card still shows a seek that is gone
const LEVEL_KEY = "level"; // in localStorage
const SUGGEST_DELAY = 250; // ms after the last key

const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".game[data-game]")]);
const menu = document.getElementById("game-menu");
const computer = document.getElementById("computer");
const byName = /** @type {HTMLFormElement} */ (document.getElementById("by-name"));
const nameAddress = byName.getAttribute("action");
const nameField = fieldOf(byName, "#challenged");
const nameError = document.getElementById("by-name-error");
const knownNames = document.getElementById("known-names");
const rulesLink = menu.querySelector("a");
const rulesAddress = rulesLink.getAttribute("href");
const canHover = matchMedia("(hover: hover)").matches; // else a touched line would stay hovered
/** @type {(seek: string, errorLine: HTMLElement) => void} */
let join = () => {};
/** @type {HTMLElement} the card whose dialog is open */
let current = cards[0];
/** @type {Map<string, ListedSeek[]>} by game, without the viewer's own */
let waiting = new Map();
let suggestTimer = 0;

/** @param {(seek: string, errorLine: HTMLElement) => void} onJoin */
export function bindCards(onJoin) {
  join = onJoin;
  document.getElementById("games").addEventListener("click", (event) => {
    const card = /** @type {HTMLElement} */ (closest(event, ".game"));
    if (closest(event, '[data-dialog="game-menu"]')) fillMenu(card);
    const favourite = /** @type {HTMLElement | null} */ (closest(event, ".favourite"));
    if (favourite) toggleFavourite(favourite, card.dataset.game);
  });
  menu.addEventListener("click", (event) => {
    if (!closest(event, '[data-dialog="computer"]')) return;
    /** @type {HTMLDialogElement} */ (menu).close();
    fillComputer();
  });
  computer.addEventListener("close", () => {
    /** @type {HTMLElement} */ (current.querySelector(".more")).focus();
  });
  byName.addEventListener("submit", (event) => {
    event.preventDefault();
    challenge(nameField.value.trim());
  });
  nameField.addEventListener("input", () => {
    showNameError(null);
    clearTimeout(suggestTimer);
    suggestTimer = setTimeout(suggestNames, SUGGEST_DELAY);
  });
  for (const form of document.querySelectorAll("form:has([name=game])")) {
    form.addEventListener("submit", () => rememberGame(fieldOf(form, "[name=game]").value));
  }
  bindFilter();
}

/** @param {HTMLElement} card */
function fillMenu(card) {
  current = card;
  const { game } = card.dataset;
  menu.querySelector("h2").textContent = card.querySelector("h2").textContent;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (
    menu.querySelectorAll("[data-label]")
  )) {
    const message = { code: button.dataset.label, game: { code: `${game}.name` } };
    button.setAttribute("aria-label", renderMessage(message));
  }
  for (const field of menu.querySelectorAll("[name=game]")) {
    /** @type {HTMLInputElement} */ (field).value = game;
  }
  fieldOf(menu, "[name=rated]").value = "rated" in chosenRating(game) ? "yes" : "";
  menu
    .querySelector("li:has([data-dialog])")
    .toggleAttribute("hidden", !("computer" in card.dataset));
  rulesLink.setAttribute("href", rulesAddress.replace("GAME", game));
}

/** Suggest the players whose names begin with what was typed. */
async function suggestNames() {
  const text = nameField.value.trim();
  if (!text) return;
  const response = await get(`${byName.dataset.names}?q=${encodeURIComponent(text)}`);
  if (!response?.ok || nameField.value.trim() !== text) return;
  /** @type {{names: string[]}} */
  const { names } = await response.json();
  knownNames.replaceChildren(...names.map((name) => new Option(name)));
}

/**
 * Open the page of a challenge, or say beside the field that there is no such player.
 * @param {string} name
 */
async function challenge(name) {
  const path = nameAddress.replace("NAME", encodeURIComponent(name));
  const address = `${path}?game=${current.dataset.game}`;
  const response = await get(address);
  if (!response) showNameError({ code: "connection.none" });
  else if (response.status === 404) showNameError({ code: "challenge.unknown", name });
  else location.assign(address);
}

/** @param {Message | null} message */
function showNameError(message) {
  nameError.textContent = message ? renderMessage(message) : "";
  nameError.hidden = !message;
  nameField.setAttribute("aria-invalid", String(Boolean(message)));
}

function fillComputer() {
  const message = { code: "card.computer", game: { code: `${current.dataset.game}.name` } };
  document.getElementById("computer-title").textContent = renderMessage(message);
  fieldOf(computer, "[name=game]").value = current.dataset.game;
  const clock = chosenClock() ?? "";
  const clocks = /** @type {HTMLSelectElement} */ (computer.querySelector("[name=clock]"));
  if (![...clocks.options].some((option) => option.value === clock)) {
    clocks.add(new Option(renderMessage(clockMessage(clock)), clock));
  }
  clocks.value = clock;
  const ratings = new Map(
    current.dataset.computer.split(" ").map((each) => /** @type {any} */ (each.split(":"))),
  );
  for (const about of /** @type {NodeListOf<HTMLElement>} */ (
    computer.querySelectorAll("[data-about]")
  )) {
    const rating = ratings.get(about.dataset.about);
    about.hidden = !rating;
    about.textContent = rating ? renderMessage({ code: "level.about", rating }) : "";
  }
  const level = localStorage.getItem(LEVEL_KEY);
  for (const choice of /** @type {NodeListOf<HTMLInputElement>} */ (
    computer.querySelectorAll("[name=level]")
  )) {
    if (choice.value === level) choice.checked = true;
    choice.onchange = () => localStorage.setItem(LEVEL_KEY, choice.value);
  }
}

/**
 * @param {ParentNode} parent
 * @param {string} selector
 */
function fieldOf(parent, selector) {
  return /** @type {HTMLInputElement} */ (parent.querySelector(selector));
}

/**
 * Show on each card who waits for its game.
 * @param {ListedSeek[]} seeks
 * @param {string | null} me the viewer's name
 */
export function showWaiting(seeks, me) {
  waiting = new Map();
  for (const seek of seeks) {
    if (seek.player !== me) waiting.set(seek.game, [...(waiting.get(seek.game) ?? []), seek]);
  }
  for (const card of cards) drawWaiting(card);
}

/**
 * Draw who waits for a card's game. The seek stays the same as long as it is open, and turns grey
 * when it is gone, so that a click never joins another one.
 * @param {HTMLElement} card
 */
function drawWaiting(card) {
  const seeks = waiting.get(card.dataset.game) ?? [];
  const line = /** @type {HTMLElement} */ (card.querySelector(".waits"));
  const shown = line.dataset.seek;
  const seek = seeks.find((each) => each.seek === shown) ?? (shown ? null : seeks[0]);
  if (seek && !shown) line.replaceChildren(...makeWaiting(seek));
  if (seek) {
    line.dataset.seek = seek.seek;
    const others = seeks.length - 1;
    const more = others ? renderMessage({ code: "card.more", count: others }) : "";
    line.querySelector(".others").textContent = more;
  } else if (shown && !line.classList.contains("gone")) {
    fade(line);
    setTimeout(replaceWaiting, GREY_TIME, card, line);
  }
  line.hidden = !line.dataset.seek;
}

/** @param {HTMLElement} line */
function fade(line) {
  line.classList.add("gone");
  const button = /** @type {HTMLButtonElement} */ (line.querySelector("button"));
  button.disabled = true;
  button.textContent = renderMessage({ code: "seek.gone" });
  button.removeAttribute("aria-label");
}

/**
 * @param {HTMLElement} card
 * @param {HTMLElement} line
 */
function replaceWaiting(card, line) {
  if (canHover && line.matches(":hover")) {
    setTimeout(replaceWaiting, GREY_TIME, card, line);
    return;
  }
  line.classList.remove("gone");
  delete line.dataset.seek;
  drawWaiting(card);
}

/** @param {ListedSeek} seek */
function makeWaiting(seek) {
  const clock = makeClock(seek.clock);
  const setup = seek.rated ? renderParts({ code: "card.rated", clock }) : [clock];
  const name = make("b", {}, make("bdi", { textContent: showName(seek.player) }));
  const label = { code: "seek.join-label", name: seek.player, game: { code: `${seek.game}.name` } };
  const button = make("button", {
    type: "button",
    className: "button",
    textContent: renderMessage({ code: "seek.join" }),
    "aria-label": renderMessage(label),
  });
  const error = document.querySelector(`[data-error="${seek.game}"]`);
  button.addEventListener("click", () => join(seek.seek, /** @type {HTMLElement} */ (error)));
  return [
    make(
      "span",
      { className: "who" },
      make("span", { className: "name" }, ...renderParts({ code: "card.waits", name })),
      make("span", {}, ...setup, " ", make("span", { className: "others" })),
    ),
    button,
  ];
}

/**
 * The card keeps its place: only the next page puts favourites first.
 * @param {HTMLElement} button
 * @param {string} game
 */
function toggleFavourite(button, game) {
  const isFavourite = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(isFavourite));
  rememberFavourite(game, isFavourite);
}

/** A field for parts of names, on a page with many games. */
function bindFilter() {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("find-game"));
  field?.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const card of cards) card.hidden = !nameOf(card).includes(wanted);
    document.getElementById("no-game").hidden = cards.some((card) => !card.hidden);
  });
}

/** @param {HTMLElement} card */
function nameOf(card) {
  return card.querySelector("h2").textContent.trim().toLowerCase();
}
