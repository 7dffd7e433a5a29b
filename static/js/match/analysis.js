/* Where a match that is over was won and lost: waits until it was looked through, then tells for
   each position that is shown what its last move kept or lost. */

import { say } from "../shared/words.js";

const EVERY = 1000; // ms between two looks at how far it has come

const panel = document.getElementById("analysis");
const progress = document.getElementById("analysis-progress");
const verdict = document.getElementById("verdict");
const marker = document.getElementById("chart-marker");

export function waitForAnalysis(matchId) {
  if (panel?.dataset.state !== "waiting") return;
  const timer = setInterval(async () => {
    const answer = await fetch(`/match/${matchId}/analysis.json`, { cache: "no-store" })
      .catch(() => null);
    if (!answer) return; // no connection: the next look will tell
    const found = answer.ok ? await answer.json() : { state: "none" };
    if (found.state === "waiting") {
      progress.textContent = say({ code: "analysis.progress", looked: found.looked,
        plies: found.plies });
      return;
    }
    clearInterval(timer);
    location.reload();
  }, EVERY);
}

export function showVerdict(frame) {
  if (!verdict) return;
  const none = frame.ply ? "" : say({ code: "analysis.start" });
  verdict.textContent = frame.verdict ? say(frame.verdict.words) : none;
  verdict.dataset.kind = frame.verdict?.kind ?? "";
  const x = String(frame.ply * Number(marker?.dataset.step));
  marker?.setAttribute("x1", x);
  marker?.setAttribute("x2", x);
}

/* The elements of the better action, where the last move of all is the one that is shown. */
export function verdictAtEnd() {
  return JSON.parse(panel?.dataset.better || "[]");
}
