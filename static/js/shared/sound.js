/* Short sounds, made here: no file to load. A browser allows them after the first click or key. */

import { prefers } from "./preferences.js";

const TONES = {
  move: [[520, 0, 0.07]],
  low: [[880, 0, 0.09], [880, 0.16, 0.09], [880, 0.32, 0.09]],
  end: [[440, 0, 0.12], [330, 0.14, 0.2]],
};

let audio = null;

function wake() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}
for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, wake, { once: true });
}

export function play(which) {
  if (!audio || !prefers("sound")) return;
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
