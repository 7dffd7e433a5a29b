/* The end on the board: a stroke through each line that ended the game, drawn once as it ends, and
   the boxes counted. Where motion is unwanted, the strokes simply stand there. */

const STROKE = 500; // ms for a stroke to be drawn
const COUNT = 1400; // ms for all boxes to be counted
const LEAST = 3; // elements of a line
const SVG = "http://www.w3.org/2000/svg";

/* Put strokes through the lines that these elements form, one layer over the board. */
export function drawStrokes(svg, line) {
  svg.querySelector(".strokes")?.remove();
  if (!line.length) return;
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", "strokes");
  for (const [from, to] of linesOf(line)) {
    const stroke = document.createElementNS(SVG, "line");
    const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y, pathLength: 1 };
    for (const [name, value] of Object.entries(ends)) stroke.setAttribute(name, value);
    layer.append(stroke);
  }
  svg.append(layer);
}

/* Play the end: `scores` are the elements that show what each side gained. */
export function flourish(svg, scores) {
  if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const stroke of svg.querySelectorAll(".strokes line")) {
    stroke.animate([{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], {
      duration: STROKE,
      easing: "ease-in-out",
    });
  }
  const boxes = [...svg.querySelectorAll('.box:not([data-mark="."]) > .ground')];
  boxes.forEach((box, index) => {
    box.animate([{ opacity: 0.2 }, { opacity: 1 }], {
      duration: 250,
      delay: (index * COUNT) / boxes.length,
      fill: "backwards",
    });
  });
  for (const score of scores) if (Number(score.textContent)) countUp(score);
}

function countUp(score) {
  const last = Number(score.textContent);
  const began = performance.now();
  const step = (now) => {
    const part = Math.max(0, Math.min(1, (now - began) / COUNT));
    score.textContent = String(Math.round(part * last));
    if (part < 1) requestAnimationFrame(step);
  };
  step(began);
}

/* The longest straight lines among elements of one grid, each by its two ends. */
function linesOf(elements) {
  const found = [];
  for (const grid of new Set(elements.map((element) => element.dataset.grid))) {
    const places = elements.filter((element) => element.dataset.grid === grid).map(placeOf);
    const lines = places.flatMap((from, index) =>
      places.slice(index + 1).map((to) => ({
        from,
        to,
        count: places.filter((place) => isBetween(place, from, to)).length,
      })),
    );
    const most = Math.max(LEAST, ...lines.map((line) => line.count));
    for (const { from, to, count } of lines) if (count === most) found.push([from, to]);
  }
  return found;
}

function isBetween({ x, y }, from, to) {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const isOnLine = Math.abs((x - from.x) * dy - (y - from.y) * dx) < 1;
  const along = (x - from.x) * dx + (y - from.y) * dy;
  return isOnLine && along >= 0 && along <= dx * dx + dy * dy;
}

function placeOf(element) {
  const { e: x, f: y } = element.transform.baseVal.getItem(0).matrix;
  return { x, y };
}
