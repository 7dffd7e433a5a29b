/* The state of an interactive board: which elements the viewer may act on, and what they have picked.
   An element either has an action of its own, or is a cell of a grid: then picking one cell on each
   grid gives the action. On other boards the frame lists the legal actions as paths: picking their
   elements one after the other gives the action. Functions of this file need no page and know no
   rule of any game. */

import { actionAt, elementsOfPath, follow, nextElements, trim } from "./paths.js";

const EMPTY = ".";

/**
 * @typedef {object} BoardElement
 * @property {string} [action] what acting on the element sends
 * @property {string} [grid] the grid that the element is a cell of
 * @property {string} [cell] its coordinates in an action, such as "2 3"
 * @property {string} [step] present if it can be a step of a path
 * @property {string} [name] its name for people
 * @property {string} [sentence] its action for people, if its name alone is not enough
 */

/**
 * @typedef {object} BoardState
 * @property {BoardElement[]} elements
 * @property {string} verb the first word of an action that is made of cells
 * @property {string} joint what stands between the names of its cells
 * @property {string[]} grids
 * @property {Map<string, number>} picks the picked element of each grid
 * @property {Set<number>} open the elements that the viewer may act on
 * @property {Map<number, number[]>} closing what acting on an element would close as well
 * @property {string | null} pending the action that was sent or has to be confirmed
 * @property {string} diagram
 * @property {Path[] | null} paths the legal actions with their elements, on boards with paths
 * @property {number[]} trail the picked elements of a path
 */

/**
 * @param {BoardElement[]} elements
 * @param {string} [verb]
 * @param {string} [joint]
 * @returns {BoardState}
 */
export function createState(elements, verb = "", joint = "") {
  const grids = [...new Set(elements.map((element) => element.grid).filter(Boolean))].sort();
  return {
    elements,
    verb,
    joint,
    grids,
    picks: new Map(),
    open: new Set(),
    closing: new Map(),
    pending: null,
    diagram: "",
    paths: null,
    trail: [],
  };
}

/**
 * Take over a frame. Picks made for another position are dropped.
 * @param {BoardState} state
 * @param {BoardFrame} frame
 */
export function updateState(state, frame) {
  const diagram = String(frame.diagram);
  if (diagram !== state.diagram) {
    state.picks.clear();
    state.trail = [];
  }
  state.diagram = diagram;
  state.open = parseOpen(frame.open ?? "", state.elements.length);
  state.paths = frame.paths ?? null;
  state.trail = state.paths && state.open.size ? trim(state.paths, state.trail) : [];
  openPaths(state);
  state.pending = frame.pending ?? null;
  state.closing = new Map();
  for (const [from, to] of frame.closing ?? []) {
    state.closing.set(from, [...(state.closing.get(from) ?? []), to]);
  }
}

/**
 * Open the elements that continue the picked path, take it back, or begin another one.
 * @param {BoardState} state
 */
function openPaths(state) {
  if (!state.paths || !state.open.size) return;
  state.open = new Set([
    ...nextElements(state.paths, []),
    ...nextElements(state.paths, state.trail),
    ...state.trail,
  ]);
}

/**
 * Parse one bit for each element, four to a hexadecimal digit.
 * @param {string} packed
 * @param {number} count
 * @returns {Set<number>}
 */
export function parseOpen(packed, count) {
  const open = new Set();
  for (let index = 0; index < Math.min(count, 4 * packed.length); index++) {
    if (parseInt(packed[index >> 2], 16) & (8 >> (index & 3))) open.add(index);
  }
  return open;
}

/**
 * Act on an element, and return the action if it is complete. A second pick of a cell takes the first
 * one back.
 * @param {BoardState} state
 * @param {number} index
 * @returns {string | null}
 */
