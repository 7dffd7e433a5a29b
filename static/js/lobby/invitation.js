/* The page of an invitation, for the player who made it: copy the link, and wait for somebody to
   follow it. */

import "../shared/dialog.js";
import "../shared/offline.js";
import { renderMessage } from "../shared/messages.js";
import { openSocket } from "../shared/socket.js";
import "../shared/sound.js"; // a click here unlocks the sounds of the match
import { addTabSeek, listTabSeeks, SEEK_HANDLERS } from "../shared/tab-seeks.js";
import { resumeActivity, showActivity, showJoinError } from "../shared/waiting.js";

const { seek } = document.getElementById("invitation").dataset;
const address = /** @type {HTMLInputElement} */ (document.getElementById("address"));
const copyStatus = document.getElementById("copied");

document.getElementById("copy").addEventListener("click", async () => {
  address.select();
  try {
    await navigator.clipboard.writeText(address.value);
    copyStatus.textContent = renderMessage({ code: "invitation.copied" });
  } catch {
    copyStatus.textContent = renderMessage({ code: "invitation.selected" });
  }
});

/** @type {Record<string, (frame: any) => void>} */
const HANDLERS = {
  ...SEEK_HANDLERS,
  error: showJoinError,
  own(/** @type {OwnFrame} */ frame) {
    showActivity(frame, socket.send);
  },
  cancelled(frame) {
    SEEK_HANDLERS.cancelled(frame);
    if (frame.seek !== seek) return;
    const state = document.getElementById("invitation-state");
    state.textContent = renderMessage({ code: "invitation.withdrawn" });
  },
};

addTabSeek(seek);
const socket = openSocket("/ws/lobby/?shows=own", {
  onOpen() {
    resumeActivity(socket.send);
    for (const each of listTabSeeks()) socket.send({ type: "resume", seek: each });
  },
  onFrame(frame) {
    HANDLERS[frame.type]?.(frame);
  },
});
