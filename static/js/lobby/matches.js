/* The lobby's live matches, and above them the player's own ones, with their small boards. */

import { createThumbnails, findTemplate } from "../board/diagram.js";
import { renderMessage, showName } from "../shared/messages.js";
import { keepScrollPosition, make, makeMark } from "../shared/page.js";
import { tickCountdowns } from "../shared/time.js";
import { playersMessage } from "./seek.js";
import { createStableList } from "./stable-list.js";

const list = document.getElementById("matches");
const emptyNotice = document.getElementById("no-matches");
/** @type {Map<string, ListedMatch>} */
const known = new Map();
const thumbnails = createThumbnails(emptyBoard);
const places = createStableList(list, {
  make: (id) => makeMatch(known.get(id)),
  fade: markOver,
  onChange() {
    emptyNotice.hidden = list.children.length > 0;
  },
});

const mySection = document.getElementById("mine"); // null on a tournament's page
const myList = document.getElementById("my-games");
const MY_TURN = { code: "mine.waits", label: "mine.waits-label" };
const THEIR_TURN = { code: "mine.theirs", label: "mine.theirs-label" };
const myThumbnails = createThumbnails(emptyBoard);

/**
 * Return whether this page has a board of a game.
 * @param {string} game
 */
function hasGame(game) {
  return findTemplate(game) !== null;
}

/**
 * Return the drawing of a game's empty board, to be copied.
 * @param {string} game
 */
function emptyBoard(game) {
  return findTemplate(game).content.querySelector(".board");
}

/**
 * Show these matches and no others.
 * @param {ListedMatch[]} matches
 * @param {BoardChange[]} boards
 */
export function drawMatches(matches, boards) {
  const listed = new Set(matches.map((match) => match.match));
  removeMatches(places.keys().filter((id) => !listed.has(id)));
  for (const { match } of boards) thumbnails.remove(match); // the changes are to the empty board
  addMatches(matches, boards);
}

/**
 * Add matches, and apply changes of boards.
 * @param {ListedMatch[]} matches
 * @param {BoardChange[]} boards
 */
export function addMatches(matches, boards) {
  for (const match of matches) if (hasGame(match.game)) known.set(match.match, match);
  for (const board of boards) {
    const match = known.get(board.match);
    if (match) thumbnails.update(board, match.game);
  }
  for (const { match } of matches) if (known.has(match)) places.add(match);
  for (const { match } of boards) thumbnails.draw(match, places.find(match));
}

/** @param {string[]} ids */
export function removeMatches(ids) {
  for (const id of ids) {
    places.remove(id);
    known.delete(id);
    thumbnails.remove(id);
  }
}

/** @param {ListedMatch} match */
function makeMatch(match) {
  const names = Object.entries(match.seats).map(([role, { name, rating }]) =>
    make(
      "span",
      { className: "name", "data-seat": role },
      makeMark("."),
      make("bdi", { textContent: showName(name) }),
      make("span", { className: "rating", dir: "ltr", textContent: rating ?? "", hidden: !rating }),
    ),
  );
  const picture = make("span", { className: "picture" }, thumbnails.copyBoard(match.game));
  const game = { code: `${match.game}.name` };
  const label = renderMessage({ code: "match.watch", game, players: playersMessage(match) });
  const link = make(
    "a",
    { className: "panel", href: `/match/${match.match}/`, "aria-label": label },
    picture,
    ...names,
  );
  const item = make("li", { "data-match": match.match, "data-game": match.game }, link);
  thumbnails.draw(match.match, item);
  return item;
}

/** @param {HTMLElement} item */
function markOver(item) {
  const text = renderMessage({ code: "match.over" });
  item.querySelector("a").append(make("span", { className: "over", textContent: text }));
}

/** Forget all boards: a new connection sends them again from the start. */
export function clearMyGames() {
  myThumbnails.clear();
}

/**
 * Show the player's own matches. Each keeps its place while the page is open, even after its end, so
 * that its link leads to how it ended.
 * @param {OwnFrame} frame
 */
export function drawMyGames({ games, begun, boards = [] }) {
  const isNew = new Set(begun.map((match) => match.match)); // these have rows of their own
  const shown = games.filter((game) => hasGame(game.game) && !isNew.has(game.match));
  const gameOf = new Map(games.map((game) => [game.match, game.game]));
  for (const board of boards) {
    const game = gameOf.get(board.match);
    if (hasGame(game)) myThumbnails.update(board, game);
  }
  keepScrollPosition(() => {
    for (const game of shown) drawMyGame(game);
    for (const item of /** @type {HTMLElement[]} */ ([...myList.children])) {
      if (!shown.some((game) => game.match === item.dataset.match)) markMyGameOver(item);
    }
    mySection.hidden = myList.children.length === 0;
    tickCountdowns();
  });
}

/** @param {OwnGame} game */
function drawMyGame(game) {
  const found = myList.querySelector(`[data-match="${CSS.escape(game.match)}"]`);
  const item = found?.dataset.made ? found : makeMyGame(game);
  if (!found) myList.append(item);
  else if (found !== item) found.replaceWith(item); // the server's board has no empty elements
  const state = game.waits ? MY_TURN : THEIR_TURN;
  item.toggleAttribute("data-waits", game.waits);
  item.querySelector(".name").textContent = showName(game.opponent);
  item.querySelector(".state").textContent = renderMessage({ code: state.code });
  setLabel(item, state.label);
  const left = /** @type {HTMLElement} */ (item.querySelector(".left"));
  if (game.until) left.dataset.until = String(game.until);
  else stopClock(left);
  myThumbnails.draw(game.match, item);
}

/** @param {OwnGame} game */
function makeMyGame(game) {
  const picture = make("span", { className: "picture" }, myThumbnails.copyBoard(game.game));
  const link = make(
    "a",
    { className: "panel", href: game.url },
    picture,
    make("bdi", { className: "name" }),
    make("span", { className: "state" }),
    make("span", { className: "left" }),
  );
  return make("li", { "data-match": game.match, "data-game": game.game, "data-made": "yes" }, link);
}

/** @param {HTMLElement} item */
function markMyGameOver(item) {
  if (item.classList.contains("gone")) return;
  item.classList.add("gone");
  item.removeAttribute("data-waits");
  item.querySelector(".state").textContent = renderMessage({ code: "match.over" });
  stopClock(item.querySelector(".left"));
  setLabel(item, "mine.over-label");
}

/** @param {HTMLElement} left */
function stopClock(left) {
  delete left.dataset.until;
  left.textContent = "";
}

/**
 * @param {HTMLElement} item
 * @param {string} code
 */
function setLabel(item, code) {
  const game = { code: `${item.dataset.game}.name` };
  const name = item.querySelector(".name").textContent;
  item.querySelector("a").setAttribute("aria-label", renderMessage({ code, game, name }));
}
