/* Geometry of a board's elements: the neighbour that an arrow key leads to, and straight lines. */

const MIN_LINE = 3; // elements
const REACH = 0.45; // of an element's size: from its centre to the end of a stroke, beyond its mark

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {size: number, grid?: string}} Place */

/**
 * Return the index of the nearest point in a direction, or -1. A point straight ahead is preferred to
 * a closer one off to the side.
 * @param {Point} from
 * @param {Point[]} points
 * @param {[number, number]} direction
 */
export function findNearest(from, points, [dx, dy]) {
  let nearest = -1;
  let least = Infinity;
  points.forEach(({ x, y }, index) => {
    const ahead = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    if (ahead < 1 || aside > ahead + 1) return;
    const cost = ahead + 2 * aside;
    if (cost < least) [nearest, least] = [index, cost];
  });
  return nearest;
}

/**
 * Return the ends of strokes through the longest straight lines of each grid, from the outer edge of
 * the first mark to that of the last. `games/boards/drawing.py` has the same function.
 * @param {Place[]} places
 * @returns {[number, number, number, number][]}
 */
export function findStrokes(places) {
  const grids = [...new Set(places.map((place) => place.grid))];
  return grids.flatMap((grid) => findLines(places.filter((place) => place.grid === grid)));
}

/**
 * @param {Place[]} places those of one grid
 * @returns {[number, number, number, number][]}
 */
function findLines(places) {
  const lines = places.flatMap((from, index) =>
    places.slice(index + 1).map((to) => ({
      from,
      to,
      count: places.filter((place) => isBetween(place, from, to)).length,
    })),
  );
  const most = Math.max(MIN_LINE, ...lines.map((line) => line.count));
  return lines
    .filter((line) => line.count === most)
    .map(({ from, to }) => {
      const reach = (REACH * from.size) / Math.hypot(to.x - from.x, to.y - from.y);
      const [dx, dy] = [(to.x - from.x) * reach, (to.y - from.y) * reach];
      const ends = [from.x - dx, from.y - dy, to.x + dx, to.y + dy];
      return /** @type {any} */ (ends.map((each) => Math.round(10 * each) / 10));
    });
}

/**
 * @param {Point} point
 * @param {Point} from
 * @param {Point} to
 */
function isBetween({ x, y }, from, to) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const isOnLine = Math.abs((x - from.x) * dy - (y - from.y) * dx) < 1;
  const along = (x - from.x) * dx + (y - from.y) * dy;
  return isOnLine && along >= 0 && along <= dx * dx + dy * dy;
}

/**
 * Return the position of an element, which the board sets by a transform.
 * @param {SVGGraphicsElement} element
 * @returns {Point}
 */
export function pointOf(element) {
  const { e: x, f: y } = element.transform.baseVal.getItem(0).matrix;
  return { x, y };
}

/**
 * Return where an element is, how large, and on which grid.
 * @param {SVGGraphicsElement} element
 * @returns {Place}
 */
export function placeOf(element) {
  const ground = element.querySelector(".ground");
  const size = Number(ground.getAttribute("width") ?? ground.dataset.size);
  return { ...pointOf(element), size, grid: element.dataset.grid };
}
