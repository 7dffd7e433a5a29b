/* The folded panels beside the board (preset phrases, how to play, the menu), passing news, and the
   sheet for sharing. */

import { renderMessage } from "../shared/messages.js";
import { closest } from "../shared/page.js";
import { prefers } from "../shared/preferences.js";

const OPEN_PANEL = "#extras > details[open]";
const PHRASE_TIME = 6000; // ms for which a phrase or a note is shown

const phrases = /** @type {HTMLDetailsElement} */ (document.getElementById("phrases"));
const spoken = document.getElementById("phrase");
const note = document.getElementById("note");
/** @type {Map<HTMLElement, number>} the timer of each line that is shown for a moment */
const timers = new Map();

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
  showBriefly(
    spoken,
    isMine
      ? { code: "speech.mine", words: frame.words }
      : { code: "speech.theirs", name: state.seats[frame.role].name, words: frame.words },
  );
}

/**
 * Show news above the status for a moment. Screen readers have them from the announcer.
 * @param {Message} message
 */
export function showNote(message) {
  showBriefly(note, message);
}

/**
 * @param {HTMLElement} line
 * @param {Message} message
 */
function showBriefly(line, message) {
  line.textContent = renderMessage(message);
  clearTimeout(timers.get(line));
  const clear = () => line.replaceChildren();
  timers.set(line, setTimeout(clear, PHRASE_TIME));
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

// -- the sheet for sharing

const copyStatus = document.getElementById("share-status");
const nativeShare = document.getElementById("share-native");

document.getElementById("share").addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement | null} */ (closest(event, "[data-copy]"));
  if (!button) return;
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy));
  field.select();
  const code = await navigator.clipboard.writeText(field.value).then(
    () => "invitation.copied",
    () => "invitation.selected",
  );
  copyStatus.textContent = renderMessage({ code });
});
if (nativeShare && "share" in navigator) {
  nativeShare.hidden = false;
  nativeShare.addEventListener("click", () => {
    const { href: url } = new URL(location.pathname, location.href);
    // Rejected if the visitor closes the system's own sheet.
    navigator.share({ title: nativeShare.dataset.title, url }).catch(() => {});
  });
}
