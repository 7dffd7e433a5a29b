/* The live matches of the lobby, drawn small. A board is told by what changed on it. */

import { fill } from "../board/board.js";
import { make, makeMark } from "../shared/page.js";
import { say } from "../shared/words.js";

const list = document.getElementById("matches");
const empty = document.getElementById("no-matches");
const cards = new Map(
  [...document.querySelectorAll(".game[data-game]")].map((card) => [card.dataset.game, card]),
);
const starts = new Map(); // the marks of each game's empty board
const boards = new Map(); // what is shown of each match: {marks, fresh, line, turn, badges}

/* Show these matches, in this order, and no other. */
export function drawMatches(matches, drawings) {
  const shown = new Set(matches.map((match) => match.match));
  removeMatches([...boards.keys()].filter((id) => !shown.has(id)));
  for (const { match } of drawings) boards.delete(match); // they begin with the empty board again
  addMatches(matches);
  drawBoards(drawings);
}

export function addMatches(matches) {
  for (const match of [...matches].reverse()) {
    if (!cards.has(match.game) || item(match.match)) continue;
    list.prepend(makeMatch(match));
  }
  empty.hidden = list.children.length > 0;
}

export function removeMatches(ids) {
  for (const id of ids) {
    boards.delete(id);
    item(id)?.remove();
  }
  empty.hidden = list.children.length > 0;
}

export function drawBoards(drawings) {
  for (const { match: id, marks, ...more } of drawings) {
    const place = item(id);
    if (!place) continue;
    const known = boards.get(id) ?? { marks: [...startOf(place.dataset.game)], line: [] };
    const board = { ...known, ...more };
    for (const [index, mark] of Object.entries(marks)) board.marks[index] = mark;
    boards.set(id, board);
    fill(place.querySelector(".board"), { ...board, diagram: board.marks });
    for (const name of place.querySelectorAll("[data-seat]")) {
      name.toggleAttribute("data-moves", name.dataset.seat === board.turn);
      name.querySelector(".mark").dataset.mark = board.badges?.[name.dataset.seat] ?? ".";
    }
  }
}

function item(id) {
  return list.querySelector(`[data-match="${CSS.escape(id)}"]`);
}

function emptyBoard(game) {
  return cards.get(game).querySelector(".picture .board");
}

function startOf(game) {
  if (!starts.has(game)) {
    const elements = [...emptyBoard(game).querySelectorAll(".element")];
    starts.set(game, elements.map((element) => element.dataset.mark));
  }
  return starts.get(game);
}

function makeMatch(match) {
  const names = Object.entries(match.seats).map(([role, seat]) =>
    make("span", { className: "name", "data-seat": role },
      makeMark("."), make("bdi", { textContent: seat.name })),
  );
  const picture = make("span", { className: "picture" });
  picture.append(emptyBoard(match.game).cloneNode(true));
  const [one, other] = Object.values(match.seats).map((seat) => seat.name);
  const players = { code: "match.against", one, other };
  const game = { code: `${match.game}.name` };
  const link = make("a", { className: "panel", href: `/match/${match.match}/`,
    "aria-label": say({ code: "match.watch", game, players }) }, picture, ...names);
  return make("li", { "data-match": match.match, "data-game": match.game }, link);
}
