"""Titles of matches: the players, the result and the game in one line."""

from collections.abc import Sequence

from games.match.outcome import Outcome, get_outcome
from games.match.state import MatchState
from games.messages import build_message, get_game_name, render


def render_headline(state: MatchState, names: Sequence[str]) -> str:
    """Return the players and the result in one sentence. `names` are in the order of the seats.

    Without a result, such as in a cancelled or voided match, the sentence has only the players.
    """
    found = get_outcome(state)
    if found is None or not found.is_result:
        return render(build_message("title.against", first=names[0], second=names[1]))
    if found.winner is None:
        return render(build_message("title.drew", first=names[0], second=names[1]))
    by_role = dict(zip(state.rules.roles, names, strict=True))
    winner = by_role.pop(found.winner)
    (loser,) = by_role.values()
    score = _render_score(state, found)
    if score is None:
        return render(build_message("title.beat", winner=winner, loser=loser))
    won, lost = score
    return render(build_message("title.beat-by", winner=winner, loser=loser, won=won, lost=lost))


def render_title(state: MatchState, names: Sequence[str]) -> str:
    """Return the headline, followed by the game's name."""
    return f"{render_headline(state, names)} · {get_game_name(state.game)}"


def _render_score(state: MatchState, found: Outcome) -> tuple[int, int] | None:
    """Return the score on the board, or else the points of a match that ended by the rules.

    Return None if the match ended in another way, or if the winner has all 100 points.
    """
    if found.won is not None and found.lost is not None:
        return found.won, found.lost
    if state.ended != "rules" or state.goals is None:
        return None
    won = state.goals[found.winner or ""]
    lost = sum(state.goals.values()) - won
    return None if (won, lost) == (100, 0) else (won, lost)
