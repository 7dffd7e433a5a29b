import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodeBase64Url,
  decodeOptions,
  encodeBase64Url,
} from "../../../../static/js/accounts/credentials.js";

test("bytes are encoded for a URL and decoded again", () => {
  const bytes = Uint8Array.from([251, 255, 254, 0, 1]);
  assert.equal(encodeBase64Url(bytes.buffer), "-__-AAE");
  assert.deepEqual(decodeBase64Url("-__-AAE"), bytes);
});

test("challenge and ids become bytes, and the rest stays", () => {
  const options = {
    challenge: "AQ",
    user: { id: "Ag", name: "alice" },
    allowCredentials: [{ type: "public-key", id: "Aw" }],
    timeout: 60,
  };
  assert.deepEqual(decodeOptions(options), {
    challenge: Uint8Array.from([1]),
    user: { id: Uint8Array.from([2]), name: "alice" },
    allowCredentials: [{ type: "public-key", id: Uint8Array.from([3]) }],
    timeout: 60,
  });
});
