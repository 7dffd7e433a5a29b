/* The buttons beside the board: resign, draw, rematch. Which of them there are, the server says. */

import { renderMessage } from "../shared/messages.js";
import { make } from "../shared/page.js";

const panel = document.getElementById("commands");
const ASKED = new Set(["resign", "abort"]); // whether that is really meant

let shown = null; // what the buttons were drawn for

/* Show the buttons for `can`; `send(type)` is called with what was pressed. */
export function drawCommands(state, send) {
  const asked = state.rematch?.by;
  const can = state.can.filter((type) => type !== "rematch" || asked !== state.you);
  const key = [...can, asked].join(" ");
  if (key === shown) return;
  shown = key;
  const buttons = can.map((type) => {
    const isAnswer = type === "rematch" && asked;
    const words = renderMessage({ code: isAnswer ? "do.rematch.accept" : `do.${type}` });
    const primary = type === "accept-draw" || type === "rematch" ? "button primary" : "button";
    const button = make("button", {
      type: "button",
      className: primary,
      textContent: words,
      "data-command": type,
    });
    button.addEventListener("click", () =>
      ASKED.has(type) ? confirm(type, button, send) : send(type),
    );
    return button;
  });
  panel.replaceChildren(...buttons);
}

/* A second step beside the button, not a box over the page. */
function confirm(type, button, send) {
  const question = renderMessage({ code: `do.${type}.ask` });
  const yes = make("button", {
    type: "button",
    className: "button danger",
    textContent: renderMessage({ code: "do.yes" }),
    "data-confirm": type,
  });
  const no = make("button", {
    type: "button",
    className: "button",
    textContent: renderMessage({ code: "do.no" }),
  });
  const row = make(
    "div",
    { className: "confirm", role: "group", "aria-label": question },
    make("span", { textContent: question }),
    yes,
    no,
  );
  const back = () => {
    row.replaceWith(button);
    button.focus();
  };
  yes.addEventListener("click", () => {
    row.remove();
    shown = null;
    send(type);
  });
  no.addEventListener("click", back);
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") back();
  });
  button.replaceWith(row);
  yes.focus();
}
