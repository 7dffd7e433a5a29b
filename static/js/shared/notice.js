/* On every page that is not the lobby: whoever waits for a match is told there when it begins, and
   whoever is challenged sees it. A visitor who is no player yet holds a socket only as long as there
   is something to wait for. */

import { keepSocket } from "./socket.js";
import { play } from "./sound.js";
import { isSomethingAwaited, onAwaited, showOwn, stoppedSeeks } from "./waiting.js";

const isPlayer = "player" in document.body.dataset;
let socket = null;

function listen() {
  if (socket) return;
  socket = keepSocket("/ws/lobby/?shows=own", {
    onOpen() {
      for (const seek of stoppedSeeks()) stop(seek);
    },
    onFrame(frame) {
      if (frame.type !== "own") return;
      showOwn(frame, stop, () => play("start"));
      if (isPlayer || frame.seeks.length + frame.begun.length) return;
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
