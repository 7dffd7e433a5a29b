/* What one does after the end: a new opponent, the analysis, the lobby. The rematch is a command,
   and stands with the commands. */

import { keepAgain } from "../shared/asked.js";
import { offerAnalysis } from "./analysis.js";

const row = document.getElementById("ends");

/* Gives `draw(state)`. `root` carries the setup of the match. */
export function makeEnds(root) {
  document.getElementById("new-opponent")?.addEventListener("click", () => keepAgain(root.dataset));

  function draw(state) {
    row.hidden = state.status === "live";
    offerAnalysis(state);
    document.getElementById("watching").hidden = state.yours.length > 0 || !row.hidden;
  }

  return { draw };
}
