/* Dialogs, and the menus of the header. A button with data-dialog="ID" opens the dialog of that ID; one
   with data-close, Escape and a click outside close it, and the browser returns the focus to the
   button. Menus are <details>, which open and close without this script; Escape and a click outside
   close them too. */

import { closest } from "./page.js";

document.addEventListener("click", (event) => {
  const opener = /** @type {HTMLElement | null} */ (closest(event, "[data-dialog]"));
  if (opener) openDialog(opener.dataset.dialog);
  else if (isOutside(event) || closest(event, "dialog [data-close]")) closeDialog(event);
});

document.addEventListener("click", (event) => {
  for (const menu of openMenus())
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

function openMenus() {
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const menus = document.querySelectorAll(".masthead-menu[open]");
  return menus;
}

/** @param {string} id */
export function openDialog(id) {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById(id));
  if (!dialog.open) dialog.showModal();
}

/** @param {Event} event of an element in the dialog */
function closeDialog(event) {
  /** @type {HTMLDialogElement} */ (closest(event, "dialog")).close();
}

/**
 * Return whether a click hit the backdrop: its target is the dialog, but the dialog's content covers
 * the whole dialog.
 * @param {Event} event
 */
function isOutside({ target }) {
  return target instanceof HTMLDialogElement && target.matches(".dialog");
}
