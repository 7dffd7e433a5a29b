"""The lesson for Six in a Row: the course of the opening, examples of sixes, and a draw."""

from django.utils.translation import gettext_lazy as _

from games.boards import BOARDS
from games.lessons.lesson import Lesson, LessonPart, Picture, Window

_PICKS = {"B": "pick black", "W": "pick white"}


def _game(text: str) -> tuple[str, ...]:
    """Return the actions: "9.7" places a stone at column 9 row 7, "B" and "W" pick a colour."""
    return tuple(
        _PICKS[word] if word in _PICKS else "place " + word.replace(".", " ")
        for word in text.split()
    )


def _window(column: int, row: int, columns: int, rows: int) -> Window:
    """Return the part of the board that begins at a crossing and has this many columns and rows."""
    elements = BOARDS["six-in-a-row"].elements
    first = elements[(row - 1) * 15 + column - 1]
    size = first.size
    return (first.x - size / 2, first.y - size / 2, columns * size, rows * size)


_MIDDLE = _window(4, 4, 9, 9)
_WIDE = _window(3, 5, 11, 7)
_EDGE = (0.0, _WIDE[1], _WIDE[2], _WIDE[3])

_OPENING = "8.8 9.7 10.10"
# player2 has picked white and places the next stone.
_PICKED = f"{_OPENING} W"


def _full_board() -> tuple[str, ...]:
    """Return the actions of a whole game in which nobody makes a six."""
    crossings = [(x, y) for y in range(1, 16) for x in range(1, 16)]
    black = [(x, y) for x, y in crossings if (x + 2 * y) // 2 % 2 == 0]
    white = [(x, y) for x, y in crossings if (x + 2 * y) // 2 % 2]
    stones = [(black if i % 2 == 0 else white)[i // 2] for i in range(225)]
    actions = [f"place {x} {y}" for x, y in stones]
    return (*actions[:3], "pick white", *actions[3:])


LESSON = Lesson(
    "six-in-a-row",
    _("Get exactly six of your stones in a line, with no stone of your opponent at either end."),
    (
        LessonPart(
            _("The opening: one cuts, the other chooses"),
            (
                Picture(
                    _game("8.8"),
                    _("1. One player opens, and places a black stone anywhere."),
                    window=_MIDDLE,
                ),
                Picture(
                    _game("8.8 9.7"),
                    _("2. The same player places a white stone."),
                    window=_MIDDLE,
                ),
                Picture(
                    _game(_OPENING),
                    _("3. And another black one. Nobody has a colour yet."),
                    window=_MIDDLE,
                ),
                Picture(
                    _game(f"{_PICKED} 7.9"),
                    _(
                        "4. Now the other player may pick black or white. Here they took white, "
                        "and white goes on."
                    ),
                    window=_MIDDLE,
                ),
                Picture(
                    _game(f"{_OPENING} 7.9 7.7"),
                    _("5. Or they place a white and a black stone, and leave the choice."),
                    window=_MIDDLE,
                ),
                Picture(
                    _game(f"{_OPENING} 7.9 7.7 B 9.9"),
                    _(
                        "6. Then the one who opened must pick. Here they took black; the other is "
                        "white, and white goes on."
                    ),
                    window=_MIDDLE,
                ),
            ),
        ),
        LessonPart(
            _("What is a six?"),
            (
                Picture(
                    _game(f"{_PICKED} 7.6 7.8 9.6 9.8 6.10 6.8 8.10 10.8 6.6 5.8"),
                    _("Exactly six in a line, in any direction, both ends free: black wins."),
                    "yes",
                    _WIDE,
                ),
                Picture(
                    _game("8.10 9.7 6.8 W 7.6 5.8 9.6 4.8 6.10 3.8 10.10 2.8 6.6 1.8"),
                    _("The edge of the board does not block: this six wins, too."),
                    "yes",
                    _EDGE,
                ),
                Picture(
                    _game(f"{_PICKED} 7.6 7.8 9.6 9.8 6.10 6.8 11.8 10.8 6.6 5.8"),
                    _("A white stone touches one end: this six does not count. The game goes on."),
                    "no",
                    _WIDE,
                ),
                Picture(
                    _game(f"{_PICKED} 7.6 7.8 9.6 6.8 6.10 10.8 8.10 11.8 6.6 12.8 10.6 9.8"),
                    _("Seven in a line are no six: this does not count, either."),
                    "no",
                    _WIDE,
                ),
            ),
        ),
        LessonPart(
            _("A draw"),
            (Picture(_full_board(), _("The board is full and nobody has a six: a draw.")),),
        ),
    ),
    shows=6,
)
