/* Tells how the connection is, without moving anything on the page. */

import { say } from "./words.js";

const GRACE = 700; // ms: a blink is not worth a word
const ENDS = new Set([4401, 4403, 4404, 4429]); // those that there is a sentence for

const notice = document.getElementById("connection");
let timer = 0;

export function showLost() {
  clearTimeout(timer);
  timer = setTimeout(() => tell({ code: "connection.lost" }), GRACE);
}

export function showOpen() {
  clearTimeout(timer);
  notice.hidden = true;
}

export function showEnd(code) {
  clearTimeout(timer);
  tell({ code: ENDS.has(code) ? `connection.${code}` : "connection.ended" });
}

function tell(words) {
  notice.textContent = say(words);
  notice.hidden = false;
}
