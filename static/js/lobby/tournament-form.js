/* The form that creates a tournament. It shows the fields of the chosen kind, and takes times in the
   visitor's time zone; without scripts they are in UTC. */

import "../shared/dialog.js";
import "../shared/notifications.js";
import "../shared/offline.js";
import { shiftDateTime } from "../shared/time.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("making"));
const times = [field("starts_at"), field("opens_at")];

/** @param {string} name */
function field(name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
}

function showFields() {
  const kind = field("kind").value;
  for (const part of form.querySelectorAll("[data-kinds]")) {
    part.hidden = !part.dataset.kinds.split(" ").includes(kind);
  }
  for (const part of form.querySelectorAll("[data-when]")) {
    part.hidden = field("when").value !== part.dataset.when;
  }
}

/**
 * Return the minutes by which the visitor's clock is ahead of UTC at a time.
 * @param {string} value of a `datetime-local` field
 */
function offsetAt(value) {
  const time = value ? new Date(value) : new Date();
  return Number.isNaN(time.getTime()) ? 0 : -time.getTimezoneOffset();
}

for (const time of times) {
  const label = form.querySelector(`label[for="${time.id}"]`);
  if (time.value) time.value = shiftDateTime(time.value, offsetAt(time.value));
  label.textContent = label.textContent.replace(/\s*\(UTC\)/, "");
}
form.addEventListener("change", showFields);
form.addEventListener("submit", () => {
  for (const time of times) field(`${time.name}_offset`).value = String(offsetAt(time.value));
});
showFields();
