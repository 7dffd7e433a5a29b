/* The slim bar under the masthead: how many games wait for the viewer, but for that of this page. */

import { renderMessage } from "./messages.js";
import { keepPlace } from "./page.js";

const bar = document.getElementById("games-wait");

/* Show the games that wait. A bar that was shown stays where it is, so that nothing moves up. */
export function showBar(games) {
  if (!bar || (bar.hidden && !games.length)) return;
  const [first] = games;
  bar.textContent = renderMessage(
    games.length ? { code: "waiting.games", count: games.length } : { code: "waiting.no-games" },
  );
  bar.href = games.length === 1 ? first.url : "/";
  bar.toggleAttribute("data-none", !games.length);
  if (bar.hidden)
    keepPlace(() => {
      bar.hidden = false;
    });
}
