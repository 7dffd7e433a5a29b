/* The seeks that this tab created. When one is paired, only the tab that created it goes to the
   match: from any page of the lobby, and after a reload too. */

const KEY = "asked";
const NEXT_SETUP_KEY = "again";
const MAX_SEEKS = 20;

/** @type {string[]} */
let seeks = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");

export function listTabSeeks() {
  return [...seeks];
}

/** @param {string} seek */
export function addTabSeek(seek) {
  store([...seeks.filter((each) => each !== seek), seek].slice(-MAX_SEEKS));
}

/** @param {string} seek */
export function removeTabSeek(seek) {
  store(seeks.filter((each) => each !== seek));
}

export function clearTabSeeks() {
  store([]);
}

/** @param {string[]} next */
function store(next) {
  seeks = next;
  sessionStorage.setItem(KEY, JSON.stringify(seeks));
}

/** Handlers for the frames of the lobby socket about seeks of this tab. */
export const SEEK_HANDLERS = {
  seeking(/** @type {{seek: string}} */ frame) {
    addTabSeek(frame.seek);
  },
  cancelled(/** @type {{seek: string}} */ frame) {
    removeTabSeek(frame.seek);
  },
  paired(/** @type {{url: string}} */ frame) {
    clearTabSeeks();
    location.assign(frame.url);
  },
};

/**
 * Remember the setup of a match, so that the lobby seeks a new opponent for it. Its options are left
 * out: the first games against the computer have some, and people wait for the usual game.
 * @param {DOMStringMap} setup the data attributes of the match's element
 */
export function saveNextSetup({ game, clock, rated }) {
  const setup = { game, clock: clock || null, rated: rated === "yes" };
  sessionStorage.setItem(NEXT_SETUP_KEY, JSON.stringify(setup));
}

/** Return the setup to seek an opponent for, if any, and forget it. */
export function takeNextSetup() {
  const saved = sessionStorage.getItem(NEXT_SETUP_KEY);
  sessionStorage.removeItem(NEXT_SETUP_KEY);
  return saved && JSON.parse(saved);
}
