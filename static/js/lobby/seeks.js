/* The list of open seeks. A row that is gone turns grey in its place before it disappears, so that
   nothing moves under a pointer. */

import { controlInWords } from "./control.js";
import { make } from "../shared/page.js";
import { say } from "../shared/words.js";

const GREY = 3000; // ms that a row stays after its seek is gone

const list = document.getElementById("seeks");
const empty = document.getElementById("no-seeks");

export function drawSeeks(seeks, { me, onJoin }) {
  const rows = new Map([...list.children].map((row) => [row.dataset.seek, row]));
  for (const seek of seeks) {
    const isShown = rows.get(seek.seek)?.querySelector("bdi").textContent === seek.player;
    if (isShown && rows.delete(seek.seek)) continue;
    list.append(makeRow(seek, seek.player === me, onJoin));
  }
  for (const row of rows.values()) fade(row);
  showEmpty();
}

/* Somebody was faster. */
export function markTaken(seekId) {
  const row = list.querySelector(`[data-seek="${CSS.escape(seekId)}"]`);
  if (row) fade(row);
}

function makeRow(seek, isMine, onJoin) {
  const error = make("span", { className: "error", role: "alert", hidden: true });
  const game = { code: `${seek.game}.name` };
  const who = make("span", { className: "who" },
    make("b", {}, make("a", { className: "player", href: `/player/${encodeURIComponent(seek.player)}/` },
      make("bdi", { textContent: seek.player })),
      isMine ? ` ${say({ code: "seek.mine" })}` : ""),
    make("span", { textContent: say({ code: "seek.what", game, clock: controlInWords(seek.clock) }) }),
    error);
  const row = make("li", { "data-seek": seek.seek }, who);
  if (!isMine) {
    const join = make("button", { type: "button", className: "button",
      textContent: say({ code: "seek.join" }),
      "aria-label": say({ code: "seek.join-label", name: seek.player, game }) });
    join.addEventListener("click", () => onJoin(seek.seek, error));
    row.append(join);
  }
  return row;
}

function fade(row) {
  if (row.classList.contains("gone")) return;
  row.classList.add("gone");
  const button = row.querySelector("button");
  if (button) {
    button.disabled = true;
    button.textContent = say({ code: "seek.gone" });
    button.removeAttribute("aria-label");
  }
  setTimeout(() => {
    row.remove();
    showEmpty();
  }, GREY);
}

function showEmpty() {
  empty.hidden = list.children.length > 0;
}
