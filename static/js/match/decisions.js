/* What the staff decided on this match: fetched anew when the match changed by it. */

import { fresh } from "../shared/page.js";

const BY_STAFF = new Set(["voided", "adjudicated"]);

export function isByStaff(before, state) {
  if (before.version === state.version) return false;
  return BY_STAFF.has(state.ended) || BY_STAFF.has(before.ended);
}

export async function refreshDecisions() {
  const found = (await fresh())?.getElementById("decisions"); // else they are there after a reload
  if (found) document.getElementById("decisions").replaceWith(document.importNode(found, true));
}
