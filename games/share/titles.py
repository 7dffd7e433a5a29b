"""A match in one line: who beat whom, by how much, and in which game."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.boards import BOARDS
from games.match.state import Row
from games.names import isolated


def headline(row: Row, names: Sequence[str]) -> str:
    """Who plays or played whom, and how it ended. `names` are those of the seats in order."""
    first, second = map(isolated, names)
    goals = row.goals
    if row.is_live or row.status == "aborted" or goals is None:
        return _("%(first)s against %(second)s") % {"first": first, "second": second}
    points = [goals[role] for role in row.rules.roles]
    if points[0] == points[1]:
        return _("%(first)s and %(second)s drew") % {"first": first, "second": second}
    is_first = points[0] > points[1]
    winner, loser = (first, second) if is_first else (second, first)
    score = _score(row, points)
    if not score:
        return _("%(winner)s beat %(loser)s") % {"winner": winner, "loser": loser}
    won, lost = score if is_first else score[::-1]
    return _("%(winner)s beat %(loser)s %(won)d–%(lost)d") % {  # noqa: RUF001  # a dash of scores
        "winner": winner, "loser": loser, "won": won, "lost": lost,
    }  # fmt: skip


def title(row: Row, names: Sequence[str]) -> str:
    """The same with the game's name."""
    return f"{headline(row, names)} · {row.rules.name}"


def _score(row: Row, points: list[int]) -> tuple[int, int] | None:
    """What to count: boxes where the game counts some, points where a win was not a whole one."""
    if row.ended != "rules":
        return None
    board, position = BOARDS[row.game], row.position
    counted = [board.score(position, role) for role in row.rules.roles]
    if counted[0] is not None and counted[1] is not None:
        return counted[0], counted[1]
    return None if sorted(points) == [0, 100] else (points[0], points[1])
