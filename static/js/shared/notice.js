/* On every page that is not the lobby: whoever waits for a match, or for their turn, is told there,
   and whoever is challenged sees it. A visitor who is no player yet holds a socket only as long as
   there is something to wait for. */

import { showBar } from "./bar.js";
import { keepSocket } from "./socket.js";
import { play } from "./sound.js";
import {
  gamesWaiting,
  isAwaiting,
  isSomethingAwaited,
  onAwaited,
  showOwn,
  stoppedSeeks,
} from "./waiting.js";

const isPlayer = "player" in document.body.dataset;
const here = document.getElementById("match")?.dataset.match; // what this page shows itself
let socket = null;

function listen() {
  if (socket) return;
  socket = keepSocket(`/ws/lobby/?shows=own${here ? `&match=${here}` : ""}`, {
    quiet: true,
    onOpen() {
      for (const seek of stoppedSeeks()) stop(seek);
    },
    onFrame(frame) {
      if (frame.type !== "own") return;
      showOwn(frame, stop, () => play("start"));
      showBar(gamesWaiting(frame));
      if (isPlayer || isAwaiting(frame)) return;
      socket?.close();
      socket = null;
    },
  });
}

function stop(seek) {
  socket?.send({ type: "cancel", seek });
}

if (isPlayer || isSomethingAwaited()) listen();
onAwaited(listen);
window.addEventListener("pageshow", (event) => {
  if (event.persisted && isSomethingAwaited()) listen(); // it was away for a while
});
