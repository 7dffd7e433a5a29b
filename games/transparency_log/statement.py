"""The statement about a finished match that the site signs.

For each seat, it contains the id of the player instead of the name, because names can change. Times
are in microseconds since 1970, so that nothing is rounded.
"""

from datetime import UTC, datetime, timedelta

from games.formats.verify import FORMAT, FORMER_FORMAT, Value
from games.store.records import MatchRecord

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def build_statement(found: MatchRecord, nonce: str | None) -> dict[str, Value] | None:
    """Return the statement about a match, or None if the match is live or its game is unknown.

    `nonce` is the nonce in the match's log entries, or None if there are no entries yet.
    """
    state = found.state
    if state.is_live or state.game_is_unknown:
        return None
    seats = zip((state.first_id, state.second_id), state.levels, strict=True)
    told: list[Value] = [{"player": player, "computer": level} for player, level in seats]
    goals = state.goals
    return {
        "format": FORMAT,
        "match": state.id,
        "nonce": nonce,
        "game": state.game,
        **state.rules.version,
        "options": state.options,
        "clock": state.clock,
        "rated": state.rated,
        "seats": dict(zip(state.rules.roles, told, strict=True)),
        "moves": [
            {
                "role": move.role,
                "action": move.action,
                "at": _to_microseconds(move.at),
                "spent_ms": move.spent_ms,
            }
            for move in found.moves
        ],
        "status": state.status,
        "ended": state.ended,
        "goals": None if goals is None else dict(goals),
        "notation": state.notation,
        "created_at": _to_microseconds(state.created_at),
        "ended_at": None if state.ended_at is None else _to_microseconds(state.ended_at),
    }


def build_former_statement(found: MatchRecord) -> dict[str, Value] | None:
    """Return the statement as it was hashed for the former log, or None like `build_statement`."""
    told = build_statement(found, None)
    if told is not None:
        del told["nonce"]
        told["format"] = FORMER_FORMAT
    return told


def _to_microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND
