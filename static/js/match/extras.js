/* The folded panels beside the board: preset phrases, how to play, the menu. */

import { renderMessage } from "../shared/messages.js";
import { closest } from "../shared/page.js";
import { prefers } from "../shared/preferences.js";

const OPEN_PANEL = "#extras > details[open]";
const PHRASE_TIME = 6000; // ms for which a phrase is shown

const phrases = /** @type {HTMLDetailsElement} */ (document.getElementById("phrases"));
const spoken = document.getElementById("phrase");
let timer = 0;

/** @param {(message: object) => void} send */
export function bindPhrases(send) {
  phrases.addEventListener("click", (event) => {
    const button = closest(event, "[data-phrase]");
    if (!button) return;
    send({ type: "phrase", phrase: button.dataset.phrase });
    closePanel(phrases);
  });
}

/**
 * Show a phrase, unless the viewer has muted the other player.
 * @param {{role: string, words: Message}} frame
 * @param {MatchState} state
 */
export function showPhrase(frame, state) {
  const isMine = frame.role === state.you;
  if (!isMine && !prefers("phrases")) return;
  spoken.textContent = renderMessage(
    isMine
      ? { code: "speech.mine", words: frame.words }
      : { code: "speech.theirs", name: state.seats[frame.role].name, words: frame.words },
  );
  clearTimeout(timer);
  timer = setTimeout(() => {
    spoken.textContent = "";
  }, PHRASE_TIME);
}

/**
 * Offer phrases to players. On a shared screen they can talk to each other.
 * @param {MatchState} state
 */
export function drawPhrases(state) {
  phrases.hidden = state.yours.length !== 1;
}

/** @param {HTMLDetailsElement} panel */
function closePanel(panel) {
  panel.open = false;
  panel.querySelector("summary").focus();
}

// One panel is open at a time; a click elsewhere or Escape closes it.
document.addEventListener("click", (event) => {
  const kept = closest(event, "#extras > details");
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const panels = document.querySelectorAll(OPEN_PANEL);
  for (const panel of panels) if (panel !== kept) panel.open = false;
});
document.getElementById("extras").addEventListener("keydown", (event) => {
  const panel = /** @type {HTMLDetailsElement} */ (closest(event, OPEN_PANEL));
  if (event.key === "Escape" && panel) closePanel(panel);
});
