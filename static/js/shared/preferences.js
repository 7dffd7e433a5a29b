/* What this person prefers. An account's comes with the page and is kept at the server; anybody
   else's is kept in this browser, and a new account takes it along. */

import { token } from "./guest.js";

const TOUCH = window.matchMedia("(pointer: coarse)").matches;
const DEFAULTS = { sound: true, confirm: TOUCH, phrases: true, rated: false };
const root = document.documentElement;
const chosen = {}; // since the page was made

// Where the browser keeps each.
const KEPT = {
  scheme: "looks-scheme",
  board: "looks-board",
  sound: "prefers-sound",
  confirm: "prefers-confirm",
  phrases: "prefers-phrases",
  rated: "prefers-rated",
};

export function prefers(what) {
  const kept =
    chosen[what] ??
    (root.dataset.kept === "account" ? root.dataset[what] : localStorage.getItem(KEPT[what]));
  return kept === null || kept === undefined ? DEFAULTS[what] : kept === "yes";
}

/* Bind the checkboxes of the page to what they stand for. */
export function bindPreferences(onChange) {
  for (const box of document.querySelectorAll("[data-prefers]")) {
    box.checked = prefers(box.dataset.prefers);
    box.addEventListener("change", () => {
      keep(box.dataset.prefers, box.checked ? "yes" : "no");
      onChange(box.dataset.prefers);
    });
  }
}

function keep(what, value) {
  const along = takeAlong();
  chosen[what] = value;
  if (root.dataset.kept) send({ ...along, [what]: value });
  else localStorage.setItem(KEPT[what], value);
}

/* What a new account takes along, once. */
function takeAlong() {
  if (root.dataset.kept !== "new") return {};
  const along = inBrowser();
  Object.assign(chosen, along);
  root.dataset.kept = "account";
  return along;
}

/* What this browser has kept so far. */
function inBrowser() {
  return Object.fromEntries(
    Object.entries(KEPT)
      .map(([what, key]) => [what, localStorage.getItem(key)])
      .filter(([, value]) => value !== null),
  );
}

function send(values) {
  fetch("/preferences/", {
    method: "POST",
    headers: { "X-CSRFToken": token(), Accept: "application/json" },
    body: new URLSearchParams(values),
    credentials: "same-origin",
    keepalive: true, // who goes on to another page has chosen all the same
  }).catch(() => {}); // without a connection it holds for this page
}

document.addEventListener("chosen", ({ detail }) => keep(detail.what, detail.value));
const along = takeAlong();
if (Object.keys(along).length) send({ ...along, first: "yes" });
