/* Challenges, on every page: those to the player, to accept or to decline with a word; the player's
   own; and the words with which others declined. */

import { token } from "./guest.js";
import { renderMessage, renderParts } from "./messages.js";
import { make } from "./page.js";

const WORDS = ["later", "clock", "game", "no"];

export function makeChallenge(each) {
  const name = make(
    "a",
    { href: `/player/${encodeURIComponent(each.player)}/` },
    make("bdi", { textContent: each.player }),
  );
  const game = { code: `${each.game}.name` };
  const kind = each.rated ? "waiting.rated-game" : "waiting.game";
  const what = each.clock ? { code: kind, game, clock: each.clock } : game;
  const code = each.mine ? "challenge.mine" : "challenge.theirs";
  const text = make("p", {}, make("span", {}, ...renderParts({ code, name, game: what })));
  return make(
    "li",
    { className: each.mine ? "" : "begun" },
    text,
    make("span", { className: "do" }, ...(each.mine ? ownButtons(each) : buttons(each))),
  );
}

export function makeDeclined(each) {
  const name = make("bdi", { textContent: each.player });
  const word = { code: `decline.${each.word}` };
  const text = make(
    "p",
    {},
    make("span", {}, ...renderParts({ code: "challenge.declined", name, word })),
  );
  const away = make("button", {
    type: "button",
    className: "button",
    textContent: renderMessage({ code: "challenge.put-away" }),
    "aria-label": renderMessage({ code: "challenge.put-away-label" }),
  });
  away.addEventListener("click", () => post(each, "withdraw", away));
  return make("li", {}, text, make("span", { className: "do" }, away));
}

/* Accepting leads to the match, so it is a form; declining leaves the page as it is. */
function buttons(each) {
  const accept = make(
    "form",
    { method: "post", action: `${each.url}accept/` },
    make("input", { type: "hidden", name: "csrfmiddlewaretoken", value: token() }),
    make("button", {
      className: "button primary",
      textContent: renderMessage({ code: "challenge.accept" }),
      "aria-label": renderMessage({ code: "challenge.accept-label", name: each.player }),
    }),
  );
  const words = make(
    "div",
    { className: "decline-words" },
    ...WORDS.map((word) => {
      const button = make("button", {
        type: "button",
        className: "button",
        textContent: renderMessage({ code: `decline.${word}` }),
        "data-word": word,
      });
      button.addEventListener("click", () => post(each, "decline", button, { word }));
      return button;
    }),
  );
  const decline = make(
    "details",
    { className: "decline-with" },
    make("summary", {
      className: "button",
      textContent: renderMessage({ code: "challenge.decline" }),
      "aria-label": renderMessage({ code: "challenge.decline-label", name: each.player }),
    }),
    words,
  );
  return [accept, decline];
}

function ownButtons(each) {
  const withdraw = make("button", {
    type: "button",
    className: "button",
    textContent: renderMessage({ code: "challenge.withdraw" }),
    "aria-label": renderMessage({ code: "challenge.withdraw-label", name: each.player }),
  });
  withdraw.addEventListener("click", () => post(each, "withdraw", withdraw));
  return [withdraw];
}

/* The row goes when the server says that the challenge is gone; it may be tried again till then. */
async function post(each, what, button, form = {}) {
  button.disabled = true;
  const answer = await fetch(`/challenge/${each.challenge}/${what}/`, {
    method: "POST",
    headers: { "X-CSRFToken": token(), Accept: "application/json" },
    body: new URLSearchParams(form),
    credentials: "same-origin",
  }).catch(() => null);
  if (!answer?.ok && answer?.status !== 409) button.disabled = false;
}
