/* The page of a challenge, for the player who sent it. It goes to the match when the other player
   accepts, and shows any other answer. */

import "../shared/dialog.js";
import "../shared/offline.js";
import { openSocket } from "../shared/socket.js";
import "../shared/sound.js"; // a click here unlocks the sounds of the match
import { JOIN_HANDLERS, resumeActivity, showActivity } from "../shared/waiting.js";

const { challenge } = document.getElementById("challenge").dataset;

/** @type {Record<string, (frame: any) => void>} */
const HANDLERS = { ...JOIN_HANDLERS, own: show };

const socket = openSocket("/ws/lobby/?shows=own", {
  onOpen() {
    resumeActivity(socket.send);
  },
  onFrame(frame) {
    HANDLERS[frame.type]?.(frame);
  },
});

/** @param {OwnFrame} frame */
function show(frame) {
  const match = frame.begun.find((each) => each.seek === challenge);
  if (match) {
    location.assign(match.url);
    return;
  }
  showActivity(frame, socket.send);
  if (!frame.challenges.some((each) => each.challenge === challenge)) location.reload();
}
