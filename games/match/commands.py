"""Commands for a match. The frames that players send decode to these values."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

PhraseCode = Literal["hello", "good-luck", "good-game", "well-played", "thanks", "oops", "sorry"]
PHRASES: tuple[str, ...] = get_args(PhraseCode)
"""Preset phrases that players may send each other. Their messages have the code `phrase.<code>`."""

Ply = Annotated[int, Meta(ge=0, le=1_000_000)]
Action = Annotated[str, Meta(max_length=64)]


class Play(Struct, frozen=True, tag="play"):
    """My action as number `ply`, counted from 0."""

    ply: Ply
    action: Action


class Resign(Struct, frozen=True, tag="resign"):
    pass


class Abort(Struct, frozen=True, tag="abort"):
    pass


class Berserk(Struct, frozen=True, tag="berserk"):
    """Give half of my time for more points, before my first action, in arenas that allow it."""


class OfferDraw(Struct, frozen=True, tag="offer-draw"):
    pass


class AcceptDraw(Struct, frozen=True, tag="accept-draw"):
    pass


class DeclineDraw(Struct, frozen=True, tag="decline-draw"):
    pass


class ClaimDraw(Struct, frozen=True, tag="claim-draw"):
    """Claim a draw because neither player can win any more: see `Position.is_dead`."""


class ClaimTime(Struct, frozen=True, tag="claim-time"):
    """Claim a win because the opponent's time is up."""


class ClaimAbandoned(Struct, frozen=True, tag="claim-abandoned"):
    """Claim a win because the opponent left and did not return in time."""


class ClaimStalled(Struct, frozen=True, tag="claim-stalled"):
    """Claim a win because the opponent is to move and has not moved for days."""


class Rematch(Struct, frozen=True, tag="rematch"):
    """Offer another match with the roles swapped, or accept the opponent's offer."""


class WithdrawRematch(Struct, frozen=True, tag="withdraw-rematch"):
    """Withdraw the offer of a rematch. The site sends it for players who leave."""


class Phrase(Struct, frozen=True, tag="phrase"):
    """A preset phrase to the opponent. It changes nothing and is not stored."""

    phrase: PhraseCode


PlayerCommand = (
    Play
    | Resign
    | Abort
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | ClaimDraw
    | Berserk
    | ClaimTime
    | ClaimAbandoned
    | ClaimStalled
    | Rematch
    | WithdrawRematch
)
"""Commands that players may send."""


class Sweep(Struct, frozen=True):
    """From the referee: end the match if that is due."""


class Resume(Struct, frozen=True):
    """From the site: give back the time of an outage."""

    outage: int  # later outages have higher numbers
    down_from: datetime
    up_at: datetime


class Void(Struct, frozen=True):
    """From staff: the match, live or over, does not count.

    With a `seat` it is from the site: the player there turned out to be the opponent as well.
    """

    seat: int | None = None


class Adjudicate(Struct, frozen=True):
    """From staff: set the goals (0 to 100, in the order of the seats) of a match, live or over."""

    goals: tuple[int, int]


class Restore(Struct, frozen=True):
    """From staff: restore the match as it was before a decision."""

    status: str
    ended: str
    goals: tuple[int, int] | None
    ended_at: datetime | None
    ended_by: int | None


class Settle(Struct, frozen=True):
    """From a tournament: end a live match with these goals, in the order of the seats.

    None cancels it, because a player did not arrive.
    """

    goals: tuple[int, int] | None


class Cancel(Struct, frozen=True):
    """From the site: end a live match without a result, because its players may no longer meet."""


StaffCommand = Void | Adjudicate | Restore | Settle | Cancel
Command = PlayerCommand | Sweep | Resume | StaffCommand
