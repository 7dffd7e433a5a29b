"""The ratings of a match's two players, as displayed with the match."""

from collections import defaultdict
from collections.abc import Sequence

from games.match.setup import RATED_GAMES
from games.match.state import MatchState
from games.store.aliases import get_persons
from games.store.ratings import Ratings, SeatRating
from lobby.ratings import ledger
from lobby.ratings.player_rating import Side
from lobby.ratings.standing import shown, standings


def of_matches(states: Sequence[MatchState]) -> dict[str, Ratings]:
    """Return each match's rating changes, or the current ratings if it is not rated yet."""
    known = ledger.known([state.id for state in states if not state.is_live])
    found: dict[str, Ratings] = {
        key: (_change(entry.first), _change(entry.second))
        for key, entry in known.items()
        if entry.counts and entry.second is not None
    }
    others = [state for state in states if state.id not in found and state.game in RATED_GAMES]
    by_game: defaultdict[str, list[MatchState]] = defaultdict(list)
    for state in others:
        by_game[state.game].append(state)
    people = get_persons({pk for each in others for pk in (each.first_id, each.second_id)})
    for game, some in by_game.items():
        now = standings(set(people.values()), game)
        for state in some:
            one, other = (now[people[pk]].shown for pk in (state.first_id, state.second_id))
            found[state.id] = SeatRating(one), SeatRating(other)
    return found


def _change(side: Side | None) -> SeatRating | None:
    if side is None:
        return None
    before, after = side.before, side.after
    return SeatRating(shown(before.rating, before.deviation), shown(after.rating, after.deviation))
