/* A tournament's standings and results, drawn from its frames. Rows stay the same elements when places
   change, so that they keep the focus. */

import { renderMessage, showName } from "../shared/messages.js";
import { make, makeAvatar } from "../shared/page.js";

/** @type {Record<string, string>} the result of a board, by its letter in a frame */
const RESULTS = { w: "1–0", d: "½–½", l: "0–1", b: "0–0" };

/**
 * Choose the rows to show: the first places, and those around the viewer.
 * @param {StandingsRow[]} top
 * @param {StandingsRow[]} around
 * @returns {{rows: StandingsRow[], gapAt: number}} `gapAt` is the index of the first row after a gap,
 *   or -1
 */
export function chooseRows(top, around) {
  const listed = new Set(top.map((row) => row.entry));
  const rest = around.filter((row) => !listed.has(row.entry));
  const hasGap = rest.length > 0 && rest[0].rank !== top.at(-1)?.rank + 1;
  return { rows: [...top, ...rest], gapAt: hasGap ? top.length : -1 };
}

/**
 * Draw the first places, and those around the viewer.
 * @param {Element} body
 * @param {StandingsRow[]} top
 * @param {StandingsRow[]} around
 * @param {string} me the viewer's entry, or ""
 */
export function drawStandings(body, top, around, me) {
  const old = new Map(
    [...body.querySelectorAll("tr[data-entry]")].map((row) => [row.dataset.entry, row]),
  );
  const { rows, gapAt } = chooseRows(top, around);
  const elements = rows.map((row) => drawRow(old.get(String(row.entry)), row, me));
  if (gapAt !== -1) elements.splice(gapAt, 0, body.querySelector(".cut") ?? makeGap(body));
  for (const row of /** @type {HTMLElement[]} */ ([...body.children])) {
    if (!elements.includes(row)) row.remove();
  }
  elements.forEach((row, index) => {
    if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null);
  });
}

/**
 * @param {HTMLElement | undefined} element the row as it was, if it is not new
 * @param {StandingsRow} row
 * @param {string} me
 */
function drawRow(element, row, me) {
  const content = JSON.stringify(row);
  if (element?.dataset.content === content) return element;
  const made = element ?? make("tr", { "data-entry": row.entry });
  const hadFocus = made.contains(document.activeElement);
  made.dataset.content = content;
  made.classList.toggle("me", String(row.entry) === me);
  made.classList.toggle("gone", Boolean(row.gone));
  made.replaceChildren(
    make("td", { className: "rank", textContent: row.rank }),
    make("th", { scope: "row" }, ...makeName(row)),
    make("td", { className: "sum", textContent: row.points }),
    ...(row.more ?? []).map((text, index) =>
      make(
        "td",
        { className: index ? "wide" : "" },
        make("span", { dir: "auto", textContent: text }),
      ),
    ),
  );
  if (hadFocus) made.querySelector("a")?.focus();
  return made;
}

/** @param {StandingsRow} row */
function makeName({ entry, name, plays, here, streak = 0, number = 0 }) {
  const message = { code: "tournament.numbered-player", number };
  const shown = number ? renderMessage(message) : showName(name);
  const link = make("a", { href: `player/${entry}/` });
  if (plays) {
    const text = renderMessage({ code: "tournament.plays" });
    link.append(
      make(
        "span",
        { className: "plays" },
        make("span", { className: "unseen", textContent: text }),
      ),
    );
  }
  link.append(makeAvatar(number ? shown : name), make("bdi", { textContent: shown }));
  const parts = [link];
  if (here) parts.push(makeNote("quiet", { code: "tournament.here" }));
  if (streak > 1) parts.push(makeNote("streak", { code: "tournament.streak", count: streak }));
  return parts.flatMap((part, index) => (index ? [" ", part] : [part]));
}

/**
 * @param {string} className
 * @param {Message} message
 */
function makeNote(className, message) {
  return make("span", { className, textContent: renderMessage(message) });
}

/** @param {Element} body */
function makeGap(body) {
  const columns = body.parentElement.querySelectorAll("thead th").length;
  return make("tr", { className: "cut" }, make("td", { colSpan: columns, textContent: "…" }));
}

/**
 * Draw the results of the boards of a round.
 * @param {Iterable<HTMLElement>} rows
 * @param {string} results one letter for each board
 */
export function drawResults(rows, results) {
  for (const row of rows) {
    const text = RESULTS[results[Number(row.dataset.board) - 1]];
    const score = row.querySelector(".score");
    if (!text || score.dataset.result === text) continue;
    score.dataset.result = text;
    score.textContent = text;
    row.querySelector(".first").classList.toggle("won", text === RESULTS.w);
    row.querySelector(".second").classList.toggle("won", text === RESULTS.l);
  }
}
