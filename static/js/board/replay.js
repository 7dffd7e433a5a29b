/* Stepping through a match that is over: buttons, keys, slider, and the list of moves. */

import { renderMessage } from "../shared/messages.js";
import { fetchFrames } from "./moves.js";

const panel = document.getElementById("replay");
const slider = document.getElementById("slider");
const moves = document.getElementById("moves");

/* `onShow(frame)` draws one position. Gives `open(last)`, to be called once the match is over. */
export function makeReplay(matchId, onShow) {
  let frames = null;
  let shown = null;
  let last = 0;
  let isOpen = false;

  function open(lastPly) {
    if (isOpen) return;
    isOpen = true;
    last = lastPly;
    panel.hidden = false;
    slider.max = String(last);
    const asked = Number(new URLSearchParams(location.search).get("ply") ?? last);
    shown = Math.max(0, Math.min(last, Number.isInteger(asked) ? asked : last));
    slider.value = String(shown);
    if (shown !== last) show(shown);
  }

  async function show(ply) {
    if (!isOpen) return;
    shown = Math.max(0, Math.min(last, ply));
    slider.value = String(shown);
    slider.setAttribute(
      "aria-valuetext",
      renderMessage({ code: "replay.after", ply: shown, last }),
    );
    try {
      frames ??= await fetchFrames(matchId);
    } catch {
      return; // the links still lead there without us
    }
    if (last > frames.length - 1) {
      // a move was tampered with: what follows it cannot be shown
      last = frames.length - 1;
      slider.max = String(last);
      shown = Math.min(shown, last);
    }
    onShow(frames[shown]);
    const address = new URL(location.href);
    if (shown === last) address.searchParams.delete("ply");
    else address.searchParams.set("ply", shown);
    history.replaceState(null, "", address);
  }

  /* What is known of the positions has changed: fetch them anew, and show the same one. */
  function renew() {
    frames = null;
    return show(shown);
  }

  const to = {
    first: () => show(0),
    back: () => show(shown - 1),
    on: () => show(shown + 1),
    last: () => show(last),
  };
  const keys = { ArrowLeft: to.back, ArrowRight: to.on, Home: to.first, End: to.last };

  panel.addEventListener("click", (event) => {
    const link = event.target.closest("[data-step]");
    if (!link) return;
    event.preventDefault();
    to[link.dataset.step]();
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  moves.addEventListener("click", (event) => {
    const item = event.target.closest("[data-ply]");
    if (!item) return;
    event.preventDefault();
    show(Number(item.dataset.ply));
  });
  document.addEventListener("keydown", (event) => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (event.target.closest("input, textarea, select, .board")) return;
    event.preventDefault();
    keys[event.key]();
  });

  return { open, show, renew, isAtEnd: () => shown === null || shown === last };
}
