/* Short sounds, made here: no file to load. A browser allows them after a click or key anywhere on
   the site: where a page was reached from there, they are ready when it loads, and stay so in a tab
   that waits in the background. Each sound is told as an event `sound` of the document as well. */

import { prefers } from "./preferences.js";

const UNLOCKED = "sound-unlocked"; // in sessionStorage: this tab was clicked in

// [pitch in Hz, after so many seconds, for so many seconds]
const TONES = {
  start: [
    [392, 0, 0.1],
    [523, 0.11, 0.1],
    [659, 0.22, 0.16],
  ],
  move: [[520, 0, 0.07]],
  theirs: [
    [415, 0, 0.08],
    [520, 0.07, 0.06],
  ],
  low: [
    [880, 0, 0.09],
    [880, 0.16, 0.09],
    [880, 0.32, 0.09],
  ],
  won: [
    [523, 0, 0.12],
    [659, 0.13, 0.12],
    [784, 0.26, 0.26],
  ],
  lost: [
    [440, 0, 0.14],
    [370, 0.15, 0.14],
    [294, 0.3, 0.26],
  ],
  drawn: [
    [440, 0, 0.14],
    [440, 0.18, 0.2],
  ],
};

let audio = null;

function wake() {
  sessionStorage.setItem(UNLOCKED, "yes");
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}
for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, wake, { once: true });
}
// A click is remembered by the browser when it leads from page to page, and not over a reload.
const [how] = performance.getEntriesByType("navigation");
const isLedHere = document.referrer.startsWith(`${location.origin}/`) && how?.type === "navigate";
if (isLedHere && sessionStorage.getItem(UNLOCKED)) audio = new AudioContext();

export function play(which) {
  if (!prefers("sound")) return;
  document.dispatchEvent(new CustomEvent("sound", { detail: which }));
  if (!audio) return;
  for (const [pitch, after, length] of TONES[which]) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    const start = audio.currentTime + after;
    tone.frequency.value = pitch;
    tone.type = "triangle";
    loudness.gain.setValueAtTime(0.12, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(loudness).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}
