/* Sentences, from the one table that the templates read too: a module for each language, whose
   address the page gives. */

import { isolated } from "./page.js";

const { formOf, sentences } = await import(document.getElementById("words").href);
const PLACE = /\{(\w+)\}/;

/* The sentence of {code, …params}, as text. A parameter may be words itself. */
export function say(words) {
  return parts(words).join("");
}

/* The sentence as pieces for `append`. A parameter may be an element too: it stands in its place. */
export function parts({ code, ...params }) {
  const found = sentences[code] ?? code;
  const text = Array.isArray(found) ? found[formOf(params.count)] : found;
  return text.split(PLACE).flatMap((piece, index) =>
    index % 2 ? filled(params[piece] ?? `{${piece}}`) : piece || []);
}

/* What is said of a time limit: "3+2", or null for none. As `games.match.clock.clock_words` does. */
export function clockWords(clock) {
  if (!clock) return { code: "clock.none" };
  const [minutes, seconds] = clock.split("+").map(Number);
  if (!seconds) return { code: "clock.minutes", minutes };
  return minutes ? { code: "clock.some", minutes, seconds } : { code: "clock.seconds", seconds };
}

function filled(value) {
  if (typeof value === "string") return isolated(value);
  return typeof value === "object" && value.code ? say(value) : value;
}

/* What is said of how a match ended to the viewer `you` (a role; null for a watcher), as
   `games.match.outcome.told` does. `nameOf` gives the name of a role. */
export function told(found, to) {
  return (found.more ?? []).reduce(
    (said, part) => ({ code: "end.more", said, more: toldAlone(part, to) }),
    toldAlone(found, to),
  );
}

function toldAlone({ code, winner, won, lost }, { you, roles, nameOf }) {
  const gained = won === null ? {} : { won, lost };
  if (winner === null) return { code, ...gained };
  const side = you === null ? "seen" : you === winner ? "won" : "lost";
  const loser = roles.find((role) => role !== winner);
  return { code: `${code}.${side}`, winner: nameOf(winner), loser: nameOf(loser), ...gained };
}
