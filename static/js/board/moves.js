/* The list of moves: grows with the match, and is fetched anew where something was missed. */

import { renderMessage } from "../shared/messages.js";
import { make, makeMark } from "../shared/page.js";

const list = document.getElementById("moves");
const none = document.getElementById("no-moves");

/* What each position of the match looked like, from the server. */
export async function fetchFrames(matchId) {
  const answer = await fetch(`/match/${matchId}/replay.json`, { cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).frames;
}

export function count() {
  return list.children.length;
}

export function append({ ply, mark, said, short }) {
  const words = make("span", {
    className: short ? "unseen" : "",
    textContent: renderMessage(said),
  });
  const place = short
    ? [make("span", { className: "place", "aria-hidden": "true", textContent: short })]
    : [];
  const link = make(
    "a",
    { className: "move", href: `?ply=${ply}` },
    make("span", { className: "number", textContent: `${ply}.` }),
    makeMark(mark),
    ...place,
    words,
  );
  list.append(make("li", { "data-ply": ply }, link));
  none.hidden = true;
}

export function replace(frames) {
  list.replaceChildren();
  frames.slice(1).forEach(append);
}

/* Mark the move that the board shows. */
export function showCurrent(ply) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = list.querySelector(`[data-ply="${ply}"]`);
  item?.firstElementChild.setAttribute("aria-current", "step");
  const top = item ? item.offsetTop - list.offsetTop : 0;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 32) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}
