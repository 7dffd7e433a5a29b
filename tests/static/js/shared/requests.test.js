import assert from "node:assert/strict";
import { test } from "node:test";
import { becomeGuest, csrfToken, get, post } from "../../../../static/js/shared/requests.js";

/** @param {string} cookie */
function setCookie(cookie) {
  Object.assign(document, { cookie });
}

/** @param {number} status */
function answer(status) {
  const requests = [];
  globalThis.fetch = async (url, options) => {
    requests.push({ url, ...options });
    return new Response(null, { status });
  };
  return requests;
}

test("the token comes from the cookie, whose name has a prefix under https", () => {
  setCookie("other=1; csrftoken=plain");
  assert.equal(csrfToken(), "plain");
  setCookie("csrftoken=plain; __Host-csrftoken=a%3Db");
  assert.equal(csrfToken(), "a=b");
  setCookie("xcsrftoken=1");
  assert.equal(csrfToken(), "");
});

test("a post carries the token and the values", async () => {
  setCookie("csrftoken=secret");
  const [requests, response] = [answer(204), await post("/preferences/", { sound: "no" })];
  assert.equal(response.status, 204);
  assert.equal(requests[0].method, "POST");
  assert.equal(requests[0].headers["X-CSRFToken"], "secret");
  assert.equal(String(requests[0].body), "sound=no");
});

test("without a connection there is no response", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("no network");
  };
  assert.equal(await get("/healthz"), null);
  assert.equal(await post("/guest/"), null);
});

test("a visitor who cannot become a guest learns why", async () => {
  const causeOf = (error) => error.cause.code;
  answer(429);
  await assert.rejects(becomeGuest(), (error) => causeOf(error) === "refused.many-at-once");
  answer(500);
  await assert.rejects(becomeGuest(), (error) => causeOf(error) === "guest.failed");
  globalThis.fetch = async () => {
    throw new TypeError("no network");
  };
  await assert.rejects(becomeGuest(), (error) => causeOf(error) === "guest.unreachable");
  answer(204);
  await becomeGuest();
});
