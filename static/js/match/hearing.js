/* Which sound belongs to a change of the state. */

import { play } from "../shared/sound.js";

/* On loading the page: a match that one plays begins. */
export function hearStart(state) {
  if (state.you && state.status === "live" && state.ply === 0) play("start");
}

/* The end is heard alone; a watcher hears a win as such, whoever has won. */
export function hear(before, state) {
  if (state.status !== "live") {
    if (before.status === "live") play(endOf(state));
  } else if (state.ply > before.ply) play(before.turn === before.you ? "move" : "theirs");
}

function endOf({ verdict, you }) {
  if (!verdict?.winner) return "drawn";
  return you === null || you === verdict.winner ? "won" : "lost";
}
