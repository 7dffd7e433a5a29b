/* The player's open searches, invitations, challenges and matches, which `own` frames of the lobby
   socket list: their messages, and their rows in the panel of waiting.js. */

import {
  clockMessage,
  longClockMessage,
  renderMessage,
  renderParts,
  showName,
} from "./messages.js";
import { make } from "./page.js";
import { csrfToken, post } from "./requests.js";

const COMPUTER_LEVEL = "2"; // of the game while waiting: most people win some and lose some
const DECLINE_REASONS = ["later", "clock", "game", "no"];

/**
 * Return whether there is anything open that the page has to show.
 * @param {OwnFrame} frame
 */
export function hasActivity({ seeks, begun, games, challenges, declined }) {
  return [seeks, begun, games, challenges, declined].some((rows) => rows.length > 0);
}

/**
 * Return the games in which it is the player's turn, without those that have just begun: the page
 * lists these separately.
 * @param {Pick<OwnFrame, "games" | "begun">} frame
 */
export function gamesToMove({ games, begun }) {
  const listed = new Set(begun.map((match) => match.match));
  return games.filter((game) => game.waits && !listed.has(game.match));
}

/**
 * Return the ids of everything that other tabs should know the player is waiting for.
 * @param {OwnFrame} frame
 */
export function awaitedIds({ seeks, begun, games }) {
  return [...seeks.map((seek) => seek.seek), ...[...begun, ...games].map((match) => match.match)];
}

/**
 * Name a game with its clock, such as "Chess, 3 + 2, rated".
 * @param {{game: string, clock: string | null, rated: boolean}} setup
 * @param {(clock: string) => Message} [describe]
 * @returns {Message}
 */
function setupMessage({ game, clock, rated }, describe = clockMessage) {
  const name = { code: `${game}.name` };
  if (!clock) return name;
  const code = rated ? "waiting.rated-game" : "waiting.game";
  return { code, game: name, clock: describe(clock) };
}

/**
 * Describe an open search or invitation.
 * @param {OwnSeek} seek
 * @returns {Message}
 */
export function seekMessage(seek) {
  const code = seek.invitation ? "waiting.invitation" : "waiting.search";
  return { code, game: setupMessage(seek) };
}

/**
 * Describe a match that has just begun. Names are elements on the page.
 * @param {BegunMatch} match
 * @param {{name: any, event: any}} names the opponent's, and the tournament's
 * @returns {Message}
 */
export function begunMessage(match, { name, event }) {
  const begun = match.invitation ? "waiting.accepted" : "waiting.begun";
  const code = match.event ? "waiting.tournament" : begun;
  return { code, game: { code: `${match.game}.name` }, name, event };
}

/**
 * Describe an open challenge.
 * @param {Challenge} challenge
 * @param {any} name of the other player, an element on the page
 * @returns {Message}
 */
export function challengeMessage(challenge, name) {
  const code = challenge.mine ? "challenge.mine" : "challenge.theirs";
  return { code, name, game: setupMessage(challenge) };
}

/**
 * Return the title of the tab: the most important news, followed by the page's title.
 * @param {TabNews} news
 * @param {string} title
 * @returns {Message | null} null if there is no news
 */
export function titleMessage({ isMyTurn, hasBegun, games, isSearching }, title) {
  if (isMyTurn) return { code: "status.title", title };
  if (hasBegun) return { code: "waiting.title-begun", title };
  if (games) return { code: "waiting.title-games", count: games, title };
  return isSearching ? { code: "waiting.title", title } : null;
}

/**
 * News that the tab shows while the player looks at another one.
 * @typedef {object} TabNews
 * @property {boolean} isMyTurn whether it is the player's turn in the match of this page
 * @property {boolean} hasBegun whether another match has begun
 * @property {number} games the number of other games in which it is the player's turn
 * @property {boolean} isSearching whether the player is looking for an opponent
 */

