/* What is said about the state: under the board, in the title, and to a screen reader. */

import { isolated } from "../shared/page.js";

const announcer = document.getElementById("announcer");

export function statusOf(state, sent) {
  if (state.status !== "live") return state.verdict;
  if (sent) return "Sending your move…";
  const isMine = state.turn === state.you;
  const who = isMine ? "Your turn" : `${nameIn(state, state.turn)} is to move`;
  const what = state.prompt && (isMine || !state.you) ? `${who}. ${state.prompt}.` : who;
  if (state.draw === null) return what;
  return `${what}${what.endsWith(".") ? "" : "."} ${offerOf(state)}`;
}

function offerOf(state) {
  return state.draw === state.you
    ? "You offer a draw."
    : `${nameIn(state, state.draw)} offers a draw.`;
}

function nameIn(state, role) {
  return isolated(state.seats[role].name);
}

export function titleOf(state, base) {
  if (state.status === "live" && state.you !== null && state.turn === state.you) {
    return `▶ Your turn · ${base}`;
  }
  return base;
}

/* Tell what is new since the state before: what was played, a draw offered or declined, the end. */
export function announce(before, state) {
  const news = [];
  if (state.ply > before.ply) {
    const who = before.turn === state.you ? "You" : before.turn ? nameIn(state, before.turn) : "";
    news.push(`${who}: ${state.said}.`);
  }
  if (state.status !== "live") {
    if (state.ply > before.ply || before.status === "live") news.push(state.verdict);
  } else {
    if (state.draw !== before.draw) news.push(state.draw ? offerOf(state) : refusalOf(before, state));
    if (state.ply > before.ply && state.turn === state.you) news.push("Your turn.");
  }
  if (news.length) announcer.textContent = news.join(" ");
}

/* Whoever was offered the draw has declined it, or played on. */
function refusalOf(before, state) {
  const by = Object.keys(state.seats).find((role) => role !== before.draw);
  return by === state.you ? "You decline the draw." : `${nameIn(state, by)} declines the draw.`;
}
