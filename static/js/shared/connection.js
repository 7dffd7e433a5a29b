/* Tells how the connection is, without moving anything on the page. */

const GRACE = 700; // ms: a blink is not worth a word
const ENDS = {
  4401: "You have been signed out. Reload the page to go on.",
  4403: "You are suspended. Reload the page to see why, and until when.",
  4429: "This page was too busy, or too many are open. Close some, then reload this one.",
  4404: "This match does not exist.",
};

const notice = document.getElementById("connection");
let timer = 0;

export function showLost() {
  clearTimeout(timer);
  timer = setTimeout(() => tell("Reconnecting…"), GRACE);
}

export function showOpen() {
  clearTimeout(timer);
  notice.hidden = true;
}

export function showEnd(code) {
  clearTimeout(timer);
  tell(ENDS[code] ?? "The connection has ended. Reload the page to go on.");
}

function tell(words) {
  notice.textContent = words;
  notice.hidden = false;
}
