/* The two seats: who sits there, who is here, who is to move, what was gained. */

import { renderMessage } from "../shared/messages.js";

export function drawSeats(root, state) {
  if (state.yours.length > 1 && state.turn) turn(root, state.turn);
  for (const seat of root.querySelectorAll("[data-seat]")) {
    const role = seat.dataset.seat;
    const { name, here, mark, score, rating } = state.seats[role];
    const moves = state.turn === role;
    seat.dataset.here = String(here);
    seat.dataset.moves = String(moves);
    seat.dataset.won = String(state.verdict?.winner === role);
    const presence = { code: here ? "seat.here" : "seat.away" };
    const label = moves ? "seat.label-to-move" : "seat.label";
    seat.setAttribute("aria-label", renderMessage({ code: label, name, presence }));
    seat.querySelector(".mark").dataset.mark = mark;
    const link = seat.querySelector(".name");
    link.textContent = name;
    const anchor = link.closest("a"); // none at a hidden player
    if (anchor) anchor.href = `/player/${encodeURIComponent(name)}/`;
    seat.querySelector(".presence").textContent = renderMessage(presence);
    const strength = seat.querySelector(".rating");
    strength.hidden = !rating;
    strength.textContent = rating ? ratingWords(rating) : "";
    const shown = state.scores?.[role] ?? score;
    const gained = seat.querySelector(".score");
    gained.hidden = shown === null;
    gained.textContent = shown === null ? "" : shown;
  }
}

/* "1512", and once the match was rated "1512 → 1524". */
function ratingWords({ before, after }) {
  return after === null ? before : renderMessage({ code: "rating.change", before, after });
}

/* At one screen the board turns: who is to move sits at the near side. */
function turn(root, role) {
  for (const seat of root.querySelectorAll("[data-seat]")) {
    seat.classList.toggle("near", seat.dataset.seat === role);
    seat.classList.toggle("far", seat.dataset.seat !== role);
  }
}
