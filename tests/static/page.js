/* The page that scripts find as they load in a test: a catalog of messages, storage, and no elements. */

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

const elements = { words: { href: new URL("./catalog.js", import.meta.url).href } };

Object.assign(globalThis, {
  window: globalThis,
  document: {
    documentElement: { dataset: {}, lang: "en" },
    cookie: "",
    addEventListener() {},
    getElementById: (id) => elements[id] ?? null,
    querySelector: () => null,
    querySelectorAll: () => [],
  },
  localStorage: createStorage(),
  sessionStorage: createStorage(),
  matchMedia: () => ({ matches: false }),
  addEventListener() {},
});
