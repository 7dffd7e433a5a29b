/* What this tab has asked for, kept from page to page.

   Seeks: of a player's tabs, only one that asked goes to the match by itself, wherever in the lobby
   it is by then, and after a reload too. And the setup that is to be played again with somebody
   else: kept from the match's page to the lobby, which takes it up once. */

const KEPT = "asked";
const AGAIN = "again";
const MOST = 20;

let seeks = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");

export function askedSeeks() {
  return [...seeks];
}

/* What a lobby's socket says of them. */
export const HEAR_ASKED = {
  seeking(frame) {
    addAsked(frame.seek);
  },
  cancelled(frame) {
    dropAsked(frame.seek);
  },
  paired(frame) {
    dropAllAsked();
    location.assign(frame.url);
  },
};

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

export function keepAgain({ game, clock, options, rated }) {
  sessionStorage.setItem(
    AGAIN,
    JSON.stringify({ game, clock: clock || null, options, rated: rated === "yes" }),
  );
}

export function takeAgain() {
  const kept = sessionStorage.getItem(AGAIN);
  sessionStorage.removeItem(AGAIN);
  return kept && JSON.parse(kept);
}
