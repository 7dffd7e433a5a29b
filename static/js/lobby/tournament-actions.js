/* The forms of a tournament's page. A press is answered at once, and the page stays: the answer of the
   server replaces its parts. Without a connection the forms are disabled. An action whose answer was
   lost is repeated when the connection is back, or refused clearly if that takes too long. The server
   carries out an action once, however often it is sent. */

import { renderMessage } from "../shared/messages.js";
import { csrfToken } from "../shared/requests.js";

const FORMS = 'form[action*="/do/"]';
const PATIENCE = 8000; // ms to wait for an answer
export const REPEAT_WITHIN = 60000; // ms: after a longer interruption the organiser has to look first
const CONFIRMATION_TIME = 6000; // ms for which a confirmation is shown
const RETRY_DELAY = 1500; // ms until the next attempt if the connection seems to be there

let hideTimer = 0;

/**
 * @typedef {object} Action
 * @property {string} url
 * @property {string} body
 * @property {string} label of the button
 * @property {number} at the time of the press, in ms since 1970
 */

/**
 * Return what to do with an action whose answer is missing, now that the connection is back.
 * @param {Action} action
 * @param {number} now in ms since 1970
 * @returns {"repeat" | "refuse"}
 */
export function decideOnReturn(action, now) {
  return now - action.at <= REPEAT_WITHIN && now >= action.at ? "repeat" : "refuse";
}

/**
 * Handle the forms of the page.
 * @param {HTMLElement} page
 * @param {string} name under which an action without an answer is kept when the page is reloaded
 * @param {(fetched: Document) => boolean} showPage replaces the parts of the page; false if the document
 *   is another page
 */
