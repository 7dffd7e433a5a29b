/* The wall: the matches that are most watched, each on its board; the first one is large. */

import { makeDrawings } from "../board/drawing.js";
import { clockMessage, outcomeMessage, renderMessage } from "../shared/messages.js";
import { data, make, makeMark } from "../shared/page.js";
import { keepSocket } from "../shared/socket.js";

const list = document.getElementById("wall");
const nobody = document.getElementById("nobody");
const drawings = makeDrawings((game) => templateOf(game).content.querySelector(".board"));
let matches = new Map(); // what is shown, by the match

keepSocket("/ws/lobby/?shows=wall", {
  onOpen() {
    drawings.forgetAll(); // the first frame tells all boards from their start
  },
  onFrame(frame) {
    if (frame.type === "wall") show(frame);
  },
});

function show({ matches: come, boards = [] }) {
  if (come)
    matches = new Map(come.filter((each) => templateOf(each.game)).map((m) => [m.match, m]));
  for (const each of boards) {
    if (matches.has(each.match)) drawings.learn(each, matches.get(each.match).game);
  }
  if (come) arrange();
  for (const { match } of boards) drawings.draw(match, placeOf(match));
}

/* Each match keeps its place; only the first place is for the first of them. */
function arrange() {
  const places = [...list.querySelectorAll("li:not(.join)")];
  const [first, ...rest] = [...matches.keys()];
  const wanted = places.map(() => null);
  if (first) wanted[0] = first;
  for (const match of rest) {
    const index = places.findIndex((place) => place.dataset.match === match);
    if (index > 0) wanted[index] = match;
  }
  for (const match of rest) {
    if (!wanted.includes(match)) wanted[wanted.indexOf(null, 1)] = match;
  }
  wanted.forEach((match, index) => {
    const place = places[index];
    if (match === null) {
      if (place.dataset.match)
        place.replaceWith(make("li", { className: "free", "aria-hidden": "true" }));
    } else if (place.dataset.match === match && place.dataset.made) tell(place, matches.get(match));
    else place.replaceWith(makeItem(matches.get(match)));
  });
  list.hidden = matches.size === 0;
  nobody.hidden = matches.size > 0;
}

function makeItem(match) {
  const names = Object.entries(match.seats).map(([role, seat]) =>
    make(
      "span",
      { className: "name", "data-seat": role },
      makeMark("."),
      make("bdi", { textContent: seat.name }),
    ),
  );
  const picture = make("span", { className: "picture" });
  picture.append(drawings.copy(match.game));
  const what = make(
    "span",
    { className: "what" },
    make("b", { textContent: renderMessage({ code: `${match.game}.name` }) }),
    " ",
    make("span", { className: "quiet", textContent: renderMessage(clockMessage(match.clock)) }),
    make("span", { className: "watched" }),
  );
  const link = make(
    "a",
    { className: "panel watch", href: `/match/${match.match}/` },
    what,
    picture,
    ...names,
    make("span", { className: "state" }),
  );
  const item = make(
    "li",
    { "data-match": match.match, "data-game": match.game, "data-made": "yes" },
    link,
  );
  tell(item, match);
  drawings.draw(match.match, item);
  return item;
}

/* Who watches, and how it ended. */
function tell(item, match) {
  const [one, other] = Object.values(match.seats).map((seat) => seat.name);
  const label = renderMessage({
    code: "match.watch",
    game: { code: `${match.game}.name` },
    players: { code: "match.against", one, other },
  });
  const ended =
    match.verdict &&
    renderMessage(
      outcomeMessage(match.verdict, {
        you: null,
        roles: Object.keys(match.seats),
        nameOf: (role) => match.seats[role].name,
      }),
    );
  item.querySelector("a").setAttribute("aria-label", ended ? `${label}. ${ended}` : label);
  item.querySelector(".state").textContent = ended ?? "";
  item.toggleAttribute("data-over", Boolean(ended));
  item.querySelector(".watched").textContent = match.watchers
    ? renderMessage({ code: "wall.watchers", count: match.watchers })
    : "";
  Object.entries(match.seats).forEach(([role, seat]) => {
    item.querySelector(`[data-seat="${role}"] bdi`).textContent = seat.name;
  });
}

function placeOf(match) {
  return list.querySelector(`[data-match="${CSS.escape(match)}"]`);
}

function templateOf(game) {
  return document.querySelector(`template[data-board="${CSS.escape(game)}"]`);
}

show(data("frame"));
