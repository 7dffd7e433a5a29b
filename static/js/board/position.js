/* A position of no match: played on by anybody for both sides. The server says what is allowed and
   makes each next page; of that the position is taken over, so nothing is loaded twice. */

import { token } from "../shared/guest.js";
import { renderMessage } from "../shared/messages.js";
import { data } from "../shared/page.js";
import { mount } from "./board.js";

const EVERY = 700; // ms between two questions whether the computer is ready

let timer = 0;

function start(focus = -1) {
  const article = document.getElementById("position");
  const svg = article.querySelector(".board");
  const state = data("state");
  mount(svg, { onAction: play, onPick() {} }).draw(state);
  for (const button of article.querySelectorAll("#choices [data-action]")) {
    button.hidden = !state.buttons.includes(button.dataset.action);
    button.addEventListener("click", () => play(button.dataset.action));
  }
  document.getElementById("ask")?.addEventListener("submit", ask);
  clearInterval(timer);
  if (article.dataset.look === "waiting") timer = setInterval(wait, EVERY);
  svg.querySelectorAll(".element")[focus]?.focus();
}

async function play(action) {
  const { address } = document.getElementById("position").dataset;
  await go(`${address}?play=${encodeURIComponent(action)}`, true);
}

/* Take over the position of that page. */
async function go(address, isNew) {
  const svg = document.querySelector("#position .board");
  const focus = [...svg.querySelectorAll(".element")].indexOf(document.activeElement);
  try {
    const answer = await fetch(address, { cache: "no-store" });
    if (!answer.ok) return tell({ code: "refused.illegal-action" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.getElementById("position");
    document.getElementById("position").replaceWith(document.adoptNode(found));
    if (isNew) history.pushState(null, "", answer.url);
    start(focus);
  } catch {
    tell({ code: "connection.none" });
  }
}

async function ask(event) {
  event.preventDefault();
  const form = event.currentTarget;
  form.querySelector("button").disabled = true;
  const answer = await fetch(form.action, {
    method: "POST",
    body: new URLSearchParams(new FormData(form)),
    headers: { "X-CSRFToken": token(), Accept: "application/json" },
  }).catch(() => null);
  if (answer?.status === 202) return go(location.href, false);
  form.querySelector("button").disabled = false;
  tell({ code: answer?.status === 429 ? "refused.too-fast" : "connection.none" });
}

async function wait() {
  const { lookAt, game, notation } = document.getElementById("position").dataset;
  const answer = await fetch(`${lookAt}?${new URLSearchParams({ game, notation })}`).catch(
    () => null,
  );
  if (!answer?.ok || (await answer.json()).state === "waiting") return;
  clearInterval(timer);
  await go(location.href, false);
}

function tell(words) {
  const error = document.getElementById("error");
  error.textContent = renderMessage(words);
  error.hidden = false;
}

window.addEventListener("popstate", () => go(location.href, false));
start();
