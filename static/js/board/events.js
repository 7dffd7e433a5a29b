/* Clicks, keys and pointers on a board, as calls with the index of an element. */

import { findNearest, pointOf } from "./geometry.js";

const TARGET = "[data-action],[data-grid],[data-step]";
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Bind the events of a board. The tab key leads to one element only, and arrow keys to the others.
 * @param {HTMLElement} svg
 * @param {SVGGraphicsElement[]} elements
 * @param {object} handlers
 * @param {(index: number) => void} handlers.onAct
 * @param {() => boolean} handlers.onEscape returns whether there was anything to take back
 * @param {(index: number) => void} handlers.onPreview with -1 when the pointer leaves
 */
export function bindEvents(svg, elements, { onAct, onEscape, onPreview }) {
  const targets = elements.filter((element) => element.matches(TARGET));
  for (const target of targets) target.setAttribute("role", "button");
  setTabStop(targets[0]);

  /** @param {Event} event */
  function targetOf(event) {
    return /** @type {Element} */ (event.target).closest(TARGET);
  }

  /** @param {Element | null} target */
  function indexOf(target) {
    return elements.indexOf(/** @type {SVGGraphicsElement} */ (target));
  }

  /** @param {SVGGraphicsElement} target */
  function setTabStop(target) {
    for (const each of targets) each.setAttribute("tabindex", each === target ? "0" : "-1");
  }

  /**
   * @param {Element} from
   * @param {[number, number]} direction
   */
  function moveFocus(from, direction) {
    const start = pointOf(/** @type {SVGGraphicsElement} */ (from));
    const next = targets[findNearest(start, targets.map(pointOf), direction)];
    if (!next) return;
    setTabStop(next);
    next.focus();
  }

  /**
   * @param {Element} target
   * @param {string} key
   * @returns {boolean} whether the key means anything here
   */
  function pressKey(target, key) {
    if (key === "Escape") return onEscape();
    if (key === "Enter" || key === " ") onAct(indexOf(target));
    else if (ARROWS[key]) moveFocus(target, ARROWS[key]);
    else return false;
    return true;
  }

  svg.addEventListener("click", (event) => {
    const target = targetOf(event);
    if (target) onAct(indexOf(target));
  });
  svg.addEventListener("keydown", (event) => {
    const target = targetOf(event);
    if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!pressKey(target, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const type of ["pointerover", "focusin"]) {
    svg.addEventListener(type, (event) => {
      const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
      if (!isTouch) onPreview(indexOf(targetOf(event)));
    });
  }
  for (const type of ["pointerleave", "focusout"]) {
    svg.addEventListener(type, () => onPreview(-1));
  }
}
