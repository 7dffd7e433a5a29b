/* What the staff decided on this match: fetched anew when the match changed by it. */

const BY_STAFF = new Set(["voided", "adjudicated"]);

export function isByStaff(before, state) {
  if (before.version === state.version) return false;
  return BY_STAFF.has(state.ended) || BY_STAFF.has(before.ended);
}

export async function refreshDecisions() {
  const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return; // they are there after the next reload
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("decisions");
  if (fresh) document.getElementById("decisions").replaceWith(document.importNode(fresh, true));
}
