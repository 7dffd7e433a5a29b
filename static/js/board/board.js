/* A board that its viewer can play on. It serves every game: the elements say what they send, and the
   frame says which elements are open. On boards with paths, the frame also says what they send. */

import { renderDiagram } from "./diagram.js";
import { bindEvents } from "./events.js";
import { choicesAt } from "./paths.js";
import { renderChoices, renderNames, renderPreview } from "./render.js";
import { createState, nameOf, nextGrid, pick, sentenceOf, takeBack, updateState } from "./state.js";

/**
 * Let the viewer play on a board that the server has drawn.
 * @param {HTMLElement} svg
 * @param {object} handlers
 * @param {(action: string) => void} handlers.onAction called with the action to send
 * @param {() => void} [handlers.onPick] called when a part of an action is picked or taken back
 */
export function mountBoard(svg, { onAction, onPick }) {
  /** @type {SVGGraphicsElement[]} */
  const elements = [...svg.querySelectorAll(/** @type {any} */ (".element"))];
  const words = new Map(svg.dataset.words.split("|").map(parseWord));
  const state = createState(
    // Not copies: an element sends what its `data-action` says when somebody clicks it.
    elements.map((element) => element.dataset),
    svg.dataset.verb,
    svg.dataset.joint,
  );
  let previewed = -1;

  /** @param {BoardFrame} frame */
  function draw(frame) {
    updateState(state, frame);
    renderDiagram(svg, frame);
    if (frame.hand) svg.dataset.hand = frame.hand;
    preview(previewed); // the pointer may be where it was
    renderChoices(svg, elements, state);
    renderNames(elements, words);
  }

  /** @param {number} index */
  function preview(index) {
    previewed = index;
    renderPreview(elements, state, index);
  }

  /** @param {number} index */
  function act(index) {
    if (!state.open.has(index)) return;
    const action = pick(state, index);
    if (!state.elements[index].action) {
      state.pending = null;
      renderChoices(svg, elements, state);
    }
    if (action) onAction(action);
    else onPick?.();
  }

  /** Take back what is picked. */
  function clear() {
    takeBack(state);
    state.pending = null;
    renderChoices(svg, elements, state);
  }

  bindEvents(svg, elements, {
    onAct: act,
    onEscape() {
      if (!state.picks.size && !state.trail.length) return false;
      clear();
      onPick?.();
      return true;
    },
    onPreview: preview,
  });

  return {
    draw,
    clear,
    nextGrid: () => nextGrid(state),
    isUnderway: () => state.trail.length > 0,
    choices: () => (state.paths && state.open.size ? choicesAt(state.paths, state.trail) : []),
    nameOf: (/** @type {string} */ action) => nameOf(state, action),
    sentenceOf: (/** @type {string} */ action) => sentenceOf(state, action),
  };
}

/**
 * Parse "mark=name".
 * @param {string} pair
 * @returns {[string, string]}
 */
function parseWord(pair) {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}
