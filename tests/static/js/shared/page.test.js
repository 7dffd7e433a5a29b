import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { computeAvatar } from "../../../../static/js/shared/page.js";

const AVATARS = JSON.parse(readFileSync(new URL("../../avatars.json", import.meta.url), "utf8"));

test("avatars are the ones that the server draws", () => {
  for (const [name, hue, path] of AVATARS) {
    assert.deepEqual(computeAvatar(name), { hue, path }, name);
  }
});
