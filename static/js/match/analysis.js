/* The analysis of a match that is over: asked for beside the board, waited for, and shown for each
   position, all without loading the page again. */

import { becomeGuest, token } from "../shared/guest.js";
import { renderMessage } from "../shared/messages.js";
import { fresh } from "../shared/page.js";

const EVERY = 1000; // ms between two looks at how far it has come

const form = document.getElementById("analyse");
let timer = 0;

/* `onReady()` once the analysis and its list of moves stand on the page; `onRefused(words)`. */
export function makeAnalysis(matchId, { onReady, onRefused }) {
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      await ask();
    } catch (error) {
      button.disabled = false;
      onRefused(error.cause ?? { code: "connection.none" });
    }
  });
  wait();

  async function ask() {
    if (!document.getElementById("whoami").hasChildNodes()) await becomeGuest();
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { "X-CSRFToken": token(), Accept: "application/json" },
    });
    if (answer.status === 409) throw new Error("", { cause: (await answer.json()).words });
    if (!answer.ok) throw new Error(String(answer.status));
    await refresh();
  }

  /* Take the newest analysis, and the moves with their verdicts, from the server's page. */
  async function refresh() {
    const page = await fresh();
    if (!page) return;
    for (const id of ["analysis", "moves"]) {
      const found = page.getElementById(id);
      if (found) document.getElementById(id).replaceChildren(...found.childNodes);
      if (found && id === "analysis") Object.assign(panel().dataset, found.dataset);
    }
    panel().hidden = panel().dataset.state === "none";
    form.hidden = !panel().hidden;
    if (panel().dataset.state === "ready") onReady();
    wait();
  }

  function wait() {
    clearInterval(timer);
    if (panel().dataset.state === "waiting") timer = setInterval(look, EVERY);
  }

  async function look() {
    const answer = await fetch(`/match/${matchId}/analysis.json`, { cache: "no-store" }).catch(
      () => null,
    );
    if (!answer) return; // no connection: the next look will tell
    const found = answer.ok ? await answer.json() : { state: "none" };
    if (found.state === "waiting") {
      const progress = { code: "analysis.progress", looked: found.looked, plies: found.plies };
      document.getElementById("analysis-progress").textContent = renderMessage(progress);
      return;
    }
    clearInterval(timer);
    await refresh();
  }
}

/* Only what was played can be analysed. */
export function offerAnalysis(state) {
  if (form) form.hidden = !state.ply || panel().dataset.state !== "none";
}

export function showVerdict(frame) {
  const verdict = document.getElementById("verdict");
  if (!verdict) return;
  const marker = document.getElementById("chart-marker");
  const none = frame.ply ? "" : renderMessage({ code: "analysis.start" });
  verdict.textContent = frame.verdict ? renderMessage(frame.verdict.words) : none;
  verdict.dataset.kind = frame.verdict?.kind ?? "";
  const x = String(frame.ply * Number(marker?.dataset.step));
  marker?.setAttribute("x1", x);
  marker?.setAttribute("x2", x);
}

/* The elements of the better action, where the last move of all is the one that is shown. */
export function verdictAtEnd() {
  return JSON.parse(panel().dataset.better || "[]");
}

function panel() {
  return document.getElementById("analysis");
}
