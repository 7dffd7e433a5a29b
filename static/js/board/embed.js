/* A live match in a frame of another site: follows its socket as a watcher without a name. Once it is
   over the page is made again, which has the words for how it ended. */

import { fill } from "./drawing.js";

const PING_EVERY = 5000; // ms
const SILENCE = 15000; // ms without a frame after which the connection is given up
const LONGEST_WAIT = 30000; // ms before a try again
const LINGERS = 6000; // ms for which a match of the wall that is over stays
const RESTS = 90000; // ms without a move after which the wall is asked for another match
const NO_SUCH = 4404;

const match = document.getElementById("match");
const isTv = "tv" in match.dataset;
let waits = 500;
let resting = 0;

function show(state) {
  match.dataset.ply = state.ply;
  fill(match.querySelector(".board"), state);
  for (const [role, seat] of Object.entries(state.seats)) {
    const item = match.querySelector(`[data-seat="${role}"]`);
    item.querySelector("bdi").textContent = seat.name;
    item.querySelector(".mark").dataset.mark = seat.mark;
    item.querySelector(".score").textContent = seat.score ?? "";
    item.toggleAttribute("data-moves", role === state.turn);
  }
  if (state.status !== "live") setTimeout(() => location.reload(), isTv ? LINGERS : 0);
  else if (isTv) {
    clearTimeout(resting);
    resting = setTimeout(() => location.reload(), RESTS);
  }
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const path = `/ws/match/${match.dataset.match}/?as=watcher`;
  const socket = new WebSocket(`${scheme}://${location.host}${path}`);
  let heardAt = performance.now();
  const beat = setInterval(() => {
    if (performance.now() - heardAt > SILENCE) socket.close();
    else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
  }, PING_EVERY);
  socket.addEventListener("message", (event) => {
    heardAt = performance.now();
    const frame = JSON.parse(event.data);
    if (frame.type !== "state") return;
    waits = 500;
    show(frame);
  });
  socket.addEventListener("close", ({ code }) => {
    clearInterval(beat);
    if (code === NO_SUCH) return;
    setTimeout(connect, waits * (0.5 + Math.random()));
    waits = Math.min(LONGEST_WAIT, waits * 2);
  });
}

connect();
