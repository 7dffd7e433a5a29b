/* Actions that are chosen by several clicks, such as a move from one place to another. A trail is what is
   picked so far: one element for each step. Functions of this file need no page and know no rule. */

/**
 * Return whether an element is one of those of a path's step.
 * @param {Path} path
 * @param {number} step
 * @param {number} index
 */
function hasElement([, , steps], step, index) {
  const elements = steps[step];
  return Array.isArray(elements) ? elements.includes(index) : elements === index;
}

/**
 * Return the paths that begin with a trail.
 * @param {Path[]} paths
 * @param {number[]} trail
 */
function pathsAlong(paths, trail) {
  return paths.filter((path) => trail.every((index, step) => hasElement(path, step, index)));
}

/**
 * Return the elements that continue a trail.
 * @param {Path[]} paths
 * @param {number[]} trail
 * @returns {number[]}
 */
export function nextElements(paths, trail) {
  return pathsAlong(paths, trail).flatMap(([, , steps]) => steps[trail.length] ?? []);
}

/**
 * Return the trail after a click on an element. A second click on the last element takes it back. An
 * element that continues no path begins another one.
 * @param {Path[]} paths
 * @param {number[]} trail
 * @param {number} index
 */
export function follow(paths, trail, index) {
  if (nextElements(paths, trail).includes(index)) return [...trail, index];
  if (trail.at(-1) === index) return trail.slice(0, -1);
  return nextElements(paths, []).includes(index) ? [index] : trail;
}

/**
 * Return the longest part of a trail that still begins a path.
 * @param {Path[]} paths
 * @param {number[]} trail
 */
export function trim(paths, trail) {
  const kept = [...trail];
  while (kept.length && !pathsAlong(paths, kept).length) kept.pop();
  return kept;
}

/**
 * Return the action of a trail, or null if several are possible or a step is missing.
 * @param {Path[]} paths
 * @param {number[]} trail
 */
export function actionAt(paths, trail) {
  const along = trail.length ? pathsAlong(paths, trail) : [];
  const [path] = along;
  return along.length === 1 && path[2].length === trail.length ? path[0] : null;
}

/**
 * Return the actions that need no further step, if there are several or others need one: the player
 * chooses one of them with a button.
 * @param {Path[]} paths
 * @param {number[]} trail
 * @returns {string[]}
 */
export function choicesAt(paths, trail) {
  const along = trail.length ? pathsAlong(paths, trail) : [];
  if (along.length < 2) return [];
  return along.filter(([, , steps]) => steps.length === trail.length).map(([action]) => action);
}

/**
 * Return the elements of an action. Of a column, this is the place where the piece would land, if the
 * frame says so.
 * @param {Path[]} paths
 * @param {string} action
 * @param {Map<number, number[]>} closing
 * @returns {number[]}
 */
export function elementsOfPath(paths, action, closing) {
  const path = paths.find(([each]) => each === action);
  return (path?.[2] ?? []).flatMap((step) => {
    if (!Array.isArray(step)) return [step];
    return closing.get(step[0]) ?? step;
  });
}
