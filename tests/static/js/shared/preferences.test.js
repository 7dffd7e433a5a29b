import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const SCRIPT = "../../../../static/js/shared/preferences.js";
const root = document.documentElement;
/** @type {{url: string, values: Record<string, string>}[]} */
let posted = [];
let loads = 0;

/** Load the script as a new page does. */
function load() {
  loads += 1;
  return import(`${SCRIPT}?load=${loads}`);
}

beforeEach(() => {
  root.dataset = {};
  localStorage.clear();
  posted = [];
  globalThis.fetch = async (url, { body }) => {
    posted.push({ url, values: Object.fromEntries(body) });
    return new Response(null, { status: 204 });
  };
});

test("a preference has a default until it is chosen", async () => {
  const { prefers, setPreference } = await load();
  assert.equal(prefers("sound"), true);
  assert.equal(prefers("rated"), false);
  assert.equal(prefers("confirm"), false); // no touch screen
  setPreference("sound", "no");
  assert.equal(prefers("sound"), false);
});

test("a visitor's choice stays in the browser", async () => {
  const { setPreference } = await load();
  setPreference("sound", "no");
  assert.equal((await load()).prefers("sound"), false);
  assert.deepEqual(posted, []);
});

test("an account's choice comes with the page and goes to the server", async () => {
  localStorage.setItem("prefers-sound", "yes"); // of somebody else who uses this browser
  root.dataset = { kept: "account", sound: "no" };
  const { prefers, setPreference } = await load();
  assert.equal(prefers("sound"), false);
  setPreference("phrases", "no");
  assert.equal(prefers("phrases"), false);
  assert.deepEqual(posted, [{ url: "/preferences/", values: { phrases: "no" } }]);
  assert.equal(localStorage.getItem("prefers-phrases"), null);
});

test("a new account takes over the browser's choices once", async () => {
  localStorage.setItem("prefers-sound", "no");
  localStorage.setItem("looks-board", "slate");
  root.dataset = { kept: "new" };
  const { prefers } = await load();
  assert.equal(prefers("sound"), false);
  assert.equal(root.dataset.kept, "account");
  const values = { board: "slate", sound: "no", first: "yes" };
  assert.deepEqual(posted, [{ url: "/preferences/", values }]);
});
