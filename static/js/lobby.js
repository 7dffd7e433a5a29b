/* The lobby: start a game in one click, wait, take up a seek, see what is being played. */

import { fill } from "./board.js";
import { showEnd, showLost, showOpen } from "./connection.js";
import { wantedControl } from "./control.js";
import { becomeGuest } from "./guest.js";
import { data, isolated, make, makeMark } from "./page.js";
import { drawSeeks, markTaken } from "./seeks.js";
import { keepSocket } from "./socket.js";
import { showWaiting, stopWaiting } from "./waiting.js";

const KEPT = "seek"; // this tab's seek in sessionStorage, so that a reload goes on waiting

const boards = new Map(
  [...document.querySelectorAll("template[data-board]")].map((t) => [t.dataset.board, t]),
);
const nameOf = (game) => boards.get(game)?.dataset.name ?? game;

let me = data("frame").you;
let wanted = null; // what is to be sent as soon as the socket is open
let joining = null; // the seek that this tab is taking up
let place = null; // where an error is to be told

const socket = keepSocket("/ws/lobby/", {
  onOpen() {
    showOpen();
    const kept = sessionStorage.getItem(KEPT);
    if (wanted) send(wanted);
    else if (kept) socket.send({ type: "resume", seek: JSON.parse(kept).seek });
  },
  onLost: showLost,
  onEnd: showEnd,
  onFrame(frame) {
    HEAR[frame.type]?.(frame);
  },
});

const HEAR = {
  lobby: show,
  seeking(frame) {
    sessionStorage.setItem(KEPT, JSON.stringify(frame));
    showWaiting(nameOf(frame.game), Date.now());
  },
  cancelled(frame) {
    if (kept()?.seek !== frame.seek) return;
    sessionStorage.removeItem(KEPT);
    stopWaiting();
  },
  paired(frame) {
    sessionStorage.removeItem(KEPT);
    location.assign(frame.url);
  },
  error(frame) {
    if (frame.code === "taken" && joining) markTaken(joining);
    else tell(place, frame.detail);
    joining = null;
  },
};

function show(frame) {
  if (frame.you !== me) {
    me = frame.you;
    const whoami = document.getElementById("whoami");
    whoami.replaceChildren(...(me ? ["You are ", make("b", {}, make("bdi", { textContent: me }))] : []));
  }
  document.getElementById("online").textContent = frame.online;
  document.getElementById("playing").textContent = frame.playing;
  drawSeeks(frame.seeks, { me, nameOf, onJoin: join });
  drawMatches(frame.matches);
}

function drawMatches(matches) {
  const list = document.getElementById("matches");
  const known = new Map([...list.children].map((item) => [item.dataset.match, item]));
  for (const match of matches) {
    let item = known.get(match.match);
    if (item) known.delete(match.match);
    else list.prepend((item = makeMatch(match)));
    fill(item.querySelector(".board"), match);
    for (const name of item.querySelectorAll("[data-seat]")) {
      name.toggleAttribute("data-moves", name.dataset.seat === match.turn);
      name.querySelector(".mark").dataset.mark = match.seats[name.dataset.seat].mark;
    }
  }
  for (const item of known.values()) item.remove();
  document.getElementById("no-matches").hidden = matches.length > 0;
}

function makeMatch(match) {
  const names = Object.entries(match.seats).map(([role, seat]) =>
    make("span", { className: "name", "data-seat": role },
      makeMark(seat.mark), make("bdi", { textContent: seat.name })),
  );
  const picture = make("span", { className: "picture" });
  picture.append(boards.get(match.game).content.cloneNode(true));
  const players = Object.values(match.seats).map((seat) => isolated(seat.name)).join(" against ");
  const link = make("a", { className: "panel", href: `/match/${match.match}/`,
    "aria-label": `Watch ${nameOf(match.game)}: ${players}` }, picture, ...names);
  return make("li", { "data-match": match.match }, link);
}

function seek(game) {
  place = document.querySelector(`[data-error="${game}"]`);
  want({ type: "seek", game, clock: wantedControl() });
}

function join(seekId, where) {
  place = where;
  joining = seekId;
  want({ type: "join", seek: seekId });
}

async function want(message) {
  tell(place, "");
  if (me) {
    send(message);
    return;
  }
  try {
    await becomeGuest();
    wanted = message;
    socket.renew();
  } catch (error) {
    tell(place, error.message);
  }
}

function send(message) {
  wanted = socket.send(message) ? null : message; // kept until the connection is back
}

function tell(where, words) {
  if (!where) return;
  where.textContent = words;
  where.hidden = !words;
}

function kept() {
  return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
}

document.querySelectorAll("[data-seek]").forEach((button) => {
  button.addEventListener("click", () => seek(button.dataset.seek));
});
document.getElementById("waiting-cancel").addEventListener("click", () => {
  wanted = null;
  const mine = kept();
  if (mine) socket.send({ type: "cancel", seek: mine.seek });
  sessionStorage.removeItem(KEPT);
  stopWaiting();
});

document.getElementById("matches").replaceChildren(); // drawn by the server for pages without scripts
show(data("frame"));
const mine = kept();
if (mine) showWaiting(nameOf(mine.game), Date.now());
