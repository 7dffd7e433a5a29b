/* Going to the viewer's game when it begins: once for each match, and one tab only of those that are
   open in this browser, rather one that is seen. A page on which somebody is typing stays. */

const TOLD = "gone-to"; // in localStorage: the match to which a tab of this browser has gone last
const BEHIND = 800; // ms for which a tab in the background waits whether another one goes

const known = new Set(); // matches that the page has shown from the first: their player is aware

export function noteShown(matches) {
  for (const match of matches) known.add(match);
}

/* Go to the first of these that has just begun. Gives whether there is one. */
export function goOnce(begun) {
  const news = begun.filter((match) => !known.has(match.match));
  noteShown(news.map((match) => match.match));
  if (!news.length) return false;
  if (document.visibilityState === "visible") go(news[0]);
  else setTimeout(() => go(news[0]), BEHIND);
  return true;
}

async function go({ match, url }) {
  if (document.activeElement?.matches("input, select, textarea")) return;
  if (await isFirst(match)) location.assign(url);
}

/* Whether no other tab of this browser goes there. Where the browser has locks, two that ask at the
   same moment are not both first. */
async function isFirst(match) {
  if (localStorage.getItem(TOLD) === match) return false;
  localStorage.setItem(TOLD, match);
  if (!navigator.locks) return true;
  return new Promise((decide) => {
    navigator.locks.request(`go ${match}`, { ifAvailable: true }, (lock) => {
      decide(lock !== null);
      return lock && new Promise(() => {}); // held until this page is left
    });
  });
}
