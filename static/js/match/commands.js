/* The buttons beside the board, such as resign and rematch, and the confirmation of a move. The server
   says which buttons there are. */

import { renderMessage } from "../shared/messages.js";
import { make, makeMark } from "../shared/page.js";

const WATCHER_DELAY = 5000; // ms after which a watcher is taken to the rematch, unless they stay
const LOCK_TIME = 600; // ms after an answer during which a second tap there does nothing
const NEED_CONFIRMATION = new Set(["resign", "abort"]);

const panel = document.getElementById("commands");
const banner = document.getElementById("rematch-banner");
const confirmPanel = document.getElementById("confirm-action");
const stage = document.getElementById("stage");
const confirmWords = document.getElementById("confirm-words");

/** @type {string | null} */
let shownCommands = null; // the key of the buttons shown; null draws them again
/** @type {string | null} null before the first state */
let shownRematch = null;

/**
 * Show the buttons of a state.
 * @param {MatchState} state
 * @param {(type: string) => void} send
 */
export function drawCommands(state, send) {
  const opponent = state.rematch?.by;
  const types = state.can.filter((type) => type !== "rematch" || opponent !== state.you);
  const key = [...types, opponent].join(" ");
  if (key === shownCommands) return;
  shownCommands = key;
  const buttons = types.map((type) => {
    const isAnswer = type === "rematch" && opponent;
    const isPrimary = type === "accept-draw" || type === "rematch";
    const button = makeButton(
      isAnswer ? "do.rematch.accept" : `do.${type}`,
      isPrimary ? "button primary" : "button",
    );
    button.dataset.command = type;
    button.addEventListener("click", () => {
      if (NEED_CONFIRMATION.has(type)) confirm(type, button, send);
      else send(type);
    });
    return button;
  });
  panel.replaceChildren(...buttons);
}

/**
 * Ask beside the board, instead of with a dialog that covers it.
 * @param {string} type
 * @param {HTMLElement} button
 * @param {(type: string) => void} send
 */
function confirm(type, button, send) {
  const question = renderMessage({ code: `do.${type}.ask` });
  const yes = makeButton("do.yes", "button danger");
  yes.dataset.confirm = type;
  const no = makeButton("do.no", "button");
  const row = make(
    "div",
    { className: "confirm", role: "group", "aria-label": question },
    make("span", { textContent: question }),
    yes,
    no,
  );
  const cancel = () => {
    row.replaceWith(button);
    button.focus();
  };
  yes.addEventListener("click", () => {
    row.remove();
    shownCommands = null; // not "": that is the key of no buttons at all
    send(type);
  });
  no.addEventListener("click", cancel);
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
  });
  button.replaceWith(row);
  yes.focus();
}

/**
 * Show who asked for a rematch, and lead to it once both want it.
 * @param {MatchState} state
 */
export function drawRematch(state) {
  const { rematch } = state;
  const key = rematch ? `${rematch.by} ${rematch.url}` : "";
  const isFirst = shownRematch === null;
  if (key === (shownRematch ?? "")) {
    shownRematch = key;
    return;
  }
  shownRematch = key;
  banner.hidden = !rematch;
  if (!rematch) return;
  if (rematch.url) leadToRematch(state, isFirst);
  else if (rematch.by === state.you) showBanner({ code: "rematch.asked" });
  else showBanner({ code: "rematch.offered", name: state.seats[rematch.by].name });
}

/**
 * @param {MatchState} state
 * @param {boolean} isOld whether it existed when the page was loaded
 */
function leadToRematch(state, isOld) {
  const { url } = state.rematch;
  const isPlayer = state.yours.length > 0;
  if (isOld) showBanner({ code: "rematch.was" }, makeLink(url, "rematch.see"));
  else if (!isPlayer) offerToWatch(url);
  else if (document.visibilityState === "visible") {
    showBanner({ code: "rematch.begins" });
    location.assign(url);
  } else showBanner({ code: "rematch.begun" }, makeLink(url, "rematch.play"));
}

/** @param {string} url */
function offerToWatch(url) {
  const timer = setTimeout(() => location.assign(url), WATCHER_DELAY);
  const stay = makeButton("rematch.stay", "button");
  stay.addEventListener("click", () => {
    clearTimeout(timer);
    showBanner({ code: "rematch.there" }, makeLink(url, "rematch.watch"));
  });
  showBanner({ code: "rematch.taken" }, makeLink(url, "rematch.watch"), stay);
}

/**
 * @param {Message} message
 * @param {...HTMLElement} actions
 */
function showBanner(message, ...actions) {
  banner.replaceChildren(make("span", { textContent: renderMessage(message) }), ...actions);
}

/**
 * @param {string} code
 * @param {string} className
 */
function makeButton(code, className) {
  return make("button", { type: "button", className, textContent: renderMessage({ code }) });
}

/**
 * @param {string} href
 * @param {string} code
 */
function makeLink(href, code) {
  return make("a", { className: "button primary", href, textContent: renderMessage({ code }) });
}

/**
 * Create the confirmation of a move before it is sent: a preference, on by default on touch screens.
 * @param {object} handlers
 * @param {(action: string) => void} handlers.onYes
 * @param {() => void} handlers.onNo
 */
export function createConfirmation({ onYes, onNo }) {
  /** @type {string | null} */
  let pending = null;

  /**
   * Ask about an action. Choosing the same action again confirms it.
   * @param {string} action
   * @param {{text: string, mark: string}} question `mark` is what the action draws
   */
  function ask(action, question) {
    if (pending === action) {
      accept();
      return;
    }
    pending = action;
    confirmWords.replaceChildren(makeMark(question.mark), question.text);
    confirmPanel.hidden = false;
  }

  function accept() {
    const action = pending;
    clear();
    stage.classList.add("quiet-now");
    setTimeout(() => stage.classList.remove("quiet-now"), LOCK_TIME);
    if (action) onYes(action);
  }

  function clear() {
    pending = null;
    confirmPanel.hidden = true;
  }

  document.getElementById("confirm-yes").addEventListener("click", accept);
  document.getElementById("confirm-no").addEventListener("click", () => {
    clear();
    onNo();
  });
  return { ask, clear, pending: () => pending };
}
