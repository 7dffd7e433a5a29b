/* The page of a finished match: the result, a new opponent, the analysis, the staff's decisions. The
   rematch is among the commands. */

import { renderMessage } from "../shared/messages.js";
import { make } from "../shared/page.js";
import { becomeGuest, fetchPage, get, post } from "../shared/requests.js";
import { saveNextSetup } from "../shared/tab-seeks.js";
import { isUnrated, ratingChange } from "./state.js";

const POLL_INTERVAL = 1000; // ms between two checks of the analysis' progress
const PLACE = "\ufffc"; // OBJECT REPLACEMENT CHARACTER; no sentence contains it
const JOINT = /^[:：,،、–—\s]+/; // between a result and its reason

const row = document.getElementById("ends");
const unratedNotice = document.getElementById("unrated");
const form = /** @type {HTMLFormElement | null} */ (document.getElementById("analyse"));
const analysis = document.getElementById("analysis");

/**
 * Show how the match ended, with the result and the reason in elements of their own, as the tag
 * `say_end` of the templates does.
 * @param {HTMLElement} line
 * @param {Message} message
 */
export function drawResult(line, message) {
  const sentence = renderMessage(message);
  if (line.textContent === sentence) return;
  let whole = message;
  while (whole.said) whole = whole.said;
  const [before, after] = renderMessage(replaceResult(message, PLACE)).split(PLACE);
  const result = make("strong", {
    className: "result",
    textContent: whole.result ? renderMessage(whole.result) : "",
  });
  if (after === undefined) {
    line.replaceChildren(result.textContent === sentence ? result : sentence);
    return;
  }
  const joint = after.match(JOINT)?.[0] ?? "";
  line.replaceChildren(
    before,
    result,
    make("span", { className: "unseen", textContent: joint }),
    make("span", { className: "reason", textContent: after.slice(joint.length) }),
  );
}

/**
 * @param {Message} message
 * @param {string} result
 * @returns {Message}
 */
function replaceResult(message, result) {
  if (message.said) return { ...message, said: replaceResult(message.said, result) };
  return { ...message, result };
}

/**
 * Show the change of the viewer's rating, which arrives a moment after the end.
 * @param {MatchState} state
 */
export function drawGain({ status, you, seats }) {
  const line = document.getElementById("gain");
  const rating = seats[you]?.rating;
  if (!line || !rating?.after || status === "live" || line.hasChildNodes()) return;
  const change = ratingChange(rating);
  line.append(
    make("span", { dir: "ltr", textContent: rating.before }),
    make("b", {
      className: change.startsWith("+") ? "up" : "down",
      dir: "ltr",
      textContent: change,
    }),
  );
}

/**
 * Create the row of links and buttons below a finished match.
 * @param {HTMLElement} root its data attributes are the match's setup
 */
export function createEndRow(root) {
  const newOpponent = document.getElementById("new-opponent");
  newOpponent?.addEventListener("click", () => saveNextSetup(root.dataset));

  /** @type {MatchState | null} */
  let shown = null;
  let timer = 0;

  /** @param {MatchState} state */
  function draw(state) {
    shown = state;
    row.hidden = state.status === "live";
    if (form) form.hidden = !state.ply;
    document.getElementById("watching").hidden = state.yours.length > 0 || !row.hidden;
    if (!root.dataset.rated || !isUnrated(state)) unratedNotice.hidden = true;
    else if (!timer) timer = setTimeout(showUnratedNotice, Number(unratedNotice.dataset.wait));
  }

  /** The ratings of a match change a moment after it. */
  function showUnratedNotice() {
    unratedNotice.hidden = !isUnrated(shown);
  }

  return { draw };
}

/**
 * Let the viewer request an analysis, wait for it, and show it without loading the page again.
 * @param {string} matchId
 * @param {object} handlers
 * @param {() => void} handlers.onReady called when the analysis is on the page
 * @param {(message: Message) => void} handlers.onRefused
 */
export function bindAnalysis(matchId, { onReady, onRefused }) {
  let timer = 0;

  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    /** @type {HTMLButtonElement} */
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      if (analysis.dataset.state === "none") await request();
      // On a phone it is behind the bar. The board above it stays on the screen.
      (document.getElementById("verdict") ?? analysis).scrollIntoView({ block: "nearest" });
    } catch (error) {
      onRefused(error.cause ?? { code: "connection.none" });
    }
    button.disabled = false;
  });
  startPolling();

  async function request() {
    if (!("player" in document.body.dataset)) await becomeGuest();
    const response = await post(form.action);
    if (response?.status === 409) throw new Error("", { cause: (await response.json()).words });
    if (!response?.ok) throw new Error(String(response.status));
    await refresh();
  }

  /** Replace the analysis and the list of moves, which carries its verdicts. */
  async function refresh() {
    const page = await fetchPage();
    if (!page) return;
    for (const id of ["analysis", "moves"]) {
      const found = page.getElementById(id);
      if (found) document.getElementById(id).replaceChildren(...found.childNodes);
    }
    Object.assign(analysis.dataset, page.getElementById("analysis")?.dataset);
    analysis.hidden = analysis.dataset.state === "none";
    if (analysis.dataset.state === "ready") onReady();
    startPolling();
  }

  function startPolling() {
    clearInterval(timer);
    if (analysis.dataset.state === "waiting") timer = setInterval(poll, POLL_INTERVAL);
  }

  async function poll() {
    const url = `/match/${matchId}/analysis.json`;
    const response = await get(url);
    if (!response) return; // no connection: the next check will show
    const { state, looked, plies } = response.ok ? await response.json() : { state: "none" };
    if (state === "waiting") {
      const progress = { code: "analysis.progress", looked, plies };
      document.getElementById("analysis-progress").textContent = renderMessage(progress);
      return;
    }
    clearInterval(timer);
    await refresh();
  }
}

/**
 * Show the analysis of one position.
 * @param {ReplayFrame} frame
 */
export function showVerdict(frame) {
  const verdict = document.getElementById("verdict");
  if (!verdict) return;
  const start = frame.ply ? "" : renderMessage({ code: "analysis.start" });
  verdict.textContent = frame.verdict ? renderMessage(frame.verdict.words) : start;
  verdict.dataset.kind = frame.verdict?.kind ?? "";
  const marker = document.getElementById("chart-marker");
  const x = String(frame.ply * Number(marker?.dataset.step));
  marker?.setAttribute("x1", x);
  marker?.setAttribute("x2", x);
}

/** Return the elements of the better action in the final position. */
export function betterAtEnd() {
  return JSON.parse(analysis.dataset.better || "[]");
}

/** Show the staff's decisions on this match. */
export async function refreshDecisions() {
  const found = (await fetchPage())?.getElementById("decisions");
  if (found) document.getElementById("decisions").replaceWith(document.importNode(found, true));
}
