/* Messages are codes with parameters; their sentences come from the catalog of the page's language,
   which the templates use too. */

const { countedBy, formOf, sentences, standIns } = globalThis.catalog;
const PLACEHOLDER = /\{(\w+)\}/;
const DATE = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d)?$/;
const DECIMAL = /^\d+\.\d+$/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Render a message as text.
 * @param {Message} message
 * @returns {string}
 */
export function renderMessage(message) {
  return renderParts(message).join("");
}

/**
 * Render a message as arguments for `append`: an element among the parameters stays an element.
 * @param {Message} message
 * @returns {(string | Node)[]}
 */
export function renderParts({ code, ...params }) {
  const found = sentences[code] ?? code;
  const sentence = Array.isArray(found) ? found[formOf(params[countedBy[code] ?? "count"])] : found;
  return sentence
    .split(PLACEHOLDER)
    .flatMap((/** @type {string} */ part, /** @type {number} */ index) =>
      index % 2 ? renderParameter(params[part] ?? `{${part}}`) : part || [],
    );
}

/** @param {any} value */
function renderParameter(value) {
  if (typeof value === "string") return format(value);
  return typeof value === "object" && value.code ? renderMessage(value) : value;
}

/**
 * Format a date, a time or a decimal for the reader, as `games.messages.table` does.
 * @param {string} value
 */
function format(value) {
  const { lang } = document.documentElement;
  if (DATE.test(value)) {
    /** @type {Intl.DateTimeFormatOptions} */
    const style = { dateStyle: "medium", timeZone: "UTC", numberingSystem: "latn" };
    if (value.includes(" ")) style.timeStyle = "short";
    return new Date(`${value.replace(" ", "T")}Z`).toLocaleString(lang, style);
  }
  if (DECIMAL.test(value)) return Number(value).toLocaleString(lang, { numberingSystem: "latn" });
  return isolate(showName(value));
}

/**
 * Return a player's name as readers see it: a name that stands in for a player is translated.
 * @param {string} name
 * @returns {string}
 */
export function showName(name) {
  return standIns[name] ?? name;
}

/**
 * Keep a name from reordering the sentence around it, where either is written from right to left. An
 * element needs no isolation: names stand in `bdi` elements.
 * @param {string} name
 */
function isolate(name) {
  const isRightToLeft = document.documentElement.dir === "rtl";
  const isNeeded = (isRightToLeft ? LETTER_OR_DIGIT : RIGHT_TO_LEFT).test(name);
  return isNeeded ? `\u2068${name}\u2069` : name;
}

/**
 * Describe a clock such as "3+2" (minutes + seconds per move) in short, as `describe_clock` in
 * `games.match.clock` does.
 * @param {string | null} clock null or "" for an untimed match
 * @returns {Message}
 */
export function clockMessage(clock) {
  if (!clock) return { code: "clock.none" };
  const [minutes, seconds] = clock.split("+").map(Number);
  return { code: "clock.some", minutes, seconds };
}

/**
 * Describe a clock at length, for screen readers, as `spell_out_clock` in `games.match.clock` does.
 * @param {string | null} clock null or "" for an untimed match
 * @returns {Message}
 */
export function longClockMessage(clock) {
  if (!clock) return { code: "clock.none" };
  const [minutes, seconds] = clock.split("+").map(Number);
  const parts = {
    minutes: { code: "clock.minutes", count: minutes },
    seconds: { code: "clock.seconds", count: seconds },
  };
  if (!seconds) return parts.minutes;
  return minutes ? { code: "clock.long", ...parts } : parts.seconds;
}

/**
 * Describe how a match ended, as `games.match.outcome` does.
 * @param {Outcome} outcome
 * @param {{you: string | null, roles: string[], nameOf: (role: string) => string}} viewer
 *   `you` is the viewer's role, or null for a watcher
 * @returns {Message} `result` is the part without the reason, such as "You won"
 */
export function outcomeMessage(outcome, viewer) {
  const result = simpleOutcomeMessage({ ...outcome, code: "end.rules", won: null }, viewer);
  /** @type {Message} */
  const first = { ...simpleOutcomeMessage(outcome, viewer), result };
  return (outcome.more ?? []).reduce(
    (said, part) => ({ code: "end.more", said, more: simpleOutcomeMessage(part, viewer) }),
    first,
  );
}

/**
 * @param {Outcome} outcome
 * @param {{you: string | null, roles: string[], nameOf: (role: string) => string}} viewer
 * @returns {Message}
 */
function simpleOutcomeMessage({ code, winner, won, lost }, { you, roles, nameOf }) {
  const scores = won === null ? {} : { won, lost };
  if (winner === null) return { code, ...scores };
  const side = you === null ? "seen" : you === winner ? "won" : "lost";
  const loser = roles.find((role) => role !== winner);
  return { code: `${code}.${side}`, winner: nameOf(winner), loser: nameOf(loser), ...scores };
}
