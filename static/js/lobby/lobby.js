/* The lobby: start a game in one click, wait, take up a seek, see what is being played. */

import { askedSeeks, HEAR_ASKED, takeAgain } from "../shared/asked.js";
import { becomeGuest } from "../shared/guest.js";
import { wantedControl, wantedRating } from "./control.js";
import { addMatches, drawMatches, removeMatches } from "./matches.js";
import { drawMine, forgetMine } from "./mine.js";
import "../shared/sound.js"; // a click here lets the match be heard
import { renderMessage, renderParts } from "../shared/messages.js";
import { data, make } from "../shared/page.js";
import { keepSocket } from "../shared/socket.js";
import { showOwn, stoppedSeeks } from "../shared/waiting.js";
import { drawSeeks, markSearches, markTaken } from "./seeks.js";

const ALONE = 3000; // ms, longer than the server takes to count who comes

let me = data("frame").you;
let seeks = new Map(); // the open ones that are listed
let isCounted = false; // whether the server has told the counts since this page is here
let isAlone = 0; // the timer after which it is believed that nobody else is here
let counts = {}; // of who is online, what is played, how many seek
let wanted = []; // what is to be sent as soon as the socket is open
let isBecoming = false; // whether the visitor is being made a guest
let joining = null; // the seek that this tab is taking up
let place = null; // where an error is to be told

const socket = keepSocket("/ws/lobby/?shows=changes", {
  onOpen() {
    forgetMine();
    for (const each of stoppedSeeks()) stop(each);
    for (const each of askedSeeks()) socket.send({ type: "resume", seek: each });
    // Not yet as nobody: the guest that is being made gets a socket of its own.
    if (!isBecoming) for (const message of wanted.splice(0)) send(message);
  },
  onFrame(frame) {
    HEAR[frame.type]?.(frame);
  },
});

const HEAR = {
  lobby(frame) {
    isCounted = true;
    show(frame);
  },
  changes: change,
  own(frame) {
    showOwn(frame, stop);
    drawMine(frame);
    markSearches(frame);
  },
  ...HEAR_ASKED,
  error(frame) {
    if (frame.code === "taken" && joining) markTaken(joining);
    else tell(placeOfError(), frame.words);
    if (frame.code === "rated-account") {
      placeOfError()?.append(
        " ",
        make("a", {
          href: "/accounts/signup/",
          textContent: renderMessage({ code: "rated.sign-up" }),
        }),
      );
    }
    joining = null;
  },
};

/* The whole lobby: what comes first, after each connection. */
function show(frame) {
  if (frame.you !== me) {
    me = frame.you;
    const whoami = document.getElementById("whoami");
    const name = make("b", {}, make("bdi", { textContent: me }));
    whoami.replaceChildren(...(me ? renderParts({ code: "me.name", name }) : []));
  }
  seeks = new Map(frame.seeks.map((seek) => [seek.seek, seek]));
  counts = frame;
  drawLists();
  drawMatches(frame.matches, frame.boards ?? []);
}

/* What changed since. */
function change({ seeks: come = [], gone = [], matches = [], over = [], boards = [], ...counted }) {
  for (const seek of gone) seeks.delete(seek);
  for (const seek of come) seeks.set(seek.seek, seek);
  counts = { ...counts, ...counted };
  drawLists();
  removeMatches(over);
  addMatches(matches, boards);
}

function drawLists() {
  if (isCounted) drawCounts();
  const more = counts.seeking - seeks.size;
  const line = document.getElementById("more-seeks");
  line.hidden = !(more > 0);
  line.textContent = more > 0 ? renderMessage({ code: "seeks.more", count: more }) : "";
  drawSeeks([...seeks.values()], { me, onJoin: join });
}

/* Nothing until it is known: a moment after a visitor has come, the server has not counted them yet,
   and one other would be taken for the visitor. */
function drawCounts() {
  const others = Math.max(0, counts.online - (me ? 1 : 0));
  if (others) tellCount("online", { code: "counts.others", count: others });
  else
    isAlone =
      isAlone ||
      setTimeout(() => {
        isAlone = 0;
        if (counts.online <= (me ? 1 : 0)) tellCount("online", { code: "counts.alone" });
      }, ALONE);
  tellCount("playing", counts.playing && { code: "counts.playing", count: counts.playing });
}

function tellCount(id, words) {
  const place = document.getElementById(id);
  const text = words ? renderMessage(words) : "";
  if (place.textContent !== text) place.textContent = text;
}

/* The same setup as the match that this tab comes from. */
function seekAgain(again) {
  place = document.querySelector(`[data-error="${again.game}"]`);
  want({ type: "seek", ...again });
}

function seek(game) {
  place = document.querySelector(`[data-error="${game}"]`);
  want({ type: "seek", game, clock: wantedControl(), ...wantedRating(game) });
}

function join(seekId, where) {
  place = where;
  joining = seekId;
  want({ type: "join", seek: seekId });
}

/* The row may have been drawn anew since: who joins as nobody becomes a guest first. */
function placeOfError() {
  return (joining && document.querySelector(`#seeks [data-seek="${joining}"] .error`)) || place;
}

function stop(seekId) {
  socket.send({ type: "cancel", seek: seekId });
}

async function want(message) {
  tell(place);
  if (me) {
    send(message);
    return;
  }
  wanted.push(message);
  if (isBecoming) return;
  isBecoming = true;
  try {
    await becomeGuest();
    socket.renew();
  } catch (error) {
    wanted = [];
    tell(place, error.cause);
  } finally {
    isBecoming = false;
  }
}

function send(message) {
  if (!socket.send(message)) wanted.push(message); // kept until the connection is back
}

function tell(where, words) {
  if (!where) return;
  where.textContent = words ? renderMessage(words) : "";
  where.hidden = !words;
}

document.querySelectorAll("button[data-seek]").forEach((button) => {
  button.addEventListener("click", () => seek(button.dataset.seek));
});

document.getElementById("matches").replaceChildren(); // drawn by the server for pages without scripts
show(data("frame"));
const again = takeAgain();
if (again) seekAgain(again);
performance.mark("interactive"); // from now on a click does what it says
