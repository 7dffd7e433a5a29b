/* Preset phrases between the players, and the other's, unless they are muted. */

import { isolated } from "../shared/page.js";
import { prefers } from "./preferences.js";

const SHOWN = 6000; // ms

const panel = document.getElementById("phrases");
const line = document.getElementById("phrase");
let timer = 0;

export function makePhrases(send) {
  panel.addEventListener("click", (event) => {
    const button = event.target.closest("[data-phrase]");
    if (!button) return;
    send({ type: "phrase", phrase: button.dataset.phrase });
    panel.removeAttribute("open");
    panel.querySelector("summary").focus();
  });
}

export function showPhrase(frame, state) {
  if (frame.role !== state.you && !prefers("phrases")) return;
  const who = frame.role === state.you ? "You" : isolated(state.seats[frame.role].name);
  line.textContent = `${who}: ${frame.words}`;
  clearTimeout(timer);
  timer = setTimeout(() => (line.textContent = ""), SHOWN);
}

export function drawPhrases(state) {
  panel.hidden = state.you === null;
}
