/* Short synthesized sounds. A browser plays them only after a click or a key press on the site: a
   page that was reached from another page of the site can play them immediately, even in a tab in the
   background. Each sound also dispatches the event `sound` on the document. */

import { prefers } from "./preferences.js";

const UNLOCKED = "sound-unlocked"; // in sessionStorage: the visitor clicked in this tab

/** @type {Record<string, [pitch: number, start: number, duration: number][]>} Hz and seconds */
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

/** @type {AudioContext | null} */
let audio = null;

function unlock() {
  sessionStorage.setItem(UNLOCKED, "yes");
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}
for (const type of ["pointerdown", "keydown"]) {
  document.addEventListener(type, unlock, { once: true });
}
// A click unlocks the pages that links lead to, but not a reload.
const [navigation] = performance.getEntriesByType("navigation");
const isFromSite =
  document.referrer.startsWith(`${location.origin}/`) &&
  /** @type {PerformanceNavigationTiming} */ (navigation)?.type === "navigate";
if (isFromSite && sessionStorage.getItem(UNLOCKED)) audio = new AudioContext();

/** @param {string} name a key of TONES */
export function playSound(name) {
  if (!prefers("sound")) return;
  document.dispatchEvent(new CustomEvent("sound", { detail: name }));
  if (!audio) return;
  for (const [pitch, start, duration] of TONES[name]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const at = audio.currentTime + start;
    tone.frequency.value = pitch;
    tone.type = "triangle";
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + duration);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + duration);
  }
}
