/* Requests to the site, and the one that makes a visitor a guest player. */

/**
 * Fetch the current version of a resource; null without a connection.
 * @param {string} url
 * @returns {Promise<Response | null>}
 */
export async function get(url) {
  return fetch(url, { cache: "no-store" }).catch(noResponse);
}

/** Fetch the current version of this page; null without a connection. */
export async function fetchPage() {
  const response = await get(location.href);
  if (!response?.ok) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/**
 * Post a form without leaving the page; null without a connection.
 * @param {string} url
 * @param {Record<string, string> | FormData} [values]
 * @param {RequestInit} [options]
 * @returns {Promise<Response | null>}
 */
export async function post(url, values = {}, options = {}) {
  return fetch(url, {
    method: "POST",
    headers: { "X-CSRFToken": csrfToken(), Accept: "application/json" },
    body: new URLSearchParams(/** @type {Record<string, string>} */ (values)),
    credentials: "same-origin",
    ...options,
  }).catch(noResponse);
}

/** @returns {null} */
function noResponse() {
  return null;
}

/** Make the visitor a guest player. Throws an Error whose `cause` is a message for the visitor. */
export async function becomeGuest() {
  const response = await post("/guest/");
  if (!response) throw failure("guest.unreachable");
  if (response.status === 429) throw failure("refused.many-at-once");
  if (!response.ok) throw failure("guest.failed");
  updateForms();
}

/** @param {string} code */
function failure(code) {
  return new Error(code, { cause: { code } });
}

/** A login changes the token: put the new one into the forms of this page. */
function updateForms() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll('input[name="csrfmiddlewaretoken"]');
  for (const field of fields) field.value = csrfToken();
}

/** Return the CSRF token. Its cookie has a prefix under https. */
export function csrfToken() {
  return readCookie("__Host-csrftoken") || readCookie("csrftoken");
}

/** @param {string} name */
function readCookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}