/** @param {OwnSeek} seek */
export function makeSeekRow(seek) {
  const message = seekMessage(seek);
  const text = renderMessage(message);
  const line = make("p", {}, make("span", { textContent: text, "data-words": "" }));
  if (!seek.invitation) {
    line.append(
      " ",
      make("span", { className: "since", "aria-hidden": "true", "data-since": seek.since }),
    );
  }
  const end = seek.invitation ? "withdraw" : "stop";
  const setup = setupMessage(seek, longClockMessage);
  const stop = makeButton(`waiting.${end}`, { code: `waiting.${end}-label`, game: setup });
  stop.dataset.stop = seek.seek;
  const game = { code: `${seek.game}.name` };
  const links = seek.invitation
    ? [makeLink(`/seek/${seek.seek}/`, "waiting.show", { code: "waiting.show-label", game })]
    : [];
  const pulse = make("span", { className: "pulse", "aria-hidden": "true" });
  const offers = make("div", { className: "offers" });
  return make("li", {}, pulse, line, makeActions(...links, stop), offers);
}

/**
 * Describe another player's seek that the player could join instead of waiting.
 * @param {Offer} offer
 * @param {OwnSeek} seek what the player waits for
 * @param {any} name of the other player, an element on the page
 * @returns {{waits: Message, play: Message}} what the other player waits for, and the button's text
 */
export function offerMessages({ clock, rated, rating }, seek, name) {
  const casual = seek.rated ? "-casual" : "";
  const kind = rated ? "-rated" : clock ? casual : "-untimed";
  const params = { clock: clockMessage(clock) };
  return {
    waits: { code: `offer.waits${kind}`, name, rating, ...params },
    play: { code: `offer.play${kind}`, ...params },
  };
}

/**
 * Say how many others are online.
 * @param {number | undefined} others undefined while it is not known
 * @returns {Message | null}
 */
export function othersMessage(others) {
  if (others === undefined) return null;
  return others ? { code: "offer.others", count: others } : { code: "offer.nobody" };
}

/**
 * Make the line of an offer, with a button that joins it.
 * @param {Offer} offer
 * @param {OwnSeek} seek what the player waits for
 */
export function makeOffer(offer, seek) {
  const name = make("bdi", { textContent: showName(offer.player) });
  const { waits, play } = offerMessages(offer, seek, name);
  const game = setupMessage(offer, longClockMessage);
  const button = make("button", {
    type: "button",
    className: "button primary",
    textContent: renderMessage(play),
    "aria-label": renderMessage({ code: "offer.play-label", play, game, name: offer.player }),
    "data-join": offer.seek,
  });
  const line = makeLine(waits);
  line.append(" ", make("span", { className: "error", role: "alert", hidden: true }));
  return make("div", { className: "offer", "data-offer": offer.seek }, line, makeActions(button));
}

/**
 * Make the line that offers the computer to a player who waits alone. The search goes on.
 * @param {string} game
 */
export function makeComputerOffer(game) {
  const values = { game, clock: "", level: COMPUTER_LEVEL, waits: "yes" };
  const fields = Object.entries({ ...values, csrfmiddlewaretoken: csrfToken() }).map(
    ([name, value]) => make("input", { type: "hidden", name, value }),
  );
  const button = make("button", {
    className: "button",
    ...texts("offer.computer", { code: "offer.computer-label", game: { code: `${game}.name` } }),
  });
  const form = make("form", { method: "post", action: "/computer/" }, ...fields, button);
  const others = make("span", { "data-others": "" });
  return make("div", { className: "offer alone" }, make("p", {}, others), makeActions(form));
}

/** @param {BegunMatch} match */
export function makeMatchRow(match) {
  const name = make("bdi", { textContent: showName(match.opponent) });
  const event = make("bdi", { textContent: match.event ?? "" });
  const game = { code: `${match.game}.name` };
  const link = makeLink(match.url, "waiting.play", {
    code: "waiting.play-label",
    game,
    name: match.opponent,
  });
  link.classList.add("primary");
  const close = make("button", {
    type: "button",
    className: "button",
    textContent: "✕",
    "aria-label": renderMessage({ code: "challenge.put-away-label" }),
  });
  for (const each of [link, close]) each.dataset.closeNotice = match.match;
  return make(
    "li",
    { className: "begun" },
    makeLine(begunMessage(match, { name, event })),
    makeActions(link, close),
  );
}

