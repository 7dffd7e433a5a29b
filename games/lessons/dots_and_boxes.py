"""The lesson for Dots and Boxes."""

from django.utils.translation import gettext_lazy as _

from games.lessons.lesson import Lesson, LessonPart, Picture

# The moves of a whole game. "4454" is the line from column 4, row 4 to column 5, row 4.
_GAME = """
4454 3233 3536 1314 6566 2526 5556 1525 2434 1112 6364 4252 4656 3141 1213 5152 1424 3343 2232 4344
3646 3132 4445 1222 5161 6465 6263 5464 3435 5253 5666 5565 5455 4555 4546 3545 3444 3334 1121 2122
2131 5262 6162 5363 5354 4353 4243 3242 4142 4151 1516 1626 2223 2333 2324 1323 2425 2535 1415 2636
"""


def _lines(text: str) -> tuple[str, ...]:
    return tuple("draw " + " ".join(line) for line in text.split())


_ALL = _lines(_GAME)

LESSON = Lesson(
    "dots-and-boxes",
    _("Close more boxes than your opponent. A box belongs to the player who draws its last side."),
    (
        LessonPart(
            _("Taking turns"),
            (
                Picture(
                    _lines("3343 3334 4344"),
                    _(
                        "Take turns: draw one line between two dots that lie side by side. "
                        "X begins."
                    ),
                ),
                Picture(
                    _lines("3343 3334 4344 3444"),
                    _(
                        "Draw the fourth side of a box and the box is yours. Then you must draw "
                        "another line."
                    ),
                ),
                Picture(
                    _ALL[:31],
                    _(
                        "Every other line gives a third side away. X has just drawn one, and now "
                        "O closes boxes."
                    ),
                ),
                Picture(
                    _ALL[:38],
                    _(
                        "Each box that O closes opens the next one: a chain. Who has to open the "
                        "long chains usually loses."
                    ),
                ),
            ),
        ),
        LessonPart(
            _("The end"),
            (
                Picture(
                    _ALL,
                    _(
                        "All 60 lines are drawn. More boxes win: O has 19, X has 6. There are 25, "
                        "so there is no draw."
                    ),
                ),
            ),
        ),
    ),
    shows=3,
)
