/* The time limit that the visitor wants, remembered for the next time. */

const KEPT = "control";

const choice = document.getElementById("control");
const other = document.getElementById("other-control");
const minutes = document.getElementById("minutes");
const increment = document.getElementById("increment");

/* "3+2", or null for none. */
export function wantedControl() {
  if (choice.value !== "other") return choice.value || null;
  return `${whole(minutes)}+${whole(increment)}`;
}

/* What is to be said of a time control. */
export function controlInWords(control) {
  return control ? { code: "clock.some", clock: control } : { code: "clock.none" };
}

function whole(input) {
  return Math.max(0, Math.min(180, Math.trunc(Number(input.value)) || 0));
}

function show() {
  other.hidden = choice.value !== "other";
  for (const field of document.querySelectorAll('input[name="clock"]')) {
    field.value = wantedControl() ?? "";
  }
}

const kept = localStorage.getItem(KEPT);
if (kept !== null && [...choice.options].some((o) => o.value === kept)) choice.value = kept;
for (const input of [choice, minutes, increment]) {
  input.addEventListener("change", () => {
    localStorage.setItem(KEPT, choice.value);
    show();
  });
}
show();
