/* The lobby of a group: start a game with whoever of its members comes next, take up a seek, see what
   is being played. */

import { askedSeeks, HEAR_ASKED } from "../shared/asked.js";
import { keepSocket } from "../shared/socket.js";
import "../shared/sound.js"; // a click here lets the match be heard
import { clockMessage, renderMessage } from "../shared/messages.js";
import { data, make } from "../shared/page.js";
import { showOwn, stoppedSeeks } from "../shared/waiting.js";
import { wantedControl } from "./control.js";
import { drawSeeks, markSearches, markTaken } from "./seeks.js";

const GONE = 4404; // not in the group any more, or it is gone

const { group } = document.getElementById("group").dataset;
const { you: me } = data("frame");
const error = document.getElementById("group-error");
const live = document.getElementById("live");
let isSending = false; // whether a form of this page is being sent
const wanted = []; // what is to be sent as soon as the socket is open
let joining = null; // the seek that this tab is taking up
let place = error; // where an error is to be told

const socket = keepSocket(`/ws/lobby/?shows=group&group=${group}`, {
  onOpen() {
    for (const each of stoppedSeeks()) stop(each);
    for (const each of askedSeeks()) socket.send({ type: "resume", seek: each });
    for (const message of wanted.splice(0)) send(message);
  },
  onEnd(code) {
    // Whoever leaves by the form of this page goes where its answer leads.
    if (code === GONE && !isSending) location.replace("/groups/");
    return code === GONE;
  },
  onFrame(frame) {
    HEAR[frame.type]?.(frame);
  },
});

const HEAR = {
  group: show,
  own(frame) {
    showOwn(frame, stop);
    markSearches(frame);
  },
  ...HEAR_ASKED,
  error(frame) {
    if (frame.code === "taken" && joining) markTaken(joining);
    else tell(frame.words);
    joining = null;
  },
};

function show({ seeks, matches }) {
  drawSeeks(seeks, { me, onJoin: join });
  const kept = new Map([...live.children].map((row) => [row.dataset.match, row]));
  live.replaceChildren(...matches.map((match) => kept.get(match.match) ?? makeMatch(match)));
  document.getElementById("no-live").hidden = matches.length > 0;
}

function makeMatch(match) {
  const [one, other] = Object.values(match.seats).map((seat) => seat.name);
  const game = { code: `${match.game}.name` };
  const players = { code: "match.against", one, other };
  const link = make("a", {
    className: "button",
    href: `/match/${match.match}/`,
    textContent: renderMessage({ code: "group.look" }),
    "aria-label": renderMessage({ code: "match.watch", game, players }),
  });
  const who = make(
    "span",
    { className: "who" },
    make("b", { textContent: renderMessage(players) }),
    make("span", {
      textContent: renderMessage({ code: "seek.what", game, clock: clockMessage(match.clock) }),
    }),
  );
  return make("li", { "data-match": match.match }, who, link);
}

function join(seek, where) {
  place = where;
  joining = seek;
  send({ type: "join", seek });
}

function stop(seek) {
  socket.send({ type: "cancel", seek });
}

function send(message) {
  tell(null);
  if (!socket.send(message)) wanted.push(message); // kept until the connection is back
}

function tell(words) {
  place.textContent = words ? renderMessage(words) : "";
  place.hidden = !words;
}

document.addEventListener("submit", () => {
  isSending = true;
});
document.querySelectorAll("button[data-seek]").forEach((button) => {
  button.addEventListener("click", () => {
    place = error;
    send({ type: "seek", game: button.dataset.seek, clock: wantedControl(), group });
  });
});

show(data("frame"));
performance.mark("interactive"); // from now on a click does what it says
