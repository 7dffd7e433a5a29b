/* Preset phrases between the players, and the other's, unless they are muted. */

import { renderMessage } from "../shared/messages.js";
import { prefers } from "../shared/preferences.js";

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
  line.textContent = renderMessage(
    frame.role === state.you
      ? { code: "speech.mine", words: frame.words }
      : { code: "speech.theirs", name: state.seats[frame.role].name, words: frame.words },
  );
  clearTimeout(timer);
  timer = setTimeout(() => (line.textContent = ""), SHOWN);
}

export function drawPhrases(state) {
  panel.hidden = state.yours.length !== 1; // who sits beside hears me
}
