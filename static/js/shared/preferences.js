/* The visitor's preferences. Those of an account come with the page and are stored on the server;
   those of a visitor are stored in the browser, until a new account takes them over. */

import { post } from "./requests.js";

const IS_TOUCH = window.matchMedia("(pointer: coarse)").matches;
/** @type {Record<string, boolean>} */
const DEFAULTS = { sound: true, confirm: IS_TOUCH, phrases: true, rated: false };
/** @type {Record<string, string>} */
const STORAGE_KEYS = {
  scheme: "looks-scheme",
  board: "looks-board",
  sound: "prefers-sound",
  confirm: "prefers-confirm",
  phrases: "prefers-phrases",
  rated: "prefers-rated",
};
const root = document.documentElement;
/** @type {Record<string, string>} */
const changed = {}; // since the page was loaded

/**
 * Return whether a preference is on.
 * @param {string} name
 */
export function prefers(name) {
  const stored = root.dataset.kept === "account" ? root.dataset[name] : readStorage(name);
  const value = changed[name] ?? stored;
  return value === null || value === undefined ? DEFAULTS[name] : value === "yes";
}

/**
 * Let the page's checkboxes show and change preferences.
 * @param {(name: string) => void} [onChange]
 */
export function bindPreferences(onChange) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = document.querySelectorAll("[data-prefers]");
  for (const box of boxes) {
    const name = box.dataset.prefers;
    box.checked = prefers(name);
    box.addEventListener("change", () => {
      setPreference(name, box.checked ? "yes" : "no");
      onChange?.(name);
    });
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function setPreference(name, value) {
  const transferred = transferToAccount();
  changed[name] = value;
  if (root.dataset.kept) save({ ...transferred, [name]: value });
  else localStorage.setItem(STORAGE_KEYS[name], value);
}

/** Return the browser's preferences if the account is new, and use them as the account's. */
function transferToAccount() {
  if (root.dataset.kept !== "new") return {};
  const stored = Object.fromEntries(
    Object.keys(STORAGE_KEYS)
      .map((name) => [name, readStorage(name)])
      .filter(([, value]) => value !== null),
  );
  Object.assign(changed, stored);
  root.dataset.kept = "account";
  return stored;
}

/** @param {string} name */
function readStorage(name) {
  return localStorage.getItem(STORAGE_KEYS[name]);
}

/** @param {Record<string, string>} values */
function save(values) {
  // `keepalive`: the choice counts even if the visitor leaves the page immediately. If the request
  // fails, it counts for this page only.
  post("/preferences/", values, { keepalive: true });
}

document.addEventListener("chosen", (event) => {
  const { what, value } = /** @type {CustomEvent} */ (event).detail;
  setPreference(what, value);
});
const transferred = transferToAccount();
if (Object.keys(transferred).length) save({ ...transferred, first: "yes" });
