/* What time it is at the server, as far as can be known from what it says. */

let ahead = -Infinity; // seconds from performance.now() to the server's clock

/* Learn from a frame's `now`: the least delayed one is the truest. */
export function learnNow(now) {
  ahead = Math.max(ahead, now - performance.now() / 1000);
}

/* Seconds since 1970 by the server's clock. */
export function serverNow() {
  return performance.now() / 1000 + ahead;
}
