/* Passkeys: asks the browser for one, and sends what it says by the form that asked. A form says
   what it is for: `data-passkey` is create, get (a second step) or login (instead of a password). */

import { renderMessage } from "../shared/messages.js";
import { data } from "../shared/page.js";

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.querySelector("[data-passkey-start]").addEventListener("click", () => ask(form));
}

async function ask(form) {
  const error = form.querySelector("[data-passkey-error]");
  error.hidden = true;
  try {
    if (!window.PublicKeyCredential) throw new DOMException("", "SecurityError");
    const credential = await ASK[form.dataset.passkey](form);
    form.elements.credential.value = JSON.stringify(told(credential));
    form.submit();
  } catch (failure) {
    error.textContent = renderMessage({ code: WHY[failure.name] ?? "passkey.failed" });
    error.hidden = false;
  }
}

const WHY = {
  NotAllowedError: "passkey.cancelled",
  InvalidStateError: "passkey.known",
  SecurityError: "passkey.insecure",
};

const ASK = {
  create() {
    const { publicKey } = data("passkey-options").creation_options;
    publicKey.authenticatorSelection = {
      ...publicKey.authenticatorSelection,
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    };
    return navigator.credentials.create({ publicKey: binary(publicKey) });
  },
  get() {
    const { publicKey } = data("passkey-options").request_options;
    return navigator.credentials.get({ publicKey: binary(publicKey) });
  },
  async login(form) {
    const headers = { Accept: "application/json" };
    const answer = await fetch(form.action, { headers, credentials: "same-origin" });
    if (!answer.ok) throw new Error("no options");
    const { request_options } = await answer.json();
    return navigator.credentials.get({ publicKey: binary(request_options.publicKey) });
  },
};

/* The options with bytes where the browser wants bytes: challenge, and the ids of user and keys. */
function binary(options) {
  const keys = (list) => list?.map((key) => ({ ...key, id: bytes(key.id) }));
  const made = { ...options, challenge: bytes(options.challenge) };
  if (options.user) made.user = { ...options.user, id: bytes(options.user.id) };
  if (options.excludeCredentials) made.excludeCredentials = keys(options.excludeCredentials);
  if (options.allowCredentials) made.allowCredentials = keys(options.allowCredentials);
  return made;
}

/* What the browser answered, as text. */
function told(credential) {
  const { response } = credential;
  const parts = {};
  for (const name of [
    "clientDataJSON",
    "attestationObject",
    "authenticatorData",
    "signature",
    "userHandle",
  ]) {
    if (response[name]) parts[name] = text(response[name]);
  }
  if (response.getTransports) parts.transports = response.getTransports();
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: parts,
  };
}

function bytes(base64url) {
  const base64 = base64url.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function text(buffer) {
  const characters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte));
  return btoa(characters.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
