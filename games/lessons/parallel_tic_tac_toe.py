"""The lesson for Parallel Tic-Tac-Toe."""

from django.utils.translation import gettext_lazy as _

from games.lessons.lesson import Lesson, LessonPart, Picture


def _game(cells: str) -> tuple[str, ...]:
    """Return the actions for cells.

    "11 23" is column 1, row 1 on the left grid, and column 2, row 3 on the right grid.
    """
    pairs = cells.split(", ")
    return tuple("mark " + " ".join(pair.replace(" ", "")) for pair in pairs)


LESSON = Lesson(
    "parallel-tic-tac-toe",
    _("Complete a line of three on either grid. The points of both grids count, so look at both."),
    (
        LessonPart(
            _("Taking turns"),
            (
                Picture(
                    _game("22 11"),
                    _(
                        "Two grids, played at once: each turn marks a cell on the left grid and "
                        "a cell on the right one. X begins."
                    ),
                ),
                Picture(
                    _game("22 11, 12 22"),
                    _("The two cells need not be the same. O has answered on both grids."),
                ),
            ),
        ),
        LessonPart(
            _("The points"),
            (
                Picture(
                    _game("11 11, 12 21, 21 22, 22 33, 31 13"),
                    _(
                        "The first line on either grid ends the game. Left: a line of X, 100 "
                        "points. Right: still open, 0. The mean counts: 50 to 0 for X."
                    ),
                ),
                Picture(
                    _game("11 11, 12 21, 21 22, 22 31, 31 33"),
                    _("A line on both grids with one turn: 100 to 0, all there is to win."),
                ),
                Picture(
                    _game("22 22, 11 11, 21 21, 23 23, 12 12, 32 32, 31 31, 33 13, 13 33"),
                    _(
                        "A full grid without a line gives 50 to each. Left: a line of X. "
                        "Right: full, no line. 75 to 25 for X."
                    ),
                ),
            ),
        ),
    ),
    shows=2,
)
