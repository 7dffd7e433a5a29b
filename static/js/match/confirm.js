/* A second step before an action is sent, for those who want it: on by default where one taps. */

import { makeMark } from "../shared/page.js";

const panel = document.getElementById("confirm-action");
const QUIET = 600; // ms after an answer for which a second tap there is no answer to anything else

const stage = document.getElementById("stage");
const words = document.getElementById("confirm-words");

/* `onYes(action)` sends it, `onNo()` forgets it. */
export function makeConfirm({ onYes, onNo }) {
  let asked = null;

  /* `question`: its text, and the mark that the action makes. */
  function ask(action, question) {
    if (asked === action) {
      yes(); // the same again means: yes
      return;
    }
    asked = action;
    words.replaceChildren(makeMark(question.mark), question.text);
    panel.hidden = false;
  }

  function yes() {
    const action = asked;
    clear();
    stage.classList.add("quiet-now");
    setTimeout(() => stage.classList.remove("quiet-now"), QUIET);
    if (action) onYes(action);
  }

  function clear() {
    asked = null;
    panel.hidden = true;
  }

  document.getElementById("confirm-yes").addEventListener("click", yes);
  document.getElementById("confirm-no").addEventListener("click", () => {
    clear();
    onNo();
  });
  return { ask, clear, asked: () => asked };
}
