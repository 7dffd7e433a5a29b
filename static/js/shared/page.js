/* Elements and data of the page. No script writes HTML text. */

const SVG = "http://www.w3.org/2000/svg";
const HIDDEN_NAME = "Hidden player"; // as in games/store/visibility.py
const HIDDEN_AVATAR = "M2 0h1v1h1v2h-1v2h-1v-2h-1v-2h1z";

/**
 * Make an element. A property with a hyphen in its name becomes an attribute.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) element.setAttribute(name, value);
    else Reflect.set(element, name, value);
  }
  element.append(...children);
  return element;
}

/**
 * Make the drawing of a player's mark, to stand beside a name.
 * @param {string} mark
 */
export function makeMark(mark) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("mark"));
  const svg = /** @type {SVGElement} */ (template.content.firstElementChild.cloneNode(true));
  svg.dataset.mark = mark;
  return svg;
}

/**
 * Make a player's avatar, to stand before the name. Screen readers ignore it.
 * @param {string} name as displayed
 */
export function makeAvatar(name) {
  const { hue, path } = computeAvatar(name);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "avatar");
  svg.setAttribute("viewBox", "-1 -1 7 7");
  svg.setAttribute("aria-hidden", "true");
  svg.dataset.hue = hue;
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

/**
 * Return the colour and the pattern of a name, as `compute_avatar` in
 * games/templatetags/avatars.py does.
 * @param {string} name
 */
export function computeAvatar(name) {
  if (name === HIDDEN_NAME) return { hue: "", path: HIDDEN_AVATAR };
  const number = hash(name);
  let path = "";
  for (let row = 0; row < 5; row += 1) {
    const [outer, inner, middle] = [0, 1, 2].map((column) => (number >>> (3 * row + column)) & 1);
    let start = 0;
    for (const [column, isFilled] of [outer, inner, middle, inner, outer, 0].entries()) {
      if (isFilled) continue;
      if (column > start) path += `M${start} ${row}h${column - start}v1h${start - column}z`;
      start = column + 1;
    }
  }
  return { hue: String((number >>> 24) % 8), path };
}

/**
 * FNV-1a with the last steps of MurmurHash3.
 * @param {string} name
 */
function hash(name) {
  let number = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) {
    number = Math.imul(number ^ byte, 0x01000193);
  }
  number = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  number = Math.imul(number ^ (number >>> 13), 0xc2b2ae35);
  return (number ^ (number >>> 16)) >>> 0;
}

/**
 * Make an icon that the page defines.
 * @param {string} name
 */
export function makeIcon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/**
 * Return the nearest element around an event's target that matches, or null.
 * @param {Event} event
 * @param {string} selector
 */
export function closest(event, selector) {
  return /** @type {Element} */ (event.target).closest(selector);
}

/**
 * Read the JSON that the server put into the page.
 * @param {string} id
 */
export function readData(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/**
 * Run a change that may alter the height of content above, and scroll so that the reader still sees
 * the same text at the same place.
 * @param {() => void} change
 */
export function keepScrollPosition(change) {
  const anchor = document.elementFromPoint(innerWidth / 2, innerHeight * 0.6);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  change();
  if (!anchor?.isConnected) return;
  const moved = anchor.getBoundingClientRect().top - before;
  if (moved) window.scrollBy({ top: moved, behavior: "instant" });
}
