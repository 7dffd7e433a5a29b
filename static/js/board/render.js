/* Drawing a board that the viewer can play on: choices, previews, names for screen readers, and the
   end of the match. */

import { chosenElements, targetElements } from "./state.js";

const STROKE_TIME = 500; // ms
const BOX_TIME = 250; // ms
const COUNT_TIME = 1400; // ms for all boxes, and for each score

/**
 * Show which elements the viewer can act on, and which they have chosen.
 * @param {Element} svg
 * @param {SVGGraphicsElement[]} elements
 * @param {import("./state.js").BoardState} state
 */
export function renderChoices(svg, elements, state) {
  const chosen = chosenElements(state);
  const targets = targetElements(state);
  svg.toggleAttribute("data-playable", state.open.size > 0);
  elements.forEach((element, index) => {
    const { action, grid, step } = state.elements[index];
    if (!action && !grid && step === undefined) return;
    const isOpen = state.open.has(index);
    element.toggleAttribute("data-open", isOpen);
    element.setAttribute("aria-disabled", String(!isOpen));
    element.toggleAttribute("data-chosen", chosen.has(index));
    element.toggleAttribute("data-target", targets.has(index));
    if (!action) element.setAttribute("aria-pressed", String(chosen.has(index)));
  });
}

/**
 * Show what acting on an element would close as well; nothing for -1.
 * @param {SVGGraphicsElement[]} elements
 * @param {import("./state.js").BoardState} state
 * @param {number} index
 */
export function renderPreview(elements, { open, closing }, index) {
  const preview = new Set(open.has(index) ? closing.get(index) : []);
  elements.forEach((element, each) => {
    element.toggleAttribute("data-ghost", preview.has(each));
  });
}

/**
 * Name each element and its mark for screen readers.
 * @param {SVGGraphicsElement[]} elements
 * @param {Map<string, string>} words the name of each mark
 */
export function renderNames(elements, words) {
  for (const element of elements) {
    const { name, mark } = element.dataset;
    if (!name) continue;
    const label = `${name}, ${words.get(mark) ?? mark}`;
    if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
  }
}

/**
 * Animate the end of a match: strokes are drawn through the winning lines, boxes light up one after the
 * other, and scores count up. Visitors who prefer reduced motion see none of it.
 * @param {Element} svg
 * @param {NodeListOf<HTMLElement>} scores the elements that show the scores
 */
export function animateEnd(svg, scores) {
  if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const stroke of svg.querySelectorAll(".strokes line")) {
    stroke.animate([{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], {
      duration: STROKE_TIME,
      easing: "ease-in-out",
    });
  }
  const boxes = [...svg.querySelectorAll('.box:not([data-mark="."]) > .ground')];
  boxes.forEach((box, index) => {
    box.animate([{ opacity: 0.2 }, { opacity: 1 }], {
      duration: BOX_TIME,
      delay: (index * COUNT_TIME) / boxes.length,
      fill: "backwards",
    });
  });
  for (const score of scores) if (Number(score.textContent)) countUp(score);
}

/** @param {HTMLElement} score */
function countUp(score) {
  const last = Number(score.textContent);
  const start = performance.now();
  const step = (/** @type {number} */ now) => {
    const progress = Math.max(0, Math.min(1, (now - start) / COUNT_TIME));
    score.textContent = String(Math.round(progress * last));
    if (progress < 1) requestAnimationFrame(step);
  };
  step(start);
}
