"""The lesson for Tic-Tac-Toe."""

from django.utils.translation import gettext_lazy as _

from games.lessons.lesson import Lesson, LessonPart, Picture


def _game(cells: str) -> tuple[str, ...]:
    """Return the actions that mark cells: "22 11" is row 2 column 2, then row 1 column 1."""
    return tuple(f"mark {cell[0]} {cell[1]}" for cell in cells.split())


LESSON = Lesson(
    "tic-tac-toe",
    _("Get three of your marks in a line: across, down or diagonally."),
    (
        LessonPart(
            _("Taking turns"),
            (
                Picture(
                    _game("22"),
                    _("Take turns. X begins and marks one of the nine cells; then O marks one."),
                ),
                Picture(
                    _game("22 12 11"),
                    _("Two in a line and the third cell free: X threatens to win. O must block."),
                ),
                Picture(
                    _game("22 12 11 21 33"),
                    _("O did not: three in a line win, across, down or diagonally."),
                ),
                Picture(
                    _game("22 11 12 32 21 23 13 31 33"),
                    _("The board is full and nobody has a line: a draw."),
                ),
            ),
        ),
    ),
    shows=2,
)
