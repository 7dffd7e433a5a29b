/* What is said about the state: under the board, in the title, and to a screen reader. */

const announcer = document.getElementById("announcer");

export function statusOf(state, sent) {
  if (state.status !== "live") return state.verdict;
  if (sent) return "Sending your move…";
  const isMine = state.turn === state.you;
  const who = isMine ? "Your turn" : `${state.seats[state.turn].name} is to move`;
  const what = state.prompt && (isMine || !state.you) ? `${who}. ${state.prompt}.` : who;
  if (state.draw === null) return what;
  const offer = state.draw === state.you
    ? "You offer a draw."
    : `${state.seats[state.draw].name} offers a draw.`;
  return `${what}${what.endsWith(".") ? "" : "."} ${offer}`;
}

export function titleOf(state, base) {
  if (state.status === "live" && state.you !== null && state.turn === state.you) {
    return `▶ Your turn · ${base}`;
  }
  return base;
}

/* Tell what has just been played. */
export function announce(before, state) {
  const who = before.turn === state.you ? "You" : state.seats[before.turn]?.name ?? "";
  const then = state.status !== "live" ? state.verdict : state.turn === state.you ? "Your turn." : "";
  announcer.textContent = `${who}: ${state.said}. ${then}`.trim();
}
