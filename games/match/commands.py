"""Commands for a match: those of its players, of staff, of its tournament and of the site.

The frames that players send decode to a `PlayerCommand` or a `Phrase`.
"""

from datetime import datetime
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

PhraseCode = Literal["hello", "good-luck", "good-game", "well-played", "thanks", "oops", "sorry"]
PHRASES: tuple[str, ...] = get_args(PhraseCode)
"""The codes of the preset phrases that players may send, and that all viewers see. The message of
each has the code `phrase.<code>`."""

Ply = Annotated[int, Meta(ge=0, le=1_000_000)]
Action = Annotated[str, Meta(max_length=64)]


class Play(Struct, frozen=True, tag="play"):
    """Play an action. `ply` is the number of actions before it."""

    ply: Ply
    action: Action


class Resign(Struct, frozen=True, tag="resign"):
    pass


class Abort(Struct, frozen=True, tag="abort"):
    pass


class Berserk(Struct, frozen=True, tag="berserk"):
    """Halve the player's own time before their first action, for more points in an arena."""


class OfferDraw(Struct, frozen=True, tag="offer-draw"):
    pass


class AcceptDraw(Struct, frozen=True, tag="accept-draw"):
    pass


class DeclineDraw(Struct, frozen=True, tag="decline-draw"):
    pass


class ClaimDraw(Struct, frozen=True, tag="claim-draw"):
    """Claim a draw because neither player can win any more (`Position.is_dead`)."""


class ClaimTime(Struct, frozen=True, tag="claim-time"):
    """Claim a win because the opponent's time is up."""


class ClaimAbandoned(Struct, frozen=True, tag="claim-abandoned"):
    """Claim a win because the opponent left and did not return in time."""


class ClaimStalled(Struct, frozen=True, tag="claim-stalled"):
    """Claim a win in an untimed match because the opponent has not moved for days."""


class Rematch(Struct, frozen=True, tag="rematch"):
    """Offer another match with the roles swapped, or accept the opponent's offer."""


class WithdrawRematch(Struct, frozen=True, tag="withdraw-rematch"):
    """Withdraw the player's offer of a rematch. The site also sends this if the player left."""


class Phrase(Struct, frozen=True, tag="phrase"):
    """Send a preset phrase to all viewers of the match. It changes nothing and is not stored."""

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
    """End the match if it is overdue. The site sends this command."""


class Resume(Struct, frozen=True):
    """Give back the time of an outage. The journal applies this before another command."""

    outage: int  # later outages have higher numbers
    down_from: datetime
    up_at: datetime


class Void(Struct, frozen=True):
    """Void the match, whether live or over, so that it does not count.

    Staff send this command without a `seat`. The site sends it if the player in `seat` turned out
    to be the opponent too.
    """

    seat: int | None = None


class Adjudicate(Struct, frozen=True):
    """Set the result of a match, live or over. Staff send this command.

    `goals` are 0 to 100, in the order of the seats.
    """

    goals: tuple[int, int]


class Restore(Struct, frozen=True):
    """Restore the match as it was before a decision. Staff send this command."""

    status: str
    ended: str
    goals: tuple[int, int] | None
    ended_at: datetime | None
    ended_by: int | None


class Settle(Struct, frozen=True):
    """End a live match of a tournament with these goals. The tournament sends this command.

    `goals` are in the order of the seats. If they are None, the match is cancelled, which is
    possible only until both players have acted.
    """

    goals: tuple[int, int] | None


class Cancel(Struct, frozen=True):
    """End a live match without a result, because its players may no longer play each other.

    The site sends this command.
    """


StaffCommand = Void | Adjudicate | Restore | Settle | Cancel
Command = PlayerCommand | Sweep | Resume | StaffCommand
