/* A rematch: who asked for it is told, its players go there, watchers are led there. */

import { renderMessage } from "../shared/messages.js";
import { make } from "../shared/page.js";

const LEAD_AFTER = 5000; // ms that a watcher has to say that they would rather stay

const banner = document.getElementById("rematch-banner");
let first = true; // the first state after loading the page
let shown = "";

export function drawRematch(state) {
  const { rematch } = state;
  const key = rematch ? `${rematch.by} ${rematch.url}` : "";
  const isNews = !first;
  first = false;
  if (key === shown) return;
  shown = key;
  banner.hidden = !rematch;
  if (!rematch) return;
  if (rematch.url) begin(state, isNews);
  else if (rematch.by === state.you) tell({ code: "rematch.asked" });
  else tell({ code: "rematch.offered", name: state.seats[rematch.by].name });
}

function begin(state, isNews) {
  const { url } = state.rematch;
  if (!isNews) {
    tell({ code: "rematch.was" }, link(url, "rematch.see"));
  } else if (state.yours.length && document.visibilityState === "visible") {
    tell({ code: "rematch.begins" });
    location.assign(url);
  } else if (state.yours.length) {
    tell({ code: "rematch.begun" }, link(url, "rematch.play"));
  } else {
    const timer = setTimeout(() => location.assign(url), LEAD_AFTER);
    const stay = make("button", {
      type: "button",
      className: "button",
      textContent: renderMessage({ code: "rematch.stay" }),
    });
    stay.addEventListener("click", () => {
      clearTimeout(timer);
      tell({ code: "rematch.there" }, link(url, "rematch.watch"));
    });
    tell({ code: "rematch.taken" }, link(url, "rematch.watch"), stay);
  }
}

function link(href, code) {
  return make("a", { className: "button primary", href, textContent: renderMessage({ code }) });
}

function tell(words, ...more) {
  banner.replaceChildren(make("span", { textContent: renderMessage(words) }), ...more);
}
