/* The setup that this tab wants to play again, with somebody else: kept from the match's page to
   the lobby, which takes it up once. */

const KEPT = "again";

export function keepAgain({ game, clock, options, rated }) {
  sessionStorage.setItem(KEPT, JSON.stringify({ game, clock: clock || null, options,
    rated: rated === "yes" }));
}

export function takeAgain() {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return kept && JSON.parse(kept);
}
