/* The two clocks. What is left is arithmetic on what the server stored; nothing is counted here. */

import { serverNow } from "../shared/server-time.js";

const TENTHS_BELOW = 10; // seconds
const LOW_PART = 0.1; // of the time at the start
const LOW_MOST = 30; // seconds
const CLAIM_AGAIN = 1; // seconds

let state = null;
const warned = new Set(); // the roles whose clock was warned of
let claimedAt = 0;

/* `onLow()` once when one's own time gets short, `onFlag()` when the other's is up. */
export function makeClocks(root, { onLow, onFlag }) {
  const faces = new Map(
    [...root.querySelectorAll("[data-seat]")].map((seat) => [
      seat.dataset.seat,
      seat.querySelector(".clock"),
    ]),
  );

  function draw(next) {
    state = next;
    tick();
  }

  function tick() {
    const clock = state?.clock;
    for (const [role, face] of faces) {
      face.hidden = !clock;
      if (!clock) continue;
      const left = leftOf(role);
      const isLow = left <= lowBelow(clock) && state.status === "live";
      const text = format(left);
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle("running", clock.running === role);
      face.classList.toggle("low", isLow);
      if (isLow && clock.running === role && role === state.you && !warned.has(role)) {
        warned.add(role);
        onLow();
      }
    }
    if (clock) claim(clock);
  }

  function claim(clock) {
    const { running } = clock;
    if (!running || !state.you || running === state.you || !clock.started) return;
    const late = serverNow() - clock.deadline - clock.lag_ms / 1000;
    if (late > 0.1 && serverNow() - claimedAt > CLAIM_AGAIN) {
      claimedAt = serverNow();
      onFlag();
    }
  }

  setInterval(tick, 100);
  return { draw };
}

/* Seconds that a role has left. */
function leftOf(role) {
  const { clock } = state;
  const stored = clock.remaining_ms[role] / 1000;
  if (clock.running !== role) return stored;
  return Math.max(0, stored - Math.max(0, serverNow() - clock.since));
}

function lowBelow(clock) {
  const [minutes, increment] = clock.control.split("+").map(Number);
  return Math.min(LOW_MOST, (minutes * 60 || increment) * LOW_PART + 1);
}

function format(seconds) {
  if (seconds < TENTHS_BELOW) return (Math.floor(seconds * 10) / 10).toFixed(1);
  const whole = Math.floor(seconds);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
