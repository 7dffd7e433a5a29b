/* The time limit that the visitor wants, remembered for the next time. */

const KEPT = "control";

const choices = [...document.querySelectorAll('input[name="control"]')];
const other = document.getElementById("other-control");
const minutes = document.getElementById("minutes");
const increment = document.getElementById("increment");

/* "3+2", or null for none. */
export function wantedControl() {
  const { value } = choices.find((choice) => choice.checked);
  return value === "other" ? `${whole(minutes)}+${whole(increment)}` : value || null;
}

function whole(input) {
  return Math.max(0, Math.min(180, Math.trunc(Number(input.value)) || 0));
}

function show() {
  other.hidden = !choices.find((choice) => choice.value === "other").checked;
  for (const field of document.querySelectorAll('input[type="hidden"][name="clock"]')) {
    field.value = wantedControl() ?? "";
  }
}

function choose(control) {
  const known = choices.find((choice) => choice.value === control && control !== "other");
  (known ?? choices.at(-1)).checked = true;
  if (known) return;
  const [kept, more] = control.split("+").map(Number);
  minutes.value = kept || 0;
  increment.value = more || 0;
}

const kept = localStorage.getItem(KEPT);
if (kept !== null && /^(\d+\+\d+)?$/.test(kept)) choose(kept);
for (const input of [...choices, minutes, increment]) {
  input.addEventListener("change", () => {
    localStorage.setItem(KEPT, wantedControl() ?? "");
    show();
  });
}
show();
