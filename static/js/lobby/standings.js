/* The table of a tournament, drawn from its frames: the first places, and those around the viewer.
   Rows stay the same elements, so that a focus is not lost when places change. */

import { renderMessage } from "../shared/messages.js";
import { make } from "../shared/page.js";

const ME = document.getElementById("tournament")?.dataset.entry ?? "";

/* Draw `top`, and after a gap those of `place` that are not in it. */
export function drawStandings(body, top, place = []) {
  const listed = new Set(top.map((row) => row.entry));
  const around = place.filter((row) => !listed.has(row.entry));
  const kept = new Map(
    [...body.querySelectorAll("tr[data-entry]")].map((row) => [row.dataset.entry, row]),
  );
  const rows = top.map((row) => drawRow(kept, row));
  if (around.length) {
    const isNext = around[0].rank === top.at(-1)?.rank + 1;
    if (!isNext) rows.push(body.querySelector(".cut") ?? makeCut(body));
    rows.push(...around.map((row) => drawRow(kept, row)));
  }
  const wanted = new Set(rows);
  for (const row of [...body.children]) if (!wanted.has(row)) row.remove();
  rows.forEach((row, index) => {
    if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null);
  });
}

function drawRow(kept, row) {
  const told = JSON.stringify(row);
  const found = kept.get(String(row.entry));
  if (found?.dataset.told === told) return found;
  const made = found ?? make("tr", { "data-entry": row.entry });
  const hadFocus = made.contains(document.activeElement);
  made.dataset.told = told;
  made.className = [String(row.entry) === ME ? "me" : "", row.gone ? "gone" : ""].join(" ").trim();
  made.replaceChildren(
    make("td", { className: "rank", textContent: row.rank }),
    make("th", { scope: "row" }, nameOf(row)),
    make("td", { className: "sum", textContent: row.points }),
    ...(row.more ?? []).map((text, index) =>
      make("td", { className: index ? "wide" : "", textContent: text }),
    ),
  );
  if (hadFocus) made.querySelector("a")?.focus();
  return made;
}

function nameOf({ entry, name, plays, here, streak = 0 }) {
  const link = make("a", { href: `player/${entry}/` });
  if (plays) {
    link.append(
      make(
        "span",
        { className: "plays" },
        make("span", {
          className: "unseen",
          textContent: renderMessage({ code: "tournament.plays" }),
        }),
      ),
    );
  }
  link.append(make("bdi", { textContent: name }));
  const parts = [link];
  if (here) {
    parts.push(
      " ",
      make("span", { className: "quiet", textContent: renderMessage({ code: "tournament.here" }) }),
    );
  }
  if (streak > 1) {
    parts.push(
      " ",
      make("span", {
        className: "streak",
        textContent: renderMessage({ code: "tournament.streak", count: streak }),
      }),
    );
  }
  const holder = document.createDocumentFragment();
  holder.append(...parts);
  return holder;
}

function makeCut(body) {
  const columns = body.parentElement.querySelectorAll("thead th").length;
  return make("tr", { className: "cut" }, make("td", { colSpan: columns, textContent: "…" }));
}
