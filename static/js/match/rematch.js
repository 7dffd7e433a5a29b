/* A rematch: who asked for it is told, its players go there, watchers are led there. */

import { isolated, make } from "../shared/page.js";

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
  else if (rematch.by === state.you) say("You asked for a rematch. Waiting for the answer…");
  else say(`${isolated(state.seats[rematch.by].name)} would like a rematch.`);
}

function begin(state, isNews) {
  const { url } = state.rematch;
  if (!isNews) {
    say("There was a rematch.", link(url, "See it"));
  } else if (state.you && document.visibilityState === "visible") {
    say("The rematch begins…");
    location.assign(url);
  } else if (state.you) {
    say("The rematch has begun.", link(url, "Play it"));
  } else {
    const timer = setTimeout(() => location.assign(url), LEAD_AFTER);
    const stay = make("button", { type: "button", className: "button", textContent: "Stay here" });
    stay.addEventListener("click", () => {
      clearTimeout(timer);
      say("There is a rematch.", link(url, "Watch it"));
    });
    say("There is a rematch. You will be taken there in a moment.", link(url, "Watch it"), stay);
  }
}

function link(href, textContent) {
  return make("a", { className: "button primary", href, textContent });
}

function say(words, ...more) {
  banner.replaceChildren(make("span", { textContent: words }), ...more);
}
