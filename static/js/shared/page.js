/* Elements and data of the page. No script writes HTML text. */

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
