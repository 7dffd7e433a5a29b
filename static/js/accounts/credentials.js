/* Passkeys as JSON: the server's options and the browser's credentials, whose bytes are in base64url. */

const BINARY_FIELDS = [
  "clientDataJSON",
  "attestationObject",
  "authenticatorData",
  "signature",
  "userHandle",
];

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
export function encodeCredential(credential) {
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
