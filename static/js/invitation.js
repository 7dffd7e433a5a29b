/* The page of somebody who has invited a friend: hand out the address, wait for the yes. */

import { showEnd, showLost, showOpen } from "./connection.js";
import { keepSocket } from "./socket.js";

const { seek } = document.getElementById("invitation").dataset;
const address = document.getElementById("address");
const copied = document.getElementById("copied");

document.getElementById("copy").addEventListener("click", async () => {
  address.select();
  try {
    await navigator.clipboard.writeText(address.value);
    copied.textContent = "Copied. Now send it.";
  } catch {
    copied.textContent = "The address is selected: copy it with Ctrl+C.";
  }
});

const socket = keepSocket("/ws/lobby/", {
  onOpen() {
    showOpen();
    socket.send({ type: "resume", seek });
  },
  onLost: showLost,
  onEnd: showEnd,
  onFrame(frame) {
    if (frame.type === "paired") location.assign(frame.url);
    else if (frame.type === "cancelled") {
      document.getElementById("invitation-state").textContent = "This invitation is withdrawn.";
    }
  },
});
