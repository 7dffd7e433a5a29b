/* A live match embedded in another site. It follows the match's socket as an anonymous watcher. When
   the match is over, the page is loaded again: the server's version tells how it ended. */

import { createStateReader } from "../match/frames.js";
import { renderDiagram } from "./diagram.js";

const PING_INTERVAL = 5000; // ms
const SILENCE = 15000; // ms without a frame after which the connection counts as lost
const FIRST_DELAY = 500; // ms before the first attempt to reconnect; doubled for each further one
const MAX_DELAY = 30000; // ms
const TV_LINGER = 6000; // ms for which the TV page shows a match that is over
const TV_IDLE = 90000; // ms without a move after which the TV page asks for another match
const NOT_FOUND = 4404; // close code

const match = document.getElementById("match");
const isTv = "tv" in match.dataset;
let delay = FIRST_DELAY;
let idleTimer = 0;

/** @param {MatchState} state */
function show(state) {
  match.dataset.ply = String(state.ply);
  renderDiagram(match.querySelector(".board"), state);
  for (const [role, seat] of Object.entries(state.seats)) {
    const item = match.querySelector(`[data-seat="${role}"]`);
    item.querySelector("bdi").textContent = seat.name;
    item.querySelector(".mark").dataset.mark = seat.mark;
    item.querySelector(".score").textContent = String(seat.score ?? "");
    item.toggleAttribute("data-moves", role === state.turn);
  }
  if (state.status !== "live") setTimeout(() => location.reload(), isTv ? TV_LINGER : 0);
  else if (isTv) {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => location.reload(), TV_IDLE);
  }
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const path = `/ws/match/${match.dataset.match}/?as=watcher&patches=1`;
  const socket = new WebSocket(`${scheme}://${location.host}${path}`);
  const readState = createStateReader(() => socket.send('{"type":"look"}'));
  let lastFrameAt = performance.now();
  const heartbeat = setInterval(() => {
    if (performance.now() - lastFrameAt > SILENCE) socket.close();
    else if (socket.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
  }, PING_INTERVAL);
  socket.addEventListener("message", (event) => {
    lastFrameAt = performance.now();
    const state = readState(JSON.parse(event.data));
    if (!state) return;
    delay = FIRST_DELAY;
    show(state);
  });
  socket.addEventListener("close", ({ code }) => {
    clearInterval(heartbeat);
    if (code === NOT_FOUND) return;
    setTimeout(connect, delay * (0.5 + Math.random()));
    delay = Math.min(MAX_DELAY, delay * 2);
  });
}

connect();
