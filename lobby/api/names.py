"""The API's names for games, seats, speeds, statuses and players."""

from games.match.state import MatchState
from games.messages import build_message, render_english
from games.rules import GAMES
from lobby.api.schemas.games import COLOURS, Colour, Variant
from lobby.models.player import BOT_MARK

_SPEEDS = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))
# The assumed number of a player's actions in a match, to convert an increment to a duration.
_ACTIONS = 40
_STATUS = {
    "resignation": "resign",
    "time": "outoftime",
    "agreement": "draw",
    "abandoned": "timeout",
    "aborted": "aborted",
    "adjudicated": "unknownFinish",
    "voided": "unknownFinish",
}
BOT = "BOT"


def get_id(name: str) -> str:
    """Return the id that a player with that name has in the API."""
    return remove_mark(name).lower()


def remove_mark(name: str) -> str:
    """Return a name without the mark of bots, because the API gives bots a title instead."""
    return name.removesuffix(BOT_MARK)


def is_marked(name: str) -> bool:
    """Return whether a name has the mark of bots, which no other account can have."""
    return name.endswith(BOT_MARK)


def get_title(name: str) -> str:
    """Return the English name of a game."""
    return render_english(build_message(f"{name}.name"))


def get_variant(slug: str) -> Variant:
    return Variant(slug, get_title(slug), get_title(slug))


def get_speed(clock: str) -> str:
    """Return lichess's name for the speed of a clock."""
    if not clock:
        return "correspondence"
    minutes, increment = (int(part) for part in clock.split("+"))
    seconds = 60 * minutes + _ACTIONS * increment
    return next((name for most, name in _SPEEDS if seconds < most), "classical")


def get_status(state: MatchState) -> str:
    """Return lichess's name for the status of a match. `state.ended` is this site's name."""
    if state.is_live:
        return "started"
    if state.ended == "rules":
        return "variantEnd" if get_winner(state) else "draw"
    return _STATUS.get(state.ended, "unknownFinish")


def get_winner(state: MatchState) -> Colour | None:
    """Return the colour of the seat with more goals.

    Return None for a draw, and for a match that is live or has no result.
    """
    first, second = state.first_goal, state.second_goal
    if state.is_live or first is None or second is None or first == second:
        return None
    return COLOURS[0 if first > second else 1]


def get_colour(state: MatchState, role: str | None) -> Colour | None:
    return None if role is None else COLOURS[state.rules.roles.index(role)]


def get_clock(limit: int | None, increment: int | None) -> str:
    """Return the site's text for a clock of `limit` and `increment` seconds, or "" for no clock.

    Raise `ValueError` if the limit is not a whole number of minutes.
    """
    if not limit and not increment:
        return ""
    if (limit or 0) % 60:
        raise ValueError("whole minutes")
    return f"{(limit or 0) // 60}+{increment or 0}"


def parse_number(shown: str) -> tuple[int, bool]:
    """Return the number in a displayed rating ("1512?"), and whether the rating is provisional."""
    return int(shown.rstrip("?")), shown.endswith("?")


def is_game(slug: str | None) -> bool:
    return slug in GAMES
