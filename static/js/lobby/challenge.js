/* The page of a challenge, for the player who sent it. It goes to the match when the other player
   accepts, and shows any other answer. */

import "../shared/offline.js";
import { openSocket } from "../shared/socket.js";
import "../shared/sound.js"; // a click here unlocks the sounds of the match
import { showActivity, stoppedSeeks } from "../shared/waiting.js";

const { challenge } = document.getElementById("challenge").dataset;

const socket = openSocket("/ws/lobby/?shows=own", {
  onOpen() {
    for (const seek of stoppedSeeks()) stop(seek);
  },
  /** @param {OwnFrame & {type: string}} frame */
  onFrame(frame) {
    if (frame.type !== "own") return;
    const match = frame.begun.find((each) => each.seek === challenge);
    if (match) {
      location.assign(match.url);
      return;
    }
    showActivity(frame, stop);
    if (!frame.challenges.some((each) => each.challenge === challenge)) location.reload();
  },
});

/** @param {string} seek */
function stop(seek) {
  socket.send({ type: "cancel", seek });
}
