/* The list of open seeks. */

import { renderMessage, renderParts, showName } from "../shared/messages.js";
import { make, makeAvatar } from "../shared/page.js";
import { makeClock } from "../shared/time.js";
import { seekMessage } from "./seek.js";
import { createStableList } from "./stable-list.js";

const list = document.getElementById("seeks");
const emptyNotice = document.getElementById("no-seeks");
/** @type {Map<string, ListedSeek>} */
let known = new Map();
/** @type {string | null} the name of the viewer that the rows are made for */
let viewer = null;
/** @type {(seek: string, errorLine: HTMLElement) => void} */
let join = () => {};

const rows = createStableList(list, {
  make: (id) => makeRow(known.get(id)),
  fade: disableRow,
  onChange() {
    emptyNotice.hidden = list.children.length > 0;
  },
});

/**
 * Show these seeks and no others.
 * @param {ListedSeek[]} seeks
 * @param {object} options
 * @param {string | null} options.me the viewer's name
 * @param {(seek: string, errorLine: HTMLElement) => void} options.onJoin
 */
export function drawSeeks(seeks, { me, onJoin }) {
  const isSameViewer = me === viewer;
  join = onJoin;
  viewer = me;
  const open = new Map(seeks.map((seek) => [seek.seek, seek]));
  known = new Map([...known, ...open]);
  for (const key of rows.keys()) if (!open.has(key)) rows.remove(key);
  for (const [id, seek] of open) {
    const row = rows.find(id);
    if (!row) rows.add(id);
    else if (!isSameViewer || row.dataset.of !== JSON.stringify(seek)) rows.refresh(id);
  }
  known = open;
}

/**
 * Show on the games' buttons which games the player is searching for.
 * @param {OwnFrame} frame
 */
export function markSearches({ seeks }) {
  const games = new Set(seeks.filter((seek) => !seek.invitation).map((seek) => seek.game));
  for (const button of document.querySelectorAll("button[data-seek]")) {
    button.toggleAttribute("data-looking", games.has(button.dataset.seek));
  }
}

/**
 * Show that another player was faster.
 * @param {string} id
 */
export function markTaken(id) {
  rows.remove(id);
}

/** @param {ListedSeek} seek */
function makeRow(seek) {
  const isMine = seek.player === viewer;
  const error = make("span", { className: "error", role: "alert", hidden: true });
  const player = make(
    "a",
    { className: "player", href: `/player/${encodeURIComponent(seek.player)}/` },
    makeAvatar(seek.player),
    make("bdi", { textContent: showName(seek.player) }),
  );
  const rating = make("span", {
    className: "rating",
    dir: "ltr",
    textContent: seek.rating ?? "",
    hidden: !seek.rating,
  });
  const message = seekMessage(seek);
  const who = make(
    "span",
    { className: "who" },
    make("b", {}, player, isMine ? ` ${renderMessage({ code: "seek.mine" })}` : "", rating),
    make("span", {}, ...renderParts({ ...message, clock: makeClock(seek.clock) })),
    error,
  );
  const row = make("li", { "data-seek": seek.seek, "data-of": JSON.stringify(seek) }, who);
  if (!isMine) {
    const label = { code: "seek.join-label", name: seek.player, game: message.game };
    const button = make("button", {
      type: "button",
      className: "button",
      textContent: renderMessage({ code: "seek.join" }),
      "aria-label": renderMessage(label),
    });
    button.addEventListener("click", () => join(seek.seek, error));
    row.append(button);
  }
  return row;
}

/** @param {HTMLElement} row */
function disableRow(row) {
  /** @type {HTMLButtonElement | null} */
  const button = row.querySelector("button");
  if (!button) return;
  button.disabled = true;
  button.textContent = renderMessage({ code: "seek.gone" });
  button.removeAttribute("aria-label");
}
