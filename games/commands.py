"""What a player may ask of a match. The frames of the socket decode to these very values."""

from typing import Annotated

from msgspec import Meta, Struct

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


class OfferDraw(Struct, frozen=True, tag="offer-draw"):
    pass


class AcceptDraw(Struct, frozen=True, tag="accept-draw"):
    pass


class DeclineDraw(Struct, frozen=True, tag="decline-draw"):
    pass


class Rematch(Struct, frozen=True, tag="rematch"):
    """Ask for another match with the roles swapped, or agree to the other's asking."""


class WithdrawRematch(Struct, frozen=True, tag="withdraw-rematch"):
    """Take back one's asking; done for a player who has left, so that no stale button stays."""


Command = Play | Resign | Abort | OfferDraw | AcceptDraw | DeclineDraw | Rematch | WithdrawRematch
