"""A match in one line: who beat whom, by how much, and in which game."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.boards import BOARDS
from games.match.state import MatchState
from games.words import name_of
from games.words.names import isolated


def headline(state: MatchState, names: Sequence[str]) -> str:
    """Who plays or played whom, and how it ended. `names` are those of the seats in order."""
    first, second = map(isolated, names)
    goals = state.goals
    if state.is_live or state.status == "aborted" or goals is None:
        return _("%(first)s against %(second)s") % {"first": first, "second": second}
    points = [goals[role] for role in state.rules.roles]
    if points[0] == points[1]:
        return _("%(first)s and %(second)s drew") % {"first": first, "second": second}
    is_first = points[0] > points[1]
    winner, loser = (first, second) if is_first else (second, first)
    score = _score(state, points)
    if not score:
        return _("%(winner)s beat %(loser)s") % {"winner": winner, "loser": loser}
    won, lost = score if is_first else score[::-1]
    return _("%(winner)s beat %(loser)s %(won)d–%(lost)d") % {  # noqa: RUF001  # a dash of scores
        "winner": winner, "loser": loser, "won": won, "lost": lost,
    }  # fmt: skip


def title(state: MatchState, names: Sequence[str]) -> str:
    """The same with the game's name."""
    return f"{headline(state, names)} · {name_of(state.game)}"


def _score(state: MatchState, points: list[int]) -> tuple[int, int] | None:
    """What to count: boxes where the game counts some, points where a win was not a whole one."""
    if state.ended != "rules":
        return None
    board, position = BOARDS[state.game], state.position
    counted = [board.score(position, role) for role in state.rules.roles]
    if counted[0] is not None and counted[1] is not None:
        return counted[0], counted[1]
    return None if sorted(points) == [0, 100] else (points[0], points[1])
