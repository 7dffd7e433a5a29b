/* The buttons beside the board: resign, draw, rematch. Which of them there are, the server says. */

import { make } from "./page.js";

const panel = document.getElementById("commands");
const WORDS = {
  resign: "Resign",
  abort: "Abort",
  "offer-draw": "Offer a draw",
  "accept-draw": "Accept the draw",
  "decline-draw": "Decline",
  "claim-draw": "Nobody can win any more: claim a draw",
  rematch: "Rematch",
  "claim-abandoned": "Your opponent has left: claim the match",
  "claim-stalled": "Your opponent does not play on: claim the match",
};
const ASK = { resign: "Really resign?", abort: "Really abort the match?" };

let shown = "";

/* Show the buttons for `can`; `send(type)` is called with what was pressed. */
export function drawCommands(state, send) {
  const asked = state.rematch?.by;
  const can = state.can.filter((type) => type !== "rematch" || asked !== state.you);
  const key = [...can, asked].join(" ");
  if (key === shown) return;
  shown = key;
  const buttons = can.map((type) => {
    const isAnswer = type === "rematch" && asked;
    const words = isAnswer ? "Accept the rematch" : WORDS[type];
    const primary = type === "accept-draw" || type === "rematch" ? "button primary" : "button";
    const button = make("button", { type: "button", className: primary, textContent: words,
      "data-command": type });
    button.addEventListener("click", () => (ASK[type] ? confirm(type, button, send) : send(type)));
    return button;
  });
  panel.replaceChildren(...buttons);
}

/* A second step beside the button, not a box over the page. */
function confirm(type, button, send) {
  const yes = make("button", { type: "button", className: "button danger", textContent: "Yes",
    "data-confirm": type });
  const no = make("button", { type: "button", className: "button", textContent: "No" });
  const row = make("div", { className: "confirm", role: "group", "aria-label": ASK[type] },
    make("span", { textContent: ASK[type] }), yes, no);
  const back = () => {
    row.replaceWith(button);
    button.focus();
  };
  yes.addEventListener("click", () => {
    row.remove();
    shown = "";
    send(type);
  });
  no.addEventListener("click", back);
  row.addEventListener("keydown", (event) => {
    if (event.key === "Escape") back();
  });
  button.replaceWith(row);
  yes.focus();
}
