/* The list of open seeks. A row that is gone turns grey in its place before it disappears, so that
   nothing moves under a pointer. */

import { clockMessage, renderMessage } from "../shared/messages.js";
import { make } from "../shared/page.js";
import { makePlaces } from "./places.js";

const list = document.getElementById("seeks");
const empty = document.getElementById("no-seeks");
let known = new Map(); // the open seeks by their id
let shownTo = null; // the name of the viewer for whom the rows were made
let join = () => {};

const rows = makePlaces(list, {
  make: (id) => makeRow(known.get(id)),
  fade,
  onChange() {
    empty.hidden = list.children.length > 0;
  },
});

/* Show these seeks and no other; `onJoin(seek, place)` is called with the one that is taken up. */
export function drawSeeks(seeks, { me, onJoin }) {
  const before = shownTo;
  join = onJoin;
  shownTo = me;
  known = new Map([...known, ...seeks.map((seek) => [seek.seek, seek])]);
  const open = new Set(seeks.map((seek) => seek.seek));
  for (const key of rows.keys()) if (!open.has(key)) rows.remove(key);
  for (const { seek, player } of seeks) {
    const row = rows.find(seek);
    const wanted = JSON.stringify(known.get(seek));
    // Another name, another range, or another viewer: the row is drawn anew in its place.
    if (
      row &&
      (me !== before ||
        row.querySelector("bdi").textContent !== player ||
        row.dataset.of !== wanted)
    ) {
      const made = makeRow(known.get(seek));
      made.dataset.key = seek;
      row.replaceWith(made);
    } else rows.add(seek);
  }
  known = new Map([...known].filter(([seek]) => open.has(seek)));
}

/* Show at the buttons which games the player searches, by an `own` frame. */
export function markSearches({ seeks }) {
  const games = new Set(seeks.filter((each) => !each.invitation).map((each) => each.game));
  for (const button of document.querySelectorAll("button[data-seek]")) {
    button.toggleAttribute("data-looking", games.has(button.dataset.seek));
  }
}

/* Somebody was faster. */
export function markTaken(seekId) {
  rows.remove(seekId);
}

function makeRow(seek) {
  const isMine = seek.player === shownTo;
  const error = make("span", { className: "error", role: "alert", hidden: true });
  const game = { code: `${seek.game}.name` };
  const who = make(
    "span",
    { className: "who" },
    make(
      "b",
      {},
      make(
        "a",
        { className: "player", href: `/player/${encodeURIComponent(seek.player)}/` },
        make("bdi", { textContent: seek.player }),
      ),
      isMine ? ` ${renderMessage({ code: "seek.mine" })}` : "",
      make("span", { className: "rating", textContent: seek.rating ?? "", hidden: !seek.rating }),
    ),
    make("span", { textContent: renderMessage(whatOf(seek, game)) }),
    error,
  );
  const row = make("li", { "data-seek": seek.seek, "data-of": JSON.stringify(seek) }, who);
  if (!isMine) {
    const button = make("button", {
      type: "button",
      className: "button",
      textContent: renderMessage({ code: "seek.join" }),
      "aria-label": renderMessage({ code: "seek.join-label", name: seek.player, game }),
    });
    button.addEventListener("click", () => join(seek.seek, error));
    row.append(button);
  }
  return row;
}

function whatOf({ clock, rated, lowest, highest }, game) {
  const about = { game, clock: clockMessage(clock), lowest, highest };
  if (!rated) return { code: "seek.what", ...about };
  if (lowest === null && highest === null) return { code: "seek.rated", ...about };
  if (highest === null) return { code: "seek.rated-from", ...about };
  return { code: lowest === null ? "seek.rated-to" : "seek.rated-between", ...about };
}

function fade(row) {
  const button = row.querySelector("button");
  if (!button) return;
  button.disabled = true;
  button.textContent = renderMessage({ code: "seek.gone" });
  button.removeAttribute("aria-label");
}
