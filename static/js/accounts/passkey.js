/* Passkeys: asks the browser for one, and sends it with the form that asked. The form's `data-passkey`
   is "create", "get" (a second login step) or "login" (instead of a password). */

import "../shared/dialog.js";
import "../shared/notifications.js";
import "../shared/offline.js";
import { renderMessage } from "../shared/messages.js";
import { readData } from "../shared/page.js";
import { decodeOptions, encodeCredential } from "./credentials.js";

/** @type {Record<string, string>} message codes by the names of errors */
const ERRORS = {
  NotAllowedError: "passkey.cancelled",
  InvalidStateError: "passkey.known",
  SecurityError: "passkey.insecure",
};

/** @type {Record<string, (form: HTMLFormElement) => Promise<Credential>>} */
const REQUESTS = {
  create() {
    const { publicKey } = readData("passkey-options").creation_options;
    publicKey.authenticatorSelection = {
      ...publicKey.authenticatorSelection,
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    };
    return navigator.credentials.create({ publicKey: decodeOptions(publicKey) });
  },
  get() {
    const { publicKey } = readData("passkey-options").request_options;
    return navigator.credentials.get({ publicKey: decodeOptions(publicKey) });
  },
  async login(form) {
    const headers = { Accept: "application/json" };
    const response = await fetch(form.action, { headers, credentials: "same-origin" });
    if (!response.ok) throw new Error("no options");
    const { request_options: options } = await response.json();
    return navigator.credentials.get({ publicKey: decodeOptions(options.publicKey) });
  },
};

/** @param {HTMLFormElement} form */
async function requestPasskey(form) {
  const errorLine = form.querySelector("[data-passkey-error]");
  errorLine.hidden = true;
  try {
    if (!window.PublicKeyCredential) throw new DOMException("", "SecurityError");
    const credential = await REQUESTS[form.dataset.passkey](form);
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
    field.value = JSON.stringify(encodeCredential(credential));
    form.submit();
  } catch (error) {
    errorLine.textContent = renderMessage({ code: ERRORS[error.name] ?? "passkey.failed" });
    errorLine.hidden = false;
  }
}

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll("form[data-passkey]");
for (const form of forms) {
  /** @type {HTMLButtonElement} */
  const button = form.querySelector("[data-passkey-start]");
  button.addEventListener("click", () => requestPasskey(form));
  button.disabled = false; // until now, a click would have been lost
}
