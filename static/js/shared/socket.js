/* A websocket that reconnects with backoff and jitter. It sends pings, notices silence, and tells the
   visitor when there is no connection. */

import { renderMessage } from "./messages.js";

const PING_INTERVAL = 2500; // ms
const SILENCE = 9000; // ms without a frame after which the connection counts as lost
const FIRST_DELAY = 400; // ms before the first attempt to reconnect; doubled for each further one
const MAX_DELAY = 15000; // ms
const STABLE = 5000; // ms after which a connection counts as good and the delay starts again
const NOTICE_DELAY = 700; // ms: a shorter interruption is not worth a notice

// Close codes, as in games/live/frames.py.
const SERVER_RESTART = 1012;
const PLAYER_CHANGED = 4410;
const FINAL = new Set([4401, 4403, 4404, 4429]); // logged out, suspended, not found, flooding

let noticeTimer = 0;

/**
 * Open a socket at `path`.
 * @param {string} path
 * @param {object} handlers
 * @param {(frame: any) => void} handlers.onFrame
 * @param {() => void} [handlers.onOpen] called after each connection
 * @param {() => void} [handlers.onLost] called when the connection is lost
 * @param {(code: number) => boolean} [handlers.onEnd] called when there is no point in reconnecting; if
 *   it returns true, the visitor is not notified
 * @param {boolean} [handlers.quiet] whether to hide the state of the connection from the visitor
 */
export function openSocket(path, { onFrame, onOpen, onLost, onEnd, quiet = false }) {
  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
  /** @type {WebSocket | null} */
  let socket = null;
  let attempt = 0;
  let retryTimer = 0;
  let openedAt = 0;
  let lastFrameAt = 0;
  let isEnded = false;

  function connect() {
    clearTimeout(retryTimer);
    if (isEnded) return;
    const current = new WebSocket(url);
    socket = current;
    lastFrameAt = performance.now();
    current.addEventListener("open", () => {
      if (current !== socket) return;
      openedAt = lastFrameAt = performance.now();
      if (!quiet) hideNotice();
      onOpen?.();
    });
    current.addEventListener("message", (event) => {
      if (current !== socket) return;
      lastFrameAt = performance.now();
      const frame = JSON.parse(event.data);
      if (frame.mark) send({ type: "echo", mark: frame.mark }); // the server measures the delay
      onFrame(frame);
    });
    current.addEventListener("close", (event) => {
      if (current === socket) handleClose(event.code);
    });
  }

  /** @param {number} code */
  function handleClose(code) {
    const wasStable = openedAt && performance.now() - openedAt > STABLE;
    socket = null;
    openedAt = 0;
    onLost?.();
    if (FINAL.has(code)) {
      isEnded = true;
      if (!onEnd?.(code) && !quiet) showNotice({ code: `connection.${code}` });
      return;
    }
    if (isEnded) return;
    if (code === PLAYER_CHANGED) {
      isEnded = true;
      setTimeout(() => location.reload(), FIRST_DELAY * (1 + Math.random()));
      return;
    }
    if (!quiet) showNotice({ code: "connection.lost" }, NOTICE_DELAY);
    if (wasStable || code === SERVER_RESTART) attempt = 0;
    retryTimer = setTimeout(connect, reconnectDelay(attempt++, code));
  }

  function drop() {
    const dropped = socket;
    if (!dropped) return;
    handleClose(0);
    dropped.close();
  }

  /** The network is back or the page is visible again: do not wait for the next attempt. */
  function connectNow() {
    if (isEnded) return;
    if (!socket) connect();
    else if (performance.now() - lastFrameAt > PING_INTERVAL * 1.5) {
      drop();
      connect();
    }
  }

  /**
   * Send a message, and return whether there was a connection.
   * @param {object} message
   */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  const heartbeat = setInterval(() => {
    if (!socket) return;
    if (performance.now() - lastFrameAt > SILENCE) drop();
    else send({ type: "ping", t: Date.now() });
  }, PING_INTERVAL);

  function close() {
    isEnded = true;
    clearInterval(heartbeat);
    clearTimeout(retryTimer);
    socket?.close();
    socket = null;
  }

  /** Start a new connection, for example after the visitor became a guest. */
  function reconnect() {
    const old = socket;
    socket = null;
    old?.close();
    attempt = 0;
    connect();
  }

  window.addEventListener("online", connectNow);
  window.addEventListener("offline", drop);
  window.addEventListener("pageshow", connectNow);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") connectNow();
  });
  connect();
  return { send, close, reconnect };
}

/**
 * Return the milliseconds to wait before an attempt to reconnect. The jitter keeps the clients of a
 * restarted server from coming back all together.
 * @param {number} attempt from 0
 * @param {number} closeCode
 * @param {number} [random] from 0 to 1
 */
export function reconnectDelay(attempt, closeCode, random = Math.random()) {
  const first = closeCode === SERVER_RESTART ? FIRST_DELAY / 2 : FIRST_DELAY;
  return Math.min(MAX_DELAY, first * 2 ** attempt) * (0.5 + random);
}

/**
 * @param {Message} message
 * @param {number} [delay] in milliseconds
 */
function showNotice(message, delay = 0) {
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    const notice = document.getElementById("connection");
    notice.textContent = renderMessage(message);
    notice.hidden = false;
  }, delay);
}

function hideNotice() {
  clearTimeout(noticeTimer);
  document.getElementById("connection").hidden = true;
}
