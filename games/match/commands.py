"""What a player may ask of a match. The frames of the socket decode to these very values."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

PhraseCode = Literal["hello", "good-luck", "good-game", "well-played", "thanks", "oops", "sorry"]
PHRASES: tuple[str, ...] = get_args(PhraseCode)
"""What players may say to each other; the words are `phrase.<code>` in the table of sentences."""

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
    """Half of my time for more points, before my first action; where the event has that."""


class OfferDraw(Struct, frozen=True, tag="offer-draw"):
    pass


class AcceptDraw(Struct, frozen=True, tag="accept-draw"):
    pass


class DeclineDraw(Struct, frozen=True, tag="decline-draw"):
    pass


class ClaimDraw(Struct, frozen=True, tag="claim-draw"):
    """Nobody can win any more, whatever either does: see `Position.is_dead`."""


class ClaimTime(Struct, frozen=True, tag="claim-time"):
    """The other's time is up."""


class ClaimAbandoned(Struct, frozen=True, tag="claim-abandoned"):
    """The other has been gone for so long that the match is mine."""


class ClaimStalled(Struct, frozen=True, tag="claim-stalled"):
    """The other has not acted for so long, though it is their turn, that the match is mine."""


class Rematch(Struct, frozen=True, tag="rematch"):
    """Ask for another match with the roles swapped, or agree to the other's asking."""


class WithdrawRematch(Struct, frozen=True, tag="withdraw-rematch"):
    """Take back one's asking; done for a player who has left, so that no stale button stays."""


class Phrase(Struct, frozen=True, tag="phrase"):
    """A preset phrase to the other player. It changes nothing and is not stored."""

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
"""What a player may send."""


class Sweep(Struct, frozen=True):
    """The referee's: carry out what is due in this match, if anything is."""


class Resume(Struct, frozen=True):
    """The site's own: it was down from then until then, and nobody is charged for that."""

    outage: int  # its number; later ones have higher numbers
    down_from: datetime
    up_at: datetime


class Void(Struct, frozen=True):
    """The staff's: the match counts for nobody, live or over.

    With a `seat` it is the site's own: whoever sits there turned out to be the other player too.
    """

    seat: int | None = None


class Adjudicate(Struct, frozen=True):
    """The staff's: these are the goals, in the order of the seats, 0 to 100; live or over."""

    goals: tuple[int, int]


class Restore(Struct, frozen=True):
    """The staff's: the match is again as it was before a decision."""

    status: str
    ended: str
    goals: tuple[int, int] | None
    ended_at: datetime | None
    ended_by: int | None


class Settle(Struct, frozen=True):
    """The event's: the match has no more time. These are the goals, in the order of the seats; None
    where somebody has not come, and it is cancelled."""

    goals: tuple[int, int] | None


class Cancel(Struct, frozen=True):
    """The site's own: a live match ends without a result, as its players may no longer meet."""


StaffCommand = Void | Adjudicate | Restore | Settle | Cancel
Command = PlayerCommand | Sweep | Resume | StaffCommand
