/* The buttons beside the board, such as resign and rematch, and the confirmation of a move. The server
   says which buttons there are. */

import { renderMessage } from "../shared/messages.js";
import { make, makeIcon, makeMark } from "../shared/page.js";
import { rematchMessage } from "./state.js";

const WATCHER_DELAY = 5000; // ms after which a watcher is taken to the rematch, unless they stay
const LOCK_TIME = 600; // ms after an answer during which a second tap there does nothing
const NEED_CONFIRMATION = new Set(["resign", "abort"]);

/** @type {Record<string, string>} the icons of commands with a place among the tools */
const TOOLS = { rematch: "again", resign: "flag", "offer-draw": "draw", abort: "cancel" };

/** @type {Record<string, string>} the sentences of labels that are shorter than the names */
const SHORT_LABELS = {
  "do.abort": "do.abort.short",
  "do.accept-draw": "do.accept-draw.short",
  "do.offer-draw": "do.offer-draw.short",
  "do.rematch.accept": "do.rematch.accept.short",
};

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
 * Show the buttons of a state: decisions as wide buttons before the tools.
 * @param {MatchState} state
 * @param {(type: string) => void} send
 */
export function drawCommands(state, send) {
  const opponent = state.rematch?.by;
  const types = [...state.can];
  types.sort((one, other) => Number(one in TOOLS) - Number(other in TOOLS));
  const key = [...types, opponent].join(" ");
  if (key === shownCommands) return;
  shownCommands = key;
  stage.querySelector(".asked")?.remove();
  const buttons = types.map((type) => {
    const isAnswer = type === "rematch" && opponent && opponent !== state.you;
    const code = isAnswer ? "do.rematch.accept" : `do.${type}`;
    const button = type in TOOLS ? makeTool(code, type) : makeButton(code, "button decision");
    if (type === "rematch") {
      button.classList.add("main", "primary");
      button.toggleAttribute("disabled", opponent === state.you);
    }
    if (type === "accept-draw") button.classList.add("primary");
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
 * Make a button with an icon and a short label.
 * @param {string} code
 * @param {string} type
 */
function makeTool(code, type) {
  const button = makeButton(code, "tool");
  const label = make("span", {}, ...button.childNodes);
  button.append(makeIcon(TOOLS[type]), label);
  return button;
}

/**
 * Ask in the place of the buttons, instead of with a dialog that covers the board.
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
    { className: "confirm asked", role: "group", "aria-label": question },
    make("span", { textContent: question }),
    yes,
    no,
  );
  const cancel = () => {
    row.remove();
    button.focus();
  };
  yes.addEventListener("click", () => {
    row.remove();
    lock();
    send(type);
  });
  no.addEventListener("click", cancel);
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
  });
  stage.append(row);
  yes.focus();
}

/** Ignore taps for a moment, because the answer to a question was where a button is now. */
function lock() {
  stage.classList.add("quiet-now");
  setTimeout(() => stage.classList.remove("quiet-now"), LOCK_TIME);
}

/**
 * Show who asked for a rematch, and lead to it once both want it.
 * @param {MatchState} state
 */
export function drawRematch(state) {
  const { rematch } = state;
  const message = rematch && rematchMessage(state);
  const key = rematch ? `${message.code} ${rematch.url}` : "";
  const isFirst = shownRematch === null;
  if (key === (shownRematch ?? "")) {
    shownRematch = key;
    return;
  }
  shownRematch = key;
  banner.hidden = !rematch;
  if (!rematch) return;
  if (rematch.url) leadToRematch(state, isFirst);
  else showBanner(message);
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
  return make("button", {
    type: "button",
    className,
    textContent: renderMessage({ code: SHORT_LABELS[code] ?? code }),
    "aria-label": renderMessage({ code }),
  });
}

/**
 * @param {string} href
 * @param {string} code
 */
function makeLink(href, code) {
  return make("a", { className: "button", href, textContent: renderMessage({ code }) });
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
    lock();
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
