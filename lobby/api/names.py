"""What the API calls things: games, seats, speeds, statuses, people."""

from games.match.state import MatchState
from games.messages import build_message, render_english
from games.rules import GAMES
from lobby.api.schemas.seats import COLOURS, Colour, Variant
from lobby.models.player import BOT_MARK

_SPEEDS = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))
_ACTIONS = 40  # of one player, for which increments are counted
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


def id_of(name: str) -> str:
    """The id of a player of that name. `lobby.players.people.find` finds them by it."""
    return unmarked(name).lower()


def unmarked(name: str) -> str:
    """A name as it is read, without the mark of a bot: programs are told by the title."""
    return name.removesuffix(BOT_MARK)


def title(name: str) -> str:
    """The English name of a game."""
    return render_english(build_message(f"{name}.name"))


def variant(slug: str) -> Variant:
    return Variant(slug, title(slug), title(slug))


def speed(clock: str) -> str:
    """How fast a game with that clock is, in lichess' words."""
    if not clock:
        return "correspondence"
    minutes, increment = (int(part) for part in clock.split("+"))
    seconds = 60 * minutes + _ACTIONS * increment
    return next((name for most, name in _SPEEDS if seconds < most), "classical")


def status(state: MatchState) -> str:
    """How a game stands, in lichess' words; `ended` says it in ours."""
    if state.is_live:
        return "started"
    if state.ended == "rules":
        return "variantEnd" if winner(state) else "draw"
    return _STATUS.get(state.ended, "unknownFinish")


def winner(state: MatchState) -> Colour | None:
    """The seat with more goals."""
    first, second = state.first_goal, state.second_goal
    if state.is_live or first is None or second is None or first == second:
        return None
    return COLOURS[0 if first > second else 1]


def colour_of(state: MatchState, role: str | None) -> Colour | None:
    return None if role is None else COLOURS[state.rules.roles.index(role)]


def clock_of(limit: int | None, increment: int | None) -> str:
    """The clock of so many seconds and seconds a move, as we write it; "" for none. Raises
    ValueError where it is not whole minutes."""
    if not limit and not increment:
        return ""
    if (limit or 0) % 60:
        raise ValueError("whole minutes")
    return f"{(limit or 0) // 60}+{increment or 0}"


def number(shown: str) -> tuple[int, bool]:
    """A rating as people read it ("1512?") as a number, and whether it is provisional."""
    return int(shown.rstrip("?")), shown.endswith("?")


def is_game(slug: str | None) -> bool:
    return slug in GAMES
