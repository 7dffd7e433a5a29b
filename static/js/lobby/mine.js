/* The viewer's own games, each with its board. Each keeps its place as long as the page is open: a
   game in which it is their turn now says so where it is. */

import { makeDrawings } from "../board/drawing.js";
import { renderMessage } from "../shared/messages.js";
import { keepPlace, make } from "../shared/page.js";
import { emptyBoard, isShownHere } from "./matches.js";

const section = document.getElementById("mine");
const list = document.getElementById("my-games");
const WAITS = { code: "mine.waits", label: "mine.waits-label" };
const THEIRS = { code: "mine.theirs", label: "mine.theirs-label" };
const drawings = makeDrawings(emptyBoard);

/* A new connection tells all boards from their start. */
export function forgetMine() {
  drawings.forgetAll();
}

export function drawMine({ games, begun, boards = [] }) {
  const told = new Set(begun.map((match) => match.match));
  const shown = games.filter((game) => isShownHere(game.game) && !told.has(game.match));
  const gameOf = new Map(games.map((game) => [game.match, game.game]));
  for (const each of boards) {
    if (isShownHere(gameOf.get(each.match))) drawings.learn(each, gameOf.get(each.match));
  }
  keepPlace(() => {
    for (const game of shown) show(game);
    for (const item of list.children) {
      if (!shown.some((game) => game.match === item.dataset.match)) fade(item);
    }
    section.hidden = list.children.length === 0;
  });
}

function show(game) {
  const found = list.querySelector(`[data-match="${CSS.escape(game.match)}"]`);
  const item = found?.dataset.made ? found : makeItem(game);
  if (!found) list.append(item);
  else if (found !== item) found.replaceWith(item); // the server's has no element that is empty
  const said = game.waits ? WAITS : THEIRS;
  item.toggleAttribute("data-waits", game.waits);
  item.querySelector(".name").textContent = game.opponent;
  item.querySelector(".state").textContent = renderMessage({ code: said.code });
  label(item, said.label);
  drawings.draw(game.match, item);
}

function makeItem(game) {
  const picture = make("span", { className: "picture" });
  picture.append(drawings.copy(game.game));
  const link = make(
    "a",
    { className: "panel", href: game.url },
    picture,
    make("bdi", { className: "name" }),
    make("span", { className: "state" }),
  );
  return make("li", { "data-match": game.match, "data-game": game.game, "data-made": "yes" }, link);
}

/* What is over stays until the page is left: its link leads to how it ended. */
function fade(item) {
  if (item.classList.contains("gone")) return;
  item.classList.add("gone");
  item.removeAttribute("data-waits");
  item.querySelector(".state").textContent = renderMessage({ code: "match.over" });
  label(item, "mine.over-label");
}

function label(item, code) {
  const game = { code: `${item.dataset.game}.name` };
  const name = item.querySelector(".name").textContent;
  item.querySelector("a").setAttribute("aria-label", renderMessage({ code, game, name }));
}
