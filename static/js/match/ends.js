/* What one does after the end: a new opponent, the analysis, the lobby. The rematch is a command,
   and stands with the commands. */

import { keepAgain } from "../shared/asked.js";
import { offerAnalysis } from "./analysis.js";

const row = document.getElementById("ends");
const unrated = document.getElementById("unrated");

/* Gives `draw(state)`. `root` carries the setup of the match. */
export function makeEnds(root) {
  document.getElementById("new-opponent")?.addEventListener("click", () => keepAgain(root.dataset));

  let shown = null;
  let waiting = 0;

  function draw(state) {
    shown = state;
    row.hidden = state.status === "live";
    offerAnalysis(state);
    document.getElementById("watching").hidden = state.yours.length > 0 || !row.hidden;
    if (isUnrated()) waiting = waiting || setTimeout(tellUnrated, unrated.dataset.wait);
    else unrated.hidden = true;
  }

  /* It is over, was to be rated, and no rating is new, so far. */
  function isUnrated() {
    return (
      root.dataset.rated &&
      shown.status === "over" &&
      !Object.values(shown.seats).some((seat) => seat.rating?.after)
    );
  }

  function tellUnrated() {
    unrated.hidden = !isUnrated();
  }

  return { draw };
}
