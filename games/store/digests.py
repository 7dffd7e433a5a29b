"""Digests that reveal whether a stored match was changed outside the site.

Each match has a chain: its first link hashes the setup, and each further link hashes one move with
the link before it. When the match has ended, its digest hashes the last link with the result and
further fields (`_SEALED_TOO`). All hashes are keyed (BLAKE2b with a key derived from SECRET_KEY),
so that access to the database alone is not enough to compute them. They have 32 hexadecimal digits.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b

from django.conf import settings
from msgspec.structs import replace

from games.match.state import MatchState, NewMove

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)
_SEALED_TOO = (
    *("version", "last", "acted", "draw_by", "draw_ply", "rematch_by", "rematch_id"),
    *("first_ms", "second_ms", "deadline", "acted_at", "started_at", "ended_by", "resumed_at"),
    *("first_level", "second_level", "outage", "first_lag_ms", "second_lag_ms", "arranged"),
    "berserk",
)
"""The fields that the digest covers besides the result. Once a match is over, the journal changes
them together with the digest."""


def hash_start(state: MatchState, key: bytes | None = None) -> str:
    """Return the first link of the chain, which hashes the new match."""
    text = f"{state.id}|{state.game}|{state.first_id}|{state.second_id}|{state.clock}"
    text += f"|{_ticks(state.created_at)}"
    # Unrated matches with the default options do not have this part, so that the hashes of matches
    # that are older than options and ratings stay valid.
    if state.options or state.rated:
        text += f"|{state.options}|{'rated' if state.rated else ''}"
    return _link(text, key)


def hash_move(chain: str, move: NewMove, key: bytes | None = None) -> str:
    """Return the link of a move, given the previous link."""
    at = _ticks(move.at)
    return _link(f"{chain}|{move.ply}|{move.role}|{move.action}|{at}|{move.spent_ms}", key)


def compute_digest(state: MatchState, key: bytes | None = None) -> str:
    """Return the digest of a match that has ended, or "" for a live one."""
    if state.is_live:
        return ""
    others = (getattr(state, name) for name in _SEALED_TOO)
    parts = (_ticks(each) if isinstance(each, datetime) else each for each in others)
    return _link(
        "|".join((_result(state), *("" if each is None else f"{each}" for each in parts))), key
    )


def compute_former_digest(state: MatchState, key: bytes | None = None) -> str:
    """Return the digest of earlier releases, which hashes only the result.

    Old matches still have it.
    """
    return "" if state.is_live else _link(_result(state), key)


def _result(state: MatchState) -> str:
    ended_at = _ticks(state.ended_at) if state.ended_at else ""
    return (
        f"{state.chain}|{state.status}|{state.ended}|{state.first_goal}|{state.second_goal}"
        f"|{ended_at}|{state.ply}|{state.notation}"
    )


def update_digests(state: MatchState, move: NewMove | None) -> MatchState:
    """Return the state with the move, if any, added to its chain.

    The digest is updated if the match has one or is over.
    """
    if move is not None:
        state = replace(state, chain=hash_move(state.chain, move))
    return (
        replace(state, digest=compute_digest(state)) if state.digest or not state.is_live else state
    )


def find_digest_faults(state: MatchState, moves: Sequence[NewMove]) -> list[str]:
    """Return a list with one sentence if the stored chain or digest does not fit, or an empty list.

    The digest is only checked if the chain fits. Digests with the keys of SECRET_KEY_FALLBACKS are
    valid too.
    """
    for key in _keys():
        chain = hash_start(state, key)
        for move in moves:
            chain = hash_move(chain, move, key)
        if chain == state.chain:
            break
    else:
        return ["The moves or the seats are not those that the site stored: the chain differs."]
    if any(
        state.digest in {compute_digest(state, key), compute_former_digest(state, key)}
        for key in _keys()
    ):
        return []
    return ["The result is not the one that the site stored: the digest differs."]


def _link(text: str, key: bytes | None) -> str:
    key = key or _derive_key(settings.SECRET_KEY)
    return blake2b(text.encode(), digest_size=16, key=key).hexdigest()


def _keys() -> list[bytes]:
    return [_derive_key(s) for s in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]


@lru_cache(maxsize=16)
def _derive_key(secret: str) -> bytes:
    return blake2b(secret.encode(), person=b"match digest").digest()


def _ticks(moment: datetime) -> int:
    return (moment - _EPOCH) // _TICK
