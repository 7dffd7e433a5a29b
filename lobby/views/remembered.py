"""The choices in the lobby that the browser remembers in a cookie.

`static/js/lobby/setup-form.js` writes the cookie. The choices are not in the browser's storage, so
that the server can render the page with them, and nothing moves when the scripts run.
"""

from urllib.parse import parse_qs

from django.http import HttpRequest
from msgspec import Struct

from games.match.clock import parse_control
from games.rules import GAMES

COOKIE = "lobby"


class Remembered(Struct, frozen=True):
    """The visitor's last clock, last played games (newest first) and favourite games."""

    clock: str = ""
    recent: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()

    def order_of(self, slug: str) -> tuple[bool, int]:
        """Return the sort key of a game: favourites first, then by how recently it was played."""
        place = self.recent.index(slug) if slug in self.recent else len(self.recent)
        return slug not in self.favourites, place


def read_remembered(request: HttpRequest) -> Remembered:
    """Return the content of the cookie, without invalid parts."""
    values = parse_qs(request.COOKIES.get(COOKIE, ""))

    def games(name: str) -> tuple[str, ...]:
        return tuple(slug for slug in values.get(name, [""])[-1].split(" ") if slug in GAMES)

    clock = values.get("clock", [""])[-1]
    return Remembered(clock if _is_clock(clock) else "", games("recent"), games("favourites"))


def _is_clock(text: str) -> bool:
    try:
        parse_control(text)
    except ValueError:
        return False
    return True
