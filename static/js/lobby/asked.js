/* The seeks that this tab asked for: of a player's tabs, only one that asked goes to the match by
   itself, wherever in the lobby it is by then, and after a reload too. */

const KEPT = "asked";
const MOST = 20;

let seeks = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");

export function askedSeeks() {
  return [...seeks];
}

export function addAsked(seek) {
  keep([...seeks.filter((each) => each !== seek), seek].slice(-MOST));
}

export function dropAsked(seek) {
  keep(seeks.filter((each) => each !== seek));
}

export function dropAllAsked() {
  keep([]);
}

function keep(those) {
  seeks = those;
  sessionStorage.setItem(KEPT, JSON.stringify(seeks));
}
