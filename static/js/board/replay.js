/* Stepping through a finished match: buttons, keys, a slider, and the list of moves. */

import { renderMessage } from "../shared/messages.js";
import { closest, make, makeMark } from "../shared/page.js";
import { get } from "../shared/requests.js";

const panel = document.getElementById("replay");
const slider = /** @type {HTMLInputElement} */ (document.getElementById("slider"));
const list = document.getElementById("moves");
const emptyNotice = document.getElementById("no-moves");

/**
 * Fetch every position of a match.
 * @param {string} matchId
 * @returns {Promise<ReplayFrame[]>}
 */
export async function fetchFrames(matchId) {
  const response = await get(`/match/${matchId}/replay.json`);
  if (!response?.ok) throw new Error(`no replay: ${response?.status}`);
  return (await response.json()).frames;
}

export function countMoves() {
  return list.children.length;
}

/** @param {Pick<ReplayFrame, "ply" | "mark" | "said">} move */
export function appendMove({ ply, mark, said }) {
  const link = make(
    "a",
    { className: "move", href: `?ply=${ply}` },
    make("span", { className: "number", textContent: `${ply}.` }),
    makeMark(mark),
    make("span", { dir: "auto", textContent: renderMessage(said) }),
  );
  list.append(make("li", { "data-ply": ply }, link));
  emptyNotice.hidden = true;
}

/** @param {ReplayFrame[]} frames the first one is the position before any move */
export function replaceMoves(frames) {
  list.replaceChildren();
  for (const frame of frames.slice(1)) appendMove(frame);
}

/**
 * Mark the move that the board shows, and scroll the list to it.
 * @param {number} ply
 */
export function showCurrentMove(ply) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = list.querySelector(`[data-ply="${ply}"]`);
  item?.firstElementChild.setAttribute("aria-current", "step");
  const top = item ? item.offsetTop - list.offsetTop : 0;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 32) {
    list.scrollTop = top - list.clientHeight / 2;
  }
  // On a phone, the list is one line that scrolls sideways.
  const left = item ? item.offsetLeft - list.offsetLeft : 0;
  list.scrollLeft = scrollFor(left, item?.offsetWidth ?? 0, list.clientWidth);
}

/**
 * Return how far a list is scrolled that shows the whole of an item, with its start in the middle if
 * there is room for the rest.
 * @param {number} start of the item
 * @param {number} length of the item
 * @param {number} room the visible length of the list
 */
export function scrollFor(start, length, room) {
  return Math.min(start, Math.max(start - room / 2, start + length - room));
}

/**
 * Return a ply within the match: `text` if it is a number, else the last one.
 * @param {string | null} text
 * @param {number} last
 */
export function parsePly(text, last) {
  const ply = Number(text ?? last);
  return Number.isInteger(ply) ? Math.max(0, Math.min(last, ply)) : last;
}

/**
 * Create the replay of a match; `open(last)` starts it when the match is over.
 * @param {string} matchId
 * @param {(frame: ReplayFrame) => void} onShow draws a position
 */
export function createReplay(matchId, onShow) {
  /** @type {ReplayFrame[] | null} */
  let frames = null;
  let shown = -1; // the ply that the board shows
  let last = -1; // -1 while the match is live

  /** @param {number} lastPly */
  function open(lastPly) {
    if (last !== -1) return;
    last = lastPly;
    panel.hidden = false;
    slider.max = String(last);
    shown = parsePly(new URLSearchParams(location.search).get("ply"), last);
    slider.value = String(shown);
    if (shown !== last) show(shown);
  }

  /** @param {number} ply */
  async function show(ply) {
    if (last === -1) return;
    shown = Math.max(0, Math.min(last, ply));
    slider.value = String(shown);
    slider.setAttribute(
      "aria-valuetext",
      renderMessage({ code: "replay.after", ply: shown, last }),
    );
    try {
      frames ??= await fetchFrames(matchId);
    } catch {
      return; // the links of the list work without scripts too
    }
    if (last > frames.length - 1) {
      // A stored move was tampered with: the positions after it cannot be shown.
      last = frames.length - 1;
      slider.max = String(last);
      shown = Math.min(shown, last);
    }
    onShow(frames[shown]);
    const address = new URL(location.href);
    if (shown === last) address.searchParams.delete("ply");
    else address.searchParams.set("ply", String(shown));
    history.replaceState(null, "", address);
  }

  /** Fetch the positions again, for example because an analysis is ready. */
  function refresh() {
    frames = null;
    return show(shown);
  }

  /** @type {Record<string, () => void>} */
  const steps = {
    first: () => show(0),
    back: () => show(shown - 1),
    on: () => show(shown + 1),
    last: () => show(last),
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: steps.back,
    ArrowRight: steps.on,
    Home: steps.first,
    End: steps.last,
  };

  panel.addEventListener("click", (event) => {
    const link = closest(event, "[data-step]");
    if (!link) return;
    event.preventDefault();
    steps[link.dataset.step]();
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  list.addEventListener("click", (event) => {
    const item = closest(event, "[data-ply]");
    if (!item) return;
    event.preventDefault();
    show(Number(item.dataset.ply));
  });
  document.addEventListener("keydown", (event) => {
    if (last === -1 || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (closest(event, "input, textarea, select, .board")) return;
    event.preventDefault();
    keys[event.key]();
  });

  return { open, show, refresh, isAtEnd: () => shown === last };
}
