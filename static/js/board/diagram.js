/* Showing positions on boards. The server has drawn a board's elements, and element i shows
   `diagram[i]`. Thumbnails are small boards of live matches: the server sends only what has changed on
   them, so their marks are kept here. */

import { findStrokes, placeOf } from "./geometry.js";

const EMPTY = ".";
const SVG = "http://www.w3.org/2000/svg";

/**
 * Show a position on a board.
 * @param {Element} svg
 * @param {Drawing} drawing
 */
export function renderDiagram(svg, { diagram, fresh = [], line = [], better = [] }) {
  const [isFresh, isInLine, isBetter] = [new Set(fresh), new Set(line), new Set(better)];
  const elements = [...svg.querySelectorAll(".element")];
  elements.forEach((element, index) => {
    const mark = diagram[index] ?? EMPTY;
    if (element.dataset.mark !== mark) element.dataset.mark = mark;
    element.toggleAttribute("data-fresh", isFresh.has(index));
    element.toggleAttribute("data-line", isInLine.has(index));
    element.toggleAttribute("data-better", isBetter.has(index));
  });
  renderStrokes(svg, elements, line);
}

/**
 * Draw strokes through the lines that ended the game, as the server does. Strokes that are drawn
 * already stay, because they may be in motion.
 * @param {Element} svg
 * @param {Element[]} elements
 * @param {number[]} line
 */
function renderStrokes(svg, elements, line) {
  const layer = svg.querySelector(".strokes");
  const of = line.join(" ");
  if (of === (layer?.getAttribute("data-of") ?? "")) return;
  layer?.remove();
  if (!line.length) return;
  const places = line.map((index) => placeOf(/** @type {any} */ (elements[index])));
  const lines = findStrokes(places).flatMap(([x1, y1, x2, y2]) =>
    ["halo", "core"].map((part) => makeSvg("line", { class: part, x1, y1, x2, y2, pathLength: 1 })),
  );
  svg.append(makeSvg("g", { class: "strokes", "data-of": of, "aria-hidden": "true" }, lines));
}

/**
 * @param {string} kind
 * @param {Record<string, string | number>} attributes
 * @param {Element[]} [children]
 */
function makeSvg(kind, attributes, children = []) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @typedef {object} Thumbnail
 * @property {string[]} marks
 * @property {number[]} line
 * @property {number[]} [fresh]
 * @property {string | null} [turn]
 * @property {Record<string, string>} [badges] the mark beside each seat's name
 */

/**
 * Return the template with a game's empty board, or null if the page has none.
 * @param {string} game
 * @returns {HTMLTemplateElement | null}
 */
export function findTemplate(game) {
  return document.querySelector(`template[data-board="${CSS.escape(game)}"]`);
}

/**
 * Create a cache of small boards.
 * @param {(game: string) => Element} emptyBoard returns the drawing of a game's empty board
 */
export function createThumbnails(emptyBoard) {
  /** @type {Map<string, string[]>} */
  const emptyMarks = new Map(); // by game
  /** @type {Map<string, Thumbnail>} */
  const thumbnails = new Map(); // by match

  /** @param {string} game */
  function marksOfEmptyBoard(game) {
    if (!emptyMarks.has(game)) {
      const elements = [...emptyBoard(game).querySelectorAll(".element")];
      emptyMarks.set(
        game,
        elements.map((element) => element.dataset.mark),
      );
    }
    return emptyMarks.get(game);
  }

  /**
   * Apply the changes of a match's board.
   * @param {BoardChange} change
   * @param {string} game
   */
  function update({ match, marks, ...rest }, game) {
    const known = thumbnails.get(match) ?? { marks: [...marksOfEmptyBoard(game)], line: [] };
    const thumbnail = { ...known, ...rest };
    for (const [index, mark] of Object.entries(marks)) thumbnail.marks[Number(index)] = mark;
    thumbnails.set(match, thumbnail);
  }

  /**
   * Draw a match's board, and mark the player to move, in its element.
   * @param {string} match
   * @param {Element | null | undefined} element
   */
  function draw(match, element) {
    const thumbnail = thumbnails.get(match);
    if (!thumbnail || !element) return;
    renderDiagram(element.querySelector(".board"), { ...thumbnail, diagram: thumbnail.marks });
    for (const name of element.querySelectorAll("[data-seat]")) {
      name.toggleAttribute("data-moves", name.dataset.seat === thumbnail.turn);
      name.querySelector(".mark").dataset.mark = thumbnail.badges?.[name.dataset.seat] ?? ".";
    }
  }

  return {
    update,
    draw,
    copyBoard: (/** @type {string} */ game) => emptyBoard(game).cloneNode(true),
    remove: (/** @type {string} */ match) => thumbnails.delete(match),
    clear: () => thumbnails.clear(),
  };
}
