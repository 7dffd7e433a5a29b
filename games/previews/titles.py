"""A match in one line: who beat whom, by how much, and in which game."""

from collections.abc import Sequence

from games.match.outcome import Outcome, outcome
from games.match.state import MatchState
from games.messages import build_message, name_of, render


def headline(state: MatchState, names: Sequence[str]) -> str:
    """Who plays or played whom, and who won. `names` are those of the seats in order.

    A match without a result (cancelled or voided, for example) only says who met.
    """
    found = outcome(state)
    if found is None or not found.is_result:
        return render(build_message("title.against", first=names[0], second=names[1]))
    if found.winner is None:
        return render(build_message("title.drew", first=names[0], second=names[1]))
    by_role = dict(zip(state.rules.roles, names, strict=True))
    winner = by_role.pop(found.winner)
    (loser,) = by_role.values()
    score = _score(state, found)
    if score is None:
        return render(build_message("title.beat", winner=winner, loser=loser))
    won, lost = score
    return render(build_message("title.beat-by", winner=winner, loser=loser, won=won, lost=lost))


def title(state: MatchState, names: Sequence[str]) -> str:
    """The same with the game's name."""
    return f"{headline(state, names)} · {name_of(state.game)}"


def _score(state: MatchState, found: Outcome) -> tuple[int, int] | None:
    """What to count: boxes where the game counts some, points where the rules gave the winner less
    than all of them."""
    if found.won is not None and found.lost is not None:
        return found.won, found.lost
    if state.ended != "rules" or state.goals is None:
        return None
    won = state.goals[found.winner or ""]
    lost = sum(state.goals.values()) - won
    return None if (won, lost) == (100, 0) else (won, lost)
