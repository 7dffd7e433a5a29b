"""Encoding a Swiss round and its pairs as bytes, so that a separate process can pair it.

Pairing a large field takes seconds, and would block a thread of the server. The request is a JSON
object with `entrants` and `games` (as in `field`), `round`, `rounds` and `absent`. The answer has
`pairs`, or the `error` and `params` of a `CannotPair`.
"""

from collections.abc import Collection, Sequence

import msgspec
from msgspec import Struct, field

from lobby.tournaments.pairing.field import CannotPair, Entrant, Pair, RoundGame


class _Request(Struct, forbid_unknown_fields=True):
    entrants: list[Entrant]
    games: list[RoundGame]
    round: int
    rounds: int
    absent: list[int] = field(default_factory=list)


class _Answer(Struct, omit_defaults=True):
    pairs: tuple[Pair, ...] | None = None
    error: str = ""
    params: dict[str, int | str] = field(default_factory=dict)


def encode_request(
    entrants: Sequence[Entrant],
    games: Sequence[RoundGame],
    round_number: int,
    rounds: int,
    absent: Collection[int] = (),
) -> bytes:
    """Encode a request. The arguments are those of `swiss.pair_round`."""
    asked = _Request(list(entrants), list(games), round_number, rounds, sorted(absent))
    return msgspec.json.encode(asked)


def answer_request(asked: bytes) -> bytes:
    """Compute the answer to a request. Raise `ValueError` for invalid bytes."""
    from lobby.tournaments.pairing.swiss import pair_round  # a slow import that servers do not need

    wanted = msgspec.json.decode(asked, type=_Request)
    try:
        pairs = pair_round(
            wanted.entrants, wanted.games, wanted.round, wanted.rounds, wanted.absent
        )
    except CannotPair as refused:
        return msgspec.json.encode(_Answer(error=refused.code, params=refused.params))
    return msgspec.json.encode(_Answer(pairs))


def decode_answer(answered: bytes) -> tuple[Pair, ...]:
    """Decode an answer.

    Raise `CannotPair` if the answer has an `error`, and `ValueError` for invalid bytes.
    """
    found = msgspec.json.decode(answered, type=_Answer)
    if found.error:
        raise CannotPair(found.error, **found.params)
    if found.pairs is None:
        raise ValueError("an answer without pairs")
    return found.pairs
