/* A position outside any match, which a visitor can play on for both sides. The server knows the
   rules and renders the page of each next position; its article replaces that of this page. */

import "../shared/dialog.js";
import "../shared/notifications.js";
import "../shared/offline.js";
import { renderMessage } from "../shared/messages.js";
import { readData } from "../shared/page.js";
import { get, post } from "../shared/requests.js";
import { mountBoard } from "./board.js";

const POLL_INTERVAL = 700; // ms between two checks whether the analysis is ready

let timer = 0;

/** @param {number} [focus] the index of the element to focus */
function start(focus = -1) {
  const article = document.getElementById("position");
  const svg = article.querySelector(".board");
  const state = readData("state");
  const board = mountBoard(svg, { onAction: play, onPick: showButtons });
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = article.querySelectorAll("#choices [data-action]");
  for (const button of buttons) {
    button.addEventListener("click", () => play(button.dataset.action));
  }

  function showButtons() {
    const actions = [...state.buttons, ...board.choices()];
    for (const button of buttons) button.hidden = !actions.includes(button.dataset.action);
  }

  board.draw(state);
  showButtons();
  document.getElementById("ask")?.addEventListener("submit", requestAnalysis);
  clearInterval(timer);
  if (article.dataset.look === "waiting") timer = setInterval(pollAnalysis, POLL_INTERVAL);
  svg.querySelectorAll(".element")[focus]?.focus();
}

/** @param {string} action */
async function play(action) {
  const { address } = document.getElementById("position").dataset;
  await load(`${address}?play=${encodeURIComponent(action)}`, true);
}

/**
 * Load the position of another page into this one.
 * @param {string} address
 * @param {boolean} isNew whether it becomes an entry of the history
 */
async function load(address, isNew) {
  const elements = [...document.querySelectorAll("#position .board .element")];
  const focus = elements.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  try {
    const response = await fetch(address, { cache: "no-store" });
    if (!response.ok) {
      showError({ code: "refused.illegal-action" });
      return;
    }
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const article = document.adoptNode(page.getElementById("position"));
    document.getElementById("position").replaceWith(article);
    if (isNew) history.pushState(null, "", response.url);
    start(focus);
  } catch {
    showError({ code: "connection.none" });
  }
}

/** @param {SubmitEvent} event */
async function requestAnalysis(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.currentTarget);
  /** @type {HTMLButtonElement} */
  const button = form.querySelector("button");
  button.disabled = true;
  const response = await post(form.action, new FormData(form));
  if (response?.status === 202) {
    await load(location.href, false);
    return;
  }
  button.disabled = false;
  showError({ code: response?.status === 429 ? "refused.too-fast" : "connection.none" });
}

async function pollAnalysis() {
  const { lookAt, game, notation } = document.getElementById("position").dataset;
  const query = new URLSearchParams({ game, notation });
  const response = await get(`${lookAt}?${query}`);
  if (!response?.ok || (await response.json()).state === "waiting") return;
  clearInterval(timer);
  await load(location.href, false);
}

/** @param {Message} message */
function showError(message) {
  const error = document.getElementById("error");
  error.textContent = renderMessage(message);
  error.hidden = false;
}

window.addEventListener("popstate", () => load(location.href, false));
start();
