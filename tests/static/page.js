/* What the scripts find as they load in a test: a page with a catalog of messages and nothing else. */

const elements = { words: { href: new URL("./catalog.js", import.meta.url).href } };

globalThis.document = { getElementById: (id) => elements[id] ?? null };
