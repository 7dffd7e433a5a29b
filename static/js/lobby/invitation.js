/* The page of somebody who has invited a friend: hand out the address, wait for the yes. */

import { addAsked, askedSeeks, dropAllAsked, dropAsked } from "../shared/asked.js";
import { keepSocket } from "../shared/socket.js";
import "../shared/sound.js"; // a click here lets the match be heard
import { renderMessage } from "../shared/messages.js";
import { showOwn, stoppedSeeks } from "../shared/waiting.js";

const { seek } = document.getElementById("invitation").dataset;
const address = document.getElementById("address");
const copied = document.getElementById("copied");

document.getElementById("copy").addEventListener("click", async () => {
  address.select();
  try {
    await navigator.clipboard.writeText(address.value);
    copied.textContent = renderMessage({ code: "invitation.copied" });
  } catch {
    copied.textContent = renderMessage({ code: "invitation.selected" });
  }
});

const HEAR = {
  own(frame) {
    showOwn(frame, stop);
  },
  paired(frame) {
    dropAllAsked();
    location.assign(frame.url);
  },
  cancelled(frame) {
    dropAsked(frame.seek);
    if (frame.seek !== seek) return;
    const state = document.getElementById("invitation-state");
    state.textContent = renderMessage({ code: "invitation.withdrawn" });
  },
};

addAsked(seek);
const socket = keepSocket("/ws/lobby/?shows=own", {
  onOpen() {
    for (const each of stoppedSeeks()) stop(each);
    for (const each of askedSeeks()) socket.send({ type: "resume", seek: each });
  },
  onFrame(frame) {
    HEAR[frame.type]?.(frame);
  },
});

function stop(each) {
  socket.send({ type: "cancel", seek: each });
}
