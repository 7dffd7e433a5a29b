/* The page of somebody who has challenged a player: it goes to the match once that one accepts, and
   shows the answer otherwise. */

import { keepSocket } from "../shared/socket.js";
import "../shared/sound.js"; // a click here lets the match be heard
import { showOwn, stoppedSeeks } from "../shared/waiting.js";

const { challenge } = document.getElementById("challenge").dataset;

const socket = keepSocket("/ws/lobby/?shows=own", {
  onOpen() {
    for (const seek of stoppedSeeks()) stop(seek);
  },
  onFrame(frame) {
    if (frame.type !== "own") return;
    const begun = frame.begun.find((each) => each.seek === challenge);
    if (begun) {
      location.assign(begun.url);
      return;
    }
    showOwn(frame, stop);
    if (!frame.challenges.some((each) => each.challenge === challenge)) location.reload();
  },
});

function stop(seek) {
  socket.send({ type: "cancel", seek });
}