export function handleActions(page, name, showPage) {
  const key = `unanswered-${name}`;
  /** @type {Action | null} */
  let unanswered = readAction();
  let isBusy = false;
  let isSocketOpen = true;
  let retryTimer = 0;

  function isConnected() {
    return navigator.onLine && isSocketOpen;
  }

  document.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!isConnected()) {
      event.preventDefault();
      showNotice({ code: "tournament-action.offline" });
      return;
    }
    if (!page.contains(form) || !form.matches(FORMS)) return;
    event.preventDefault();
    if (isBusy) return;
    const button = /** @type {HTMLButtonElement} */ (
      event.submitter ?? form.querySelector("button")
    );
    const data = new FormData(form, button);
    data.delete("csrfmiddlewaretoken");
    const body = new URLSearchParams(/** @type {any} */ (data)).toString();
    const label = button.textContent.trim();
    showBusy(button, form.dataset.doing);
    perform({ url: form.action, body, label, at: Date.now() });
  });

  // Leaving the page without a connection would show an error page of the browser.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[href]");
    if (isConnected() || !link || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    showNotice({ code: "tournament-action.offline" });
  });

  /**
   * @param {HTMLButtonElement} button
   * @param {string} [doing] what the button says meanwhile
   */
  function showBusy(button, doing) {
    button.dataset.label = button.textContent;
    button.textContent = doing || renderMessage({ code: "tournament-doing.other" });
    button.setAttribute("aria-busy", "true");
    announce(button.textContent);
    isBusy = true;
    update();
  }

  function endBusy() {
    isBusy = false;
    for (const button of page.querySelectorAll("button[aria-busy]")) {
      button.removeAttribute("aria-busy");
      button.textContent = button.dataset.label;
    }
    update();
  }

  /** @param {Action} action */
  async function perform(action) {
    storeAction(action);
    isBusy = true;
    const response = await send(action);
    if (!response || response.status >= 500) {
      showNotice({ code: "tournament-action.waiting", action: action.label });
      endBusy();
      clearTimeout(retryTimer);
      retryTimer = setTimeout(resume, RETRY_DELAY);
      return;
    }
    storeAction(null);
    await showAnswer(action, response);
    endBusy();
  }

  /**
   * @param {Action} action
   * @param {Response} response
   */
  async function showAnswer(action, response) {
    hideNotice();
    if (!response.ok) {
      const isTooOften = response.status === 429;
      const code = isTooOften ? "tournament-action.too-many" : "tournament-action.refused";
      showNotice({ code, action: action.label });
      return;
    }
    const text = await response.text().catch(() => "");
    const fetched = new DOMParser().parseFromString(text, "text/html");
    if (!text) showNotice({ code: "tournament-action.refused", action: action.label });
    else if (showPage(fetched)) showMessages(fetched);
    else location.assign(response.url); // the log-in, for example
  }

  /** The connection is back: repeat the action without an answer, or refuse it. */
  function resume() {
    clearTimeout(retryTimer);
    if (!unanswered || isBusy || !isConnected()) return;
    const action = unanswered;
    if (decideOnReturn(action, Date.now()) === "refuse") {
      storeAction(null);
      showNotice({ code: "tournament-action.too-late", action: action.label });
      return;
    }
    showNotice({ code: "tournament-action.repeating", action: action.label });
    update();
    perform(action);
  }

  /** @param {Action | null} action */
  function storeAction(action) {
    unanswered = action;
    if (action) sessionStorage.setItem(key, JSON.stringify(action));
    else sessionStorage.removeItem(key);
  }

  /** @returns {Action | null} */
  function readAction() {
    const text = sessionStorage.getItem(key);
    return text ? JSON.parse(text) : null;
  }

  /** Enable or disable the buttons of the forms. */
  function update() {
    const isOff = isBusy || !isConnected();
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = page.querySelectorAll(`${FORMS} button`);
    for (const button of buttons) button.disabled = isOff;
    page.toggleAttribute("data-disconnected", !isConnected());
  }

  /** @param {boolean} isOpen whether the socket is open */
  function setConnected(isOpen) {
    isSocketOpen = isOpen;
    updateConnection();
  }

  function updateConnection() {
    update();
    if (!isConnected()) {
      if (!unanswered) showNotice({ code: "tournament-action.offline" });
    } else if (unanswered) resume();
    else if (document.getElementById("action-notice").dataset.isOffline) hideNotice();
  }

  window.addEventListener("online", updateConnection);
  window.addEventListener("offline", updateConnection);
  if (unanswered) resume();
  return { setConnected, update };
}

/**
 * Send an action; null without a connection.
 * @param {Action} action
 * @returns {Promise<Response | null>}
 */
async function send({ url, body }) {
  try {
    return await fetch(url, {
      method: "POST",
      headers: {
        "X-CSRFToken": csrfToken(),
        "Content-Type": "application/x-www-form-urlencoded",
      },
      body,
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    return null;
  }
}

/**
 * Show the messages of the fetched page: the refusal of an action, or its confirmation. The list of notices that the
 * organiser has not marked as read is no answer to the action.
 * @param {Document} fetched
 */
function showMessages(fetched) {
  const found = [...fetched.querySelectorAll(".notices[role=status] .notice")];
  if (!found.length) return;
  showText(found.map((each) => each.textContent).join(" "));
  if (!found.some((each) => each.classList.contains("error"))) {
    hideTimer = setTimeout(hideNotice, CONFIRMATION_TIME);
  }
}

/** @param {Message} message */
function showNotice(message) {
  const notice = showText(renderMessage(message));
  const isOffline = /** @type {string} */ (message.code) === "tournament-action.offline";
  notice.dataset.isOffline = isOffline ? "yes" : "";
}

/** @param {string} text */
function showText(text) {
  clearTimeout(hideTimer);
  const notice = document.getElementById("action-notice");
  notice.dataset.isOffline = "";
  notice.textContent = text;
  notice.hidden = false;
  return notice;
}

function hideNotice() {
  document.getElementById("action-notice").hidden = true;
}

/** @param {string} text */
function announce(text) {
  document.getElementById("announcer").textContent = text;
}
