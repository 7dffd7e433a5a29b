/* Seeks, and the lobby's listing of them. These functions need no page. */

import { clockMessage } from "../shared/messages.js";

const MAX_TIME = 180; // minutes, and seconds per move

/**
 * Describe what a seek is for.
 * @param {ListedSeek} seek
 * @returns {Message}
 */
export function seekMessage({ game, clock, rated, lowest, highest }) {
  const params = { game: { code: `${game}.name` }, clock: clockMessage(clock), lowest, highest };
  if (!rated) return { code: "seek.what", ...params };
  if (lowest === null && highest === null) return { code: "seek.rated", ...params };
  if (highest === null) return { code: "seek.rated-from", ...params };
  return { code: lowest === null ? "seek.rated-to" : "seek.rated-between", ...params };
}

/**
 * Describe the players of a match.
 * @param {ListedMatch} match
 * @returns {Message}
 */
export function playersMessage({ seats }) {
  const [one, other] = Object.values(seats).map((seat) => seat.name);
  return { code: "match.against", one, other };
}

/**
 * @typedef {object} Listing
 * @property {Map<string, ListedSeek>} seeks
 * @property {{online?: number, playing?: number, seeking?: number}} counts
 */

/**
 * Create the listing of a whole lobby.
 * @param {LobbyFrame} frame
 * @returns {Listing}
 */
export function createListing({ seeks, online, playing, seeking }) {
  return {
    seeks: new Map(seeks.map((seek) => [seek.seek, seek])),
    counts: { online, playing, seeking },
  };
}

/**
 * Apply a frame of changes.
 * @param {Listing} listing
 * @param {LobbyChanges} changes
 * @returns {Listing}
 */
export function applyChanges(listing, { seeks = [], gone = [], online, playing, seeking }) {
  const next = new Map(listing.seeks);
  for (const id of gone) next.delete(id);
  for (const seek of seeks) next.set(seek.seek, seek);
  const { counts } = listing;
  return {
    seeks: next,
    counts: {
      online: online ?? counts.online,
      playing: playing ?? counts.playing,
      seeking: seeking ?? counts.seeking,
    },
  };
}

/**
 * Return the number of seeks that the lobby does not list.
 * @param {Listing} listing
 */
export function countUnlisted({ seeks, counts }) {
  return Math.max(0, (counts.seeking ?? 0) - seeks.size);
}

/**
 * Return a number from a field, between 0 and 180.
 * @param {string} text
 */
export function parseTime(text) {
  return Math.max(0, Math.min(MAX_TIME, Math.trunc(Number(text)) || 0));
}

/**
 * Return a rating from a field, within its bounds; null for an empty field.
 * @param {{value: string, min: string, max: string}} field
 */
export function parseRating({ value, min, max }) {
  if (value === "") return null;
  return Math.max(Number(min), Math.min(Number(max), Math.trunc(Number(value))));
}

/**
 * Return a range of ratings in the right order; null is an open end.
 * @param {number | null} lowest
 * @param {number | null} highest
 */
export function orderRange(lowest, highest) {
  const isReversed = lowest !== null && highest !== null && lowest > highest;
  return isReversed ? { lowest: highest, highest: lowest } : { lowest, highest };
}
