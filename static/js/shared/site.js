/* The script of pages without one of their own: notifications, local times, preferences, and buttons
   that print, copy a list, or show a password. */

import "./dialog.js";
import "./notifications.js";
import "./offline.js";
import { closest } from "./page.js";
import { bindPreferences, setPreference } from "./preferences.js";
import { showLocalTimes } from "./time.js";

bindPreferences();
showLocalTimes();
document.addEventListener("click", (event) => {
  if (closest(event, "#print")) window.print();
  const copier = /** @type {HTMLElement | null} */ (closest(event, "[data-copy]"));
  if (copier) copyList(copier.dataset.copy);
  const revealer = /** @type {HTMLElement | null} */ (closest(event, "[data-reveal]"));
  if (revealer) togglePassword(revealer);
});

// An account's preferences. shared/appearance.js stores those that change how the page looks.
document.getElementById("kept")?.addEventListener("change", (event) => {
  const { dataset, name, value } = /** @type {HTMLSelectElement} */ (event.target);
  if (!dataset.looks) setPreference(name, value);
  const status = document.getElementById("kept-status");
  status.textContent = status.dataset.text;
});

/** @param {string} id of a list of words */
async function copyList(id) {
  const words = [...document.querySelectorAll(`#${id} li`)].map((item) => item.textContent.trim());
  await navigator.clipboard.writeText(words.join(" "));
  const status = document.getElementById("copied");
  status.textContent = status.dataset.text;
}

/** @param {HTMLElement} button */
function togglePassword(button) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.reveal));
  const isShown = field.type === "password";
  field.type = isShown ? "text" : "password";
  button.setAttribute("aria-pressed", String(isShown));
}
