/* A websocket that stays: pings, notices silence, and connects again with backoff and jitter. The
   page says meanwhile how the connection is, without moving anything. */

import { renderMessage } from "./messages.js";

const PING_EVERY = 2500; // ms
const SILENCE = 9000; // ms without a frame after which the connection is given up
const FIRST_WAIT = 400; // ms before the first try again; doubled with each further one
const LONGEST_WAIT = 15000;
const STABLE = 5000; // ms after which a connection counts as good and the wait starts anew
const RESTART = 1012; // this server ends in order: another one is there, or soon will be
const ANEW = 4410; // who looks here is somebody else now: the page is made again for them
const FINAL = new Set([4401, 4403, 4404, 4429]); // logged out, suspended, no such address, too much: trying again would not help
const GRACE = 700; // ms: a blink is not worth a word

const notice = document.getElementById("connection");
let saying = 0;

/* Open `path`. Calls onFrame(frame), onOpen(), and onEnd(code) once it ended for good. A lost
   connection is told on the page, unless it is `quiet`; an end, unless onEnd gives true. */
export function keepSocket(
  path,
  { onFrame, onOpen = () => {}, onEnd = () => false, quiet = false },
) {
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
  let socket = null;
  let tries = 0;
  let retry = 0;
  let openedAt = 0;
  let heardAt = 0;
  let ended = false;

  function connect() {
    clearTimeout(retry);
    retry = 0;
    if (ended) return;
    const mine = new WebSocket(url);
    socket = mine;
    heardAt = performance.now();
    mine.addEventListener("open", () => {
      if (mine !== socket) return;
      openedAt = heardAt = performance.now();
      if (!quiet) tell(null);
      onOpen();
    });
    mine.addEventListener("message", (event) => {
      if (mine !== socket) return;
      heardAt = performance.now();
      const frame = JSON.parse(event.data);
      if (frame.mark) send({ type: "echo", mark: frame.mark }); // the server measures the delay
      onFrame(frame);
    });
    mine.addEventListener("close", (event) => {
      if (mine === socket) lost(event.code);
    });
  }

  function lost(code) {
    const wasStable = openedAt && performance.now() - openedAt > STABLE;
    socket = null;
    openedAt = 0;
    if (FINAL.has(code)) {
      ended = true;
      if (!onEnd(code) && !quiet) tell({ code: `connection.${code}` });
      return;
    }
    if (ended) return;
    if (code === ANEW) {
      ended = true;
      setTimeout(() => location.reload(), FIRST_WAIT * (1 + Math.random()));
      return;
    }
    if (!quiet) tell({ code: "connection.lost" }, GRACE);
    if (wasStable || code === RESTART) tries = 0;
    const first = code === RESTART ? FIRST_WAIT / 2 : FIRST_WAIT;
    const wait = Math.min(LONGEST_WAIT, first * 2 ** tries++);
    retry = setTimeout(connect, wait * (0.5 + Math.random()));
  }

  function drop() {
    const old = socket;
    if (!old) return;
    lost(0);
    old.close();
  }

  /* Something changed for the better (network, page shown): do not wait any longer. */
  function hurry() {
    if (ended) return;
    if (!socket) connect();
    else if (performance.now() - heardAt > PING_EVERY * 1.5) {
      drop();
      connect();
    }
  }

  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  const beat = setInterval(() => {
    if (!socket) return;
    if (performance.now() - heardAt > SILENCE) drop();
    else send({ type: "ping", t: Date.now() });
  }, PING_EVERY);

  function close() {
    ended = true;
    clearInterval(beat);
    clearTimeout(retry);
    socket?.close();
    socket = null;
  }

  /* Begin anew, for example as somebody else. */
  function renew() {
    const old = socket;
    socket = null;
    old?.close();
    tries = 0;
    connect();
  }

  window.addEventListener("online", hurry);
  window.addEventListener("offline", drop);
  window.addEventListener("pageshow", hurry);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") hurry();
  });
  connect();
  return { send, close, renew };
}

/* Say this after so many milliseconds; null: the connection is well. */
function tell(words, wait = 0) {
  clearTimeout(saying);
  if (words === null) notice.hidden = true;
  else
    saying = setTimeout(() => {
      notice.textContent = renderMessage(words);
      notice.hidden = false;
    }, wait);
}
