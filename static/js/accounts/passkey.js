/* Passkeys: asks the browser for one, and sends it with the form that asked. The form's `data-passkey`
   is "create", "get" (a second login step) or "login" (instead of a password). */

import { renderMessage } from "../shared/messages.js";
import { readData } from "../shared/page.js";

/** @type {Record<string, string>} message codes by the names of errors */
const ERRORS = {
  NotAllowedError: "passkey.cancelled",
  InvalidStateError: "passkey.known",
  SecurityError: "passkey.insecure",
};
const BINARY_FIELDS = [
  "clientDataJSON",
  "attestationObject",
  "authenticatorData",
  "signature",
  "userHandle",
];

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

/**
 * Decode the fields of the server's options that the browser wants as bytes.
 * @param {any} options
 */
export function decodeOptions(options) {
  const decoded = { ...options, challenge: decodeBase64Url(options.challenge) };
  if (options.user) decoded.user = { ...options.user, id: decodeBase64Url(options.user.id) };
  for (const list of ["excludeCredentials", "allowCredentials"]) {
    if (!options[list]) continue;
    decoded[list] = options[list].map((/** @type {{id: string}} */ key) => ({
      ...key,
      id: decodeBase64Url(key.id),
    }));
  }
  return decoded;
}

/**
 * Encode the browser's credential for JSON.
 * @param {any} credential
 */
function encodeCredential(credential) {
  const { id, rawId, type, authenticatorAttachment, response } = credential;
  /** @type {Record<string, any>} */
  const encoded = {};
  for (const name of BINARY_FIELDS) {
    if (response[name]) encoded[name] = encodeBase64Url(response[name]);
  }
  if (response.getTransports) encoded.transports = response.getTransports();
  return {
    id,
    rawId: encodeBase64Url(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: encoded,
  };
}

/** @param {string} text */
export function decodeBase64Url(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
export function encodeBase64Url(buffer) {
  const characters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte));
  const base64 = btoa(characters.join(""));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll("form[data-passkey]");
for (const form of forms) {
  const button = form.querySelector("[data-passkey-start]");
  button.addEventListener("click", () => requestPasskey(form));
}
