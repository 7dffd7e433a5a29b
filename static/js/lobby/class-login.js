/* Log-in of a class: takes the code behind the `#` of a scanned address, removes it from the address,
   and sends it with the page's form. A code behind a `#` reaches no server and no log. */

import "../shared/site.js";

const CODE = /^#[A-Z2-9]{8,20}$/;

/** @type {HTMLFormElement | null} */
const form = document.querySelector("form[data-class-code]");

function takeCode() {
  const code = CODE.test(location.hash) ? location.hash.slice(1) : "";
  if (!form || code.length !== Number(form.dataset.classCode)) return;
  history.replaceState(null, "", location.pathname);
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("code"));
  field.value = code;
  // Another person is logged in on this device: the button asks.
  if (!("ask" in form.dataset)) form.requestSubmit();
  else form.querySelector("button").focus();
}

takeCode();
window.addEventListener("hashchange", takeCode); // the page was open when the code was scanned

// Keeps the code of a scanned card, which a link would lose.
document.querySelector("a[data-again]")?.addEventListener("click", (event) => {
  event.preventDefault();
  location.reload();
});
