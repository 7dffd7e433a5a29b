/* The page that scripts find as they load in a test: a catalog of messages, storage, and no elements. */

import * as catalog from "./catalog.js";

/** @returns {Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear">} */
function createStorage() {
  const values = new Map();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, String(value)),
    removeItem: (key) => values.delete(key),
    clear: () => values.clear(),
  };
}

Object.assign(globalThis, {
  catalog,
  window: globalThis,
  document: {
    documentElement: { dataset: {}, lang: "en" },
    cookie: "",
    addEventListener() {},
    getElementById: () => null,
    querySelector: () => null,
    querySelectorAll: () => [],
  },
  localStorage: createStorage(),
  sessionStorage: createStorage(),
  matchMedia: () => ({ matches: false }),
  addEventListener() {},
});
