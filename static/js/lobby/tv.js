/* The TV page: the most watched matches, each on its board; the first one is large. */

import "../shared/dialog.js";
import "../shared/notifications.js";
import "../shared/offline.js";
import { createThumbnails, findTemplate } from "../board/diagram.js";
import { outcomeMessage, renderMessage, showName } from "../shared/messages.js";
import { make, makeAvatar, makeMark, readData } from "../shared/page.js";
import { openSocket } from "../shared/socket.js";
import { formatDuration, makeClock, syncServerTime, tickCountdowns } from "../shared/time.js";
import { playersMessage } from "./seek.js";
import { arrangeWall } from "./stable-list.js";

const list = document.getElementById("wall");
const emptyNotice = document.getElementById("nobody");
const thumbnails = createThumbnails((game) => findTemplate(game).content.querySelector(".board"));
/** @type {Map<string, ListedMatch>} */
let matches = new Map();
/** @type {Map<string, WallClock>} the clocks of the timed matches */
const clocks = new Map();

openSocket("/ws/lobby/?shows=wall", {
  onOpen() {
    thumbnails.clear(); // the first frame sends all boards from the start
  },
  onFrame(frame) {
    if (frame.type === "wall") draw(frame);
  },
});

/**
 * @param {{matches?: ListedMatch[], boards?: BoardChange[], clocks?: Record<string, WallClock>,
 *   now?: number}} frame
 */
function draw({ matches: listed, boards = [], clocks: changed = {}, now }) {
  if (now) syncServerTime(now);
  for (const [match, clock] of Object.entries(changed)) clocks.set(match, clock);
  if (listed) {
    const known = listed.filter((match) => findTemplate(match.game));
    matches = new Map(known.map((match) => [match.match, match]));
    for (const match of clocks.keys()) if (!matches.has(match)) clocks.delete(match);
  }
  for (const board of boards) {
    const match = matches.get(board.match);
    if (match) thumbnails.update(board, match.game);
  }
  if (listed) drawPlaces();
  for (const { match } of boards) thumbnails.draw(match, itemOf(match));
  for (const match of listed ? matches.keys() : Object.keys(changed)) drawClocks(match);
  tickCountdowns();
}

function drawPlaces() {
  const places = [...list.querySelectorAll("li:not(.join)")];
  const shown = places.map((place) => place.dataset.match ?? null);
  arrangeWall(shown, [...matches.keys()]).forEach((match, index) => {
    const place = places[index];
    if (match === null) {
      if (shown[index]) place.replaceWith(makeFreePlace());
    } else if (shown[index] === match && place.dataset.made) drawTexts(place, matches.get(match));
    else place.replaceWith(makeItem(matches.get(match)));
  });
  list.hidden = matches.size === 0;
  emptyNotice.hidden = matches.size > 0;
}

function makeFreePlace() {
  return make("li", { className: "free", "aria-hidden": "true" });
}

/** @param {ListedMatch} match */
function makeItem(match) {
  const names = Object.entries(match.seats).map(([role, seat]) =>
    make(
      "span",
      { className: "name", "data-seat": role },
      makeMark("."),
      makeAvatar(seat.name),
      make("bdi", { textContent: showName(seat.name) }),
      make("span", { className: "rating quiet", dir: "ltr" }),
      make("span", { className: "left" }),
    ),
  );
  const what = make(
    "span",
    { className: "what" },
    make("b", { textContent: renderMessage({ code: `${match.game}.name` }) }),
    " ",
    make("span", { className: "quiet" }, makeClock(match.clock)),
    make("span", { className: "watched" }),
  );
  const link = make(
    "a",
    { className: "panel watch", href: `/match/${match.match}/` },
    what,
    make("span", { className: "picture" }, thumbnails.copyBoard(match.game)),
    ...names,
    make("span", { className: "state" }),
  );
  const item = make(
    "li",
    { "data-match": match.match, "data-game": match.game, "data-made": "yes" },
    link,
  );
  drawTexts(item, match);
  thumbnails.draw(match.match, item);
  return item;
}

/**
 * Show the names, ratings, the number of watchers, and how the match ended.
 * @param {HTMLElement} item
 * @param {ListedMatch} match
 */
function drawTexts(item, match) {
  const { seats, verdict, watchers } = match;
  const game = { code: `${match.game}.name` };
  const label = renderMessage({ code: "match.watch", game, players: playersMessage(match) });
  const viewer = {
    you: /** @type {null} */ (null),
    roles: Object.keys(seats),
    nameOf: (/** @type {string} */ role) => seats[role].name,
  };
  const end = verdict ? renderMessage(outcomeMessage(verdict, viewer)) : "";
  item.querySelector("a").setAttribute("aria-label", end ? `${label}. ${end}` : label);
  item.querySelector(".state").textContent = end;
  item.toggleAttribute("data-over", end !== "");
  item.querySelector(".watched").textContent = watchers
    ? renderMessage({ code: "wall.watchers", count: watchers })
    : "";
  for (const [role, seat] of Object.entries(seats)) {
    const line = item.querySelector(`[data-seat="${role}"]`);
    const name = showName(seat.name);
    if (line.querySelector("bdi").textContent !== name) {
      line.querySelector("bdi").textContent = name;
      line.querySelector(".avatar").replaceWith(makeAvatar(seat.name));
    }
    line.querySelector(".rating").textContent = seat.rating ?? "";
  }
}

/**
 * Show the time that each player has left. It counts down for the player to move.
 * @param {string} match
 */
function drawClocks(match) {
  const clock = clocks.get(match);
  if (!clock) return;
  for (const [role, seconds] of Object.entries(clock.left)) {
    const left = itemOf(match).querySelector(`[data-seat="${role}"] .left`);
    if (role === clock.running) left.dataset.until = String(clock.until);
    else {
      delete left.dataset.until;
      left.textContent = formatDuration(seconds);
    }
  }
}

/** @param {string} match */
function itemOf(match) {
  return list.querySelector(`[data-match="${CSS.escape(match)}"]`);
}

draw(readData("frame"));
setInterval(tickCountdowns, 1000);