/** @param {Challenge} challenge */
export function makeChallengeRow(challenge) {
  const name = make(
    "a",
    { href: `/player/${encodeURIComponent(challenge.player)}/` },
    make("bdi", { textContent: showName(challenge.player) }),
  );
  return make(
    "li",
    { className: challenge.mine ? "" : "begun" },
    makeLine(challengeMessage(challenge, name)),
    makeActions(...(challenge.mine ? [makeWithdraw(challenge)] : makeAnswers(challenge))),
  );
}

/** @param {DeclinedChallenge} challenge */
export function makeDeclinedRow(challenge) {
  const name = make("bdi", { textContent: showName(challenge.player) });
  const word = { code: `decline.${challenge.word}` };
  const dismiss = makeButton("challenge.put-away", { code: "challenge.put-away-label" });
  dismiss.addEventListener("click", () => answer(challenge, "withdraw", dismiss));
  return make("li", {}, makeLine({ code: "challenge.declined", name, word }), makeActions(dismiss));
}

/** @param {Challenge} challenge */
function makeWithdraw(challenge) {
  const withdraw = makeButton("challenge.withdraw", {
    code: "challenge.withdraw-label",
    name: challenge.player,
  });
  withdraw.addEventListener("click", () => answer(challenge, "withdraw", withdraw));
  return withdraw;
}

/**
 * Accepting leads to the match, so it is a form; declining leaves the page as it is.
 * @param {Challenge} challenge
 */
function makeAnswers(challenge) {
  const label = (/** @type {string} */ code) => renderMessage({ code, name: challenge.player });
  const accept = make(
    "form",
    { method: "post", action: `${challenge.url}accept/` },
    make("input", { type: "hidden", name: "csrfmiddlewaretoken", value: csrfToken() }),
    make("button", {
      className: "button primary",
      textContent: renderMessage({ code: "challenge.accept" }),
      "aria-label": label("challenge.accept-label"),
    }),
  );
  const reasons = DECLINE_REASONS.map((word) => {
    const button = /** @type {HTMLButtonElement} */ (
      make("button", {
        type: "button",
        className: "button",
        textContent: renderMessage({ code: `decline.${word}` }),
        "data-word": word,
      })
    );
    button.addEventListener("click", () => answer(challenge, "decline", button, { word }));
    return button;
  });
  const decline = make(
    "details",
    { className: "decline-with" },
    make("summary", {
      className: "button",
      textContent: renderMessage({ code: "challenge.decline" }),
      "aria-label": label("challenge.decline-label"),
    }),
    make("div", { className: "decline-words" }, ...reasons),
  );
  return [accept, decline];
}

/**
 * Answer a challenge. The server removes its row; until then, a failed answer can be repeated.
 * @param {Challenge | DeclinedChallenge} challenge
 * @param {"decline" | "withdraw"} action
 * @param {HTMLButtonElement} button
 * @param {Record<string, string>} [values]
 */
async function answer({ challenge }, action, button, values = {}) {
  button.disabled = true;
  const response = await post(`/challenge/${challenge}/${action}/`, values);
  if (!response?.ok && response?.status !== 409) button.disabled = false;
}

/** @param {Message} message */
function makeLine(message) {
  return make("p", {}, make("span", {}, ...renderParts(message)));
}

/** @param {...HTMLElement} children */
function makeActions(...children) {
  return make("span", { className: "do" }, ...children);
}

/**
 * @param {string} code of its text
 * @param {Message} label for screen readers
 */
function makeButton(code, label) {
  return /** @type {HTMLButtonElement} */ (
    make("button", { type: "button", className: "button", ...texts(code, label) })
  );
}

/**
 * @param {string} href
 * @param {string} code of its text
 * @param {Message} label for screen readers
 */
function makeLink(href, code, label) {
  return make("a", { className: "button", href, ...texts(code, label) });
}

/**
 * @param {string} code
 * @param {Message} label
 */
function texts(code, label) {
  return { textContent: renderMessage({ code }), "aria-label": renderMessage(label) };
}
