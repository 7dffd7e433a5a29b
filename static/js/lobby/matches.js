/* The matches that are being played, drawn small, each in its place as long as it is shown. */

import { makeDrawings } from "../board/drawing.js";
import { renderMessage } from "../shared/messages.js";
import { make, makeMark } from "../shared/page.js";
import { makePlaces } from "./places.js";

const list = document.getElementById("matches");
const empty = document.getElementById("no-matches");
const cards = new Map(
  [...document.querySelectorAll(".game[data-game]")].map((card) => [card.dataset.game, card]),
);
const known = new Map(); // the matches by their id
const drawings = makeDrawings(emptyBoard);
const places = makePlaces(list, {
  make: (id) => makeMatch(known.get(id)),
  fade,
  onChange() {
    empty.hidden = list.children.length > 0;
  },
});

/* The drawing of a game, to be copied. */
export function emptyBoard(game) {
  return cards.get(game).querySelector(".picture .board");
}

export function isShownHere(game) {
  return cards.has(game);
}

/* Show these matches and no other. */
export function drawMatches(matches, boards) {
  const shown = new Set(matches.map((match) => match.match));
  removeMatches([...places.keys()].filter((id) => !shown.has(id)));
  for (const { match } of boards) drawings.forget(match); // they begin with the empty board again
  addMatches(matches, boards);
}

/* Show these as well, and what is new on boards. */
export function addMatches(matches, boards) {
  for (const match of matches) if (cards.has(match.game)) known.set(match.match, match);
  for (const each of boards) {
    if (known.has(each.match)) drawings.learn(each, known.get(each.match).game);
  }
  for (const { match, game } of matches) if (cards.has(game)) places.add(match);
  for (const { match } of boards) drawings.draw(match, places.find(match));
}

export function removeMatches(ids) {
  for (const id of ids) {
    places.remove(id);
    known.delete(id);
    drawings.forget(id);
  }
}

function makeMatch(match) {
  const names = Object.entries(match.seats).map(([role, seat]) =>
    make(
      "span",
      { className: "name", "data-seat": role },
      makeMark("."),
      make("bdi", { textContent: seat.name }),
      make("span", { className: "rating", textContent: seat.rating ?? "", hidden: !seat.rating }),
    ),
  );
  const picture = make("span", { className: "picture" });
  picture.append(drawings.copy(match.game));
  const [one, other] = Object.values(match.seats).map((seat) => seat.name);
  const players = { code: "match.against", one, other };
  const game = { code: `${match.game}.name` };
  const link = make(
    "a",
    {
      className: "panel",
      href: `/match/${match.match}/`,
      "aria-label": renderMessage({ code: "match.watch", game, players }),
    },
    picture,
    ...names,
  );
  const item = make("li", { "data-match": match.match, "data-game": match.game }, link);
  drawings.draw(match.match, item);
  return item;
}

function fade(item) {
  const over = make("span", {
    className: "over",
    textContent: renderMessage({ code: "match.over" }),
  });
  item.querySelector("a").append(over);
}
