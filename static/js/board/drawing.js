/* A diagram shown in a drawing of its board. Drawings that are small and many are told by what has
   changed on them since they were told last. */

const EMPTY = ".";
const starts = new Map(); // the marks of each game's empty board

/* Show a diagram in a drawing; `fresh`, `line` and `better` are indices of elements. */
export function fill(svg, { diagram, fresh = [], line = [], better = [] }) {
  const isFresh = new Set(fresh);
  const isLine = new Set(line);
  const isBetter = new Set(better);
  svg.querySelectorAll(".element").forEach((element, index) => {
    const mark = diagram[index] ?? EMPTY;
    if (element.dataset.mark !== mark) element.dataset.mark = mark;
    element.toggleAttribute("data-fresh", isFresh.has(index));
    element.toggleAttribute("data-line", isLine.has(index));
    element.toggleAttribute("data-better", isBetter.has(index));
  });
}

/* `emptyBoard(game)` gives the drawing of a game that copies are made of. */
export function makeDrawings(emptyBoard) {
  const boards = new Map(); // what is known of each match: {marks, fresh, line, turn, badges}

  function startOf(game) {
    if (!starts.has(game)) {
      const elements = [...emptyBoard(game).querySelectorAll(".element")];
      starts.set(
        game,
        elements.map((element) => element.dataset.mark),
      );
    }
    return starts.get(game);
  }

  /* Learn what is new of a match's board. */
  function learn({ match, marks, ...more }, game) {
    const known = boards.get(match) ?? { marks: [...startOf(game)], line: [] };
    const board = { ...known, ...more };
    for (const [index, mark] of Object.entries(marks)) board.marks[index] = mark;
    boards.set(match, board);
  }

  /* Show what is known in the element of that match: its board, and who is to move. */
  function draw(match, element) {
    const board = boards.get(match);
    if (!board || !element) return;
    fill(element.querySelector(".board"), { ...board, diagram: board.marks });
    for (const name of element.querySelectorAll("[data-seat]")) {
      name.toggleAttribute("data-moves", name.dataset.seat === board.turn);
      name.querySelector(".mark").dataset.mark = board.badges?.[name.dataset.seat] ?? ".";
    }
  }

  return {
    learn,
    draw,
    copy: (game) => emptyBoard(game).cloneNode(true),
    forget: (match) => boards.delete(match),
    forgetAll: () => boards.clear(),
  };
}