export function pick(state, index) {
  if (state.paths) {
    state.trail = follow(state.paths, state.trail, index);
    const complete = actionAt(state.paths, state.trail);
    if (complete) state.trail = [];
    openPaths(state);
    return complete;
  }
  const { action, grid } = state.elements[index];
  if (action) return action;
  if (state.picks.get(grid) !== index) state.picks.set(grid, index);
  else if (!isComplete(state)) state.picks.delete(grid);
  if (!isComplete(state)) return null;
  const cells = state.grids.map((each) => state.elements[state.picks.get(each)].cell);
  return [state.verb, ...cells].join(" ");
}

/** @param {BoardState} state */
function isComplete(state) {
  return state.picks.size === state.grids.length;
}

/**
 * Return the grid that still needs a cell once another one has its cell; null otherwise.
 * @param {BoardState} state
 */
export function nextGrid(state) {
  if (!state.picks.size) return null;
  return state.grids.find((grid) => !state.picks.has(grid)) ?? null;
}

/**
 * Take back what is picked.
 * @param {BoardState} state
 * @returns {boolean} whether there was anything
 */
export function takeBack(state) {
  const had = state.picks.size + state.trail.length > 0;
  state.picks.clear();
  state.trail = [];
  openPaths(state);
  return had;
}

/**
 * Return the elements that continue the picked path. Before it is begun, they are the pieces to
 * choose from, if only some of the pieces can be chosen and nothing else: those to take, for example.
 * @param {BoardState} state
 */
export function targetElements({ paths, trail, open, diagram }) {
  if (!paths || !open.size) return new Set();
  if (trail.length || isChoiceOfPieces(paths, open, diagram)) {
    return new Set(nextElements(paths, trail));
  }
  return new Set();
}

/**
 * @param {Path[]} paths
 * @param {Set<number>} open
 * @param {string} diagram
 */
function isChoiceOfPieces(paths, open, diagram) {
  const isPiece = (/** @type {number} */ index) => diagram[index] !== EMPTY;
  const pieces = [...diagram].filter((mark) => mark !== EMPTY).length;
  const isOneStep = paths.every(([, , steps]) => steps.length === 1);
  return isOneStep && open.size < pieces && [...open].every(isPiece);
}

/**
 * Return the elements that stand for an action.
 * @param {BoardState} state
 * @param {string} action
 * @returns {number[]}
 */
export function elementsOf({ elements, grids, paths, closing }, action) {
  if (paths) return elementsOfPath(paths, action, closing);
  const indices = [...elements.keys()];
  const exact = indices.filter((index) => elements[index].action === action);
  if (exact.length || !grids.length) return exact;
  const numbers = action.split(" ").slice(1); // two for each grid
  return indices.filter((index) => {
    const { grid, cell } = elements[index];
    const at = 2 * grids.indexOf(grid);
    return at >= 0 && cell === numbers.slice(at, at + 2).join(" ");
  });
}

/**
 * Return the elements to highlight: those picked, and those of the pending action.
 * @param {BoardState} state
 */
export function chosenElements(state) {
  const pending = state.pending ? elementsOf(state, state.pending) : [];
  return new Set([...state.picks.values(), ...state.trail, ...pending]);
}

/**
 * Name an action for people as the server does, such as "B4 + D1"; "" if it is not on the board.
 * @param {BoardState} state
 * @param {string} action
 */
export function nameOf(state, action) {
  const path = state.paths?.find(([each]) => each === action);
  if (path) return path[1];
  return elementsOf(state, action)
    .map((index) => state.elements[index].name ?? "")
    .join(state.joint);
}

/**
 * Return the sentence that names an action, such as "Take B4"; "" if the names of its elements do.
 * @param {BoardState} state
 * @param {string} action
 * @returns {string | Message}
 */
export function sentenceOf({ elements, paths }, action) {
  const label = paths?.find(([each]) => each === action)?.[1] ?? "";
  if (label) return typeof label !== "string" || label.includes(" ") ? label : "";
  return elements.find((element) => element.action === action)?.sentence ?? "";
}
