/* A board on the page: draws a diagram into it, and turns clicks and keys into actions.
   It knows no rule: element i shows diagram[i], an element says itself what it sends, and the state
   says which elements are open. */

import { fill } from "./drawing.js";
import { drawStrokes } from "./flourish.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/* Make a drawing answer to its viewer. `onAction(action)` is called with what is to be sent, and
   `onPick()` when a part of an action is chosen. */
export function mount(svg, { onAction, onPick }) {
  const elements = [...svg.querySelectorAll(".element")];
  const targets = elements.filter((e) => e.dataset.action || e.dataset.grid);
  const grids = [...new Set(targets.map((e) => e.dataset.grid).filter(Boolean))].sort();
  const words = new Map(svg.dataset.words.split("|").map((pair) => splitOnce(pair)));
  const picks = new Map(); // grid -> the element picked on it
  let open = new Set(); // the elements that the viewer may act on now
  let diagram = "";
  let drawn = ""; // the line that strokes are drawn through
  let closing = new Map(); // an element -> those that an action on it would close
  for (const target of targets) target.setAttribute("role", "button");
  reach(targets[0]);

  function draw(state) {
    if (state.diagram !== diagram) picks.clear();
    diagram = state.diagram;
    open = new Set(state.open ? elements.filter((_, index) => bit(state.open, index)) : []);
    fill(svg, state);
    const line = (state.line ?? []).map((index) => elements[index]);
    if (String(state.line ?? "") !== drawn) drawStrokes(svg, line);
    drawn = String(state.line ?? "");
    svg.toggleAttribute("data-playable", open.size > 0);
    if (state.hand) svg.dataset.hand = state.hand;
    closing = new Map();
    for (const [from, to] of state.closing ?? []) {
      closing.set(elements[from], [...(closing.get(elements[from]) ?? []), elements[to]]);
    }
    showGhosts(null);
    showChosen(state.pending);
    for (const element of elements) name(element);
  }

  function showChosen(pending) {
    const sent = pending ? own(pending) : [];
    const picked = new Set([...picks.values(), ...sent]);
    for (const target of targets) {
      const isOpen = open.has(target);
      target.toggleAttribute("data-open", isOpen);
      target.setAttribute("aria-disabled", String(!isOpen));
      target.toggleAttribute("data-chosen", picked.has(target));
      if (target.dataset.grid) target.setAttribute("aria-pressed", String(picked.has(target)));
    }
  }

  /* Show what an action on the target would close besides. */
  function showGhosts(target) {
    const ghosts = open.has(target) ? (closing.get(target) ?? []) : [];
    for (const each of svg.querySelectorAll("[data-ghost]")) each.removeAttribute("data-ghost");
    for (const each of ghosts) each.setAttribute("data-ghost", "");
  }

  /* The grid on which a cell is still to be chosen, where one is chosen already; else null. */
  function nextGrid() {
    return picks.size ? (grids.find((grid) => !picks.has(grid)) ?? null) : null;
  }

  /* The coordinates of an action; "" where it lies off the board. */
  function placeOf(action) {
    return own(action)
      .map((each) => each.dataset.place ?? "")
      .join(" · ");
  }

  function name(element) {
    if (!element.dataset.name) return;
    const word = words.get(element.dataset.mark) ?? element.dataset.mark;
    const text = `${element.dataset.name}, ${word}`;
    if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
  }

  /* The elements by which an action is given. */
  function own(action) {
    const alone = targets.filter((e) => e.dataset.action === action);
    if (alone.length || !grids.length) return alone;
    const parts = action.split(" ").slice(1);
    return targets.filter((e) => {
      const at = 2 * grids.indexOf(e.dataset.grid);
      return e.dataset.cell === parts.slice(at, at + 2).join(" ");
    });
  }

  function act(target) {
    if (!open.has(target)) return;
    if (target.dataset.action) {
      onAction(target.dataset.action);
      return;
    }
    const { grid } = target.dataset;
    const isChange = picks.get(grid) !== target;
    if (isChange) picks.set(grid, target);
    else if (picks.size < grids.length) picks.delete(grid);
    showChosen();
    if (picks.size === grids.length) {
      const cells = grids.map((each) => picks.get(each).dataset.cell);
      onAction([svg.dataset.verb, ...cells].join(" "));
    } else onPick();
  }

  function clear() {
    picks.clear();
    showChosen();
  }

  /* The one element that the tab key leads to. */
  function reach(target) {
    for (const each of targets) each.setAttribute("tabindex", each === target ? "0" : "-1");
  }

  svg.addEventListener("click", (event) => {
    const target = event.target.closest("[data-action],[data-grid]");
    if (target) act(target);
  });
  for (const kind of ["pointerover", "focusin"]) {
    svg.addEventListener(kind, (event) => {
      if (event.pointerType !== "touch")
        showGhosts(event.target.closest("[data-action],[data-grid]"));
    });
  }
  for (const kind of ["pointerleave", "focusout"]) {
    svg.addEventListener(kind, () => showGhosts(null));
  }
  svg.addEventListener("keydown", (event) => {
    const target = event.target.closest("[data-action],[data-grid]");
    if (!target || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") act(target);
    else if (event.key === "Escape" && picks.size) {
      clear();
      onPick();
    } else if (ARROWS[event.key]) {
      const next = nearest(target, targets, ARROWS[event.key]);
      if (next) {
        reach(next);
        next.focus();
      }
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return { draw, clear, nextGrid, placeOf };
}

/* The target that lies nearest in a direction; straight ahead counts before aside. */
function nearest(from, targets, [dx, dy]) {
  const start = place(from);
  let best = null;
  let least = Infinity;
  for (const target of targets) {
    const { x, y } = place(target);
    const ahead = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    if (ahead < 1 || aside > ahead + 1) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [target, cost];
  }
  return best;
}

function place(element) {
  const { e: x, f: y } = element.transform.baseVal.getItem(0).matrix;
  return { x, y };
}

/* Whether the element of that index is open: a bit for each, four to a hexadecimal digit. */
function bit(packed, index) {
  return (parseInt(packed[index >> 2], 16) & (8 >> (index & 3))) !== 0;
}

function splitOnce(pair) {
  const at = pair.indexOf("=");
  return [pair.slice(0, at), pair.slice(at + 1)];
}
