/* Geometry of a board's elements: the neighbour that an arrow key leads to, and straight lines. */

const MIN_LINE = 3; // elements

/** @typedef {{x: number, y: number}} Point */

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
 * Return the ends of the longest straight lines through the points.
 * @param {Point[]} points
 * @returns {[Point, Point][]}
 */
export function findLines(points) {
  const lines = points.flatMap((from, index) =>
    points.slice(index + 1).map((to) => ({
      from,
      to,
      count: points.filter((point) => isBetween(point, from, to)).length,
    })),
  );
  const most = Math.max(MIN_LINE, ...lines.map((line) => line.count));
  return lines.filter((line) => line.count === most).map(({ from, to }) => [from, to]);
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
