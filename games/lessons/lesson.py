"""The parts of a lesson: small pictures of reachable positions, each with a sentence."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.boards import BOARDS
from games.boards.drawing import draw
from games.rules import GAMES, Position

Window = tuple[float, float, float, float]


@dataclass(frozen=True)
class Picture:
    """The position after some actions, with an explanation."""

    actions: tuple[str, ...]
    sentence: str | Promise
    verdict: str = ""
    """"yes" or "no", if the picture answers a question."""
    window: Window | None = None
    """The visible part of the board: left, top, width and height. The default is the whole
    board."""


@dataclass(frozen=True)
class LessonPart:
    """A heading, which may be empty, and the pictures below it."""

    heading: str | Promise
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Drawn:
    """A picture as displayed on a page."""

    svg: str
    sentence: str
    verdict: str


@dataclass(frozen=True)
class Lesson:
    """The explanation of one game."""

    slug: str
    goal: str | Promise
    """A sentence about how to win, which begins the explanation."""
    parts: tuple[LessonPart, ...]
    shows: int = 0
    """The index of the picture that illustrates the `goal`, and the game on other pages."""

    @cached_property
    def pictures(self) -> tuple[Picture, ...]:
        return tuple(picture for part in self.parts for picture in part.pictures)

    @property
    def typical(self) -> Position:
        """Return a position that is typical of the game."""
        return play_actions(self.slug, self.pictures[self.shows].actions)

    def drawn(self) -> list[tuple[str, list[Drawn]]]:
        """Return the headings, each with its drawn pictures, in the active language.

        The first heading is that of the game's goal.
        """
        shown = self.pictures[self.shows]
        goal = LessonPart(_("The goal"), (Picture(shown.actions, self.goal, window=shown.window),))
        return [
            (str(part.heading), [_draw_picture(self.slug, picture) for picture in part.pictures])
            for part in (goal, *self.parts)
        ]


def play_actions(slug: str, actions: Iterable[str]) -> Position:
    """Return the position after these actions. Raise `IllegalAction` if one is illegal."""
    position = GAMES[slug].start
    for action in actions:
        position = position.play(action)
    return position


def _draw_picture(slug: str, picture: Picture) -> Drawn:
    number = len(picture.actions)
    label = ngettext(
        "The board after %(number)d move", "The board after %(number)d moves", number
    ) % {"number": number}
    return Drawn(
        _draw_board(slug, picture.actions, picture.window, label, get_language()),
        str(picture.sentence),
        picture.verdict,
    )


@lru_cache(maxsize=512)
def _draw_board(
    slug: str, actions: tuple[str, ...], window: Window | None, label: str, language: str
) -> str:
    """Draw the board after some actions.

    `language` must be the active language. It is a parameter because the drawing can have
    translated captions, so drawings are cached for each language.
    """
    position = play_actions(slug, actions)
    fresh = BOARDS[slug].find_fresh(position, actions[-1]) if actions and not position.line else ()
    return draw(
        BOARDS[slug],
        position.diagram,
        fresh=fresh,
        line=position.line,
        sparse=True,
        label=label,
        window=window,
    )
