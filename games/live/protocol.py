"""The match socket's messages: what a client may send, and the state as it is sent."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.conf import settings
from msgspec import Struct

from games.boards import BOARDS
from games.live.frames import Echo, Frame, Ping, encode
from games.match.commands import Phrase, PlayerCommand
from games.match.conduct import may
from games.match.outcome import PHRASES, verdict
from games.match.state import NewMove, Row
from games.store.proof import replay


class Look(Struct, frozen=True, tag="look"):
    """Send me the state: I have missed one."""


decoder = msgspec.json.Decoder(PlayerCommand | Phrase | Ping | Echo | Look)


class Around(Struct, frozen=True):
    """What belongs to a match's state and is not in its row: people."""

    names: tuple[str, str]  # in the order of the seats
    here: tuple[bool, bool] = (False, False)
    watchers: int = 0
    abandoned: tuple[bool, bool] = (False, False)  # gone so long that the other may claim
    stalled: tuple[bool, bool] = (False, False)  # has kept the other waiting for so long
    epoch: str = ""  # the history that the row was read from; "" where that is not known


class State:
    """A match's state, encoded once for everyone who is sent it."""

    def __init__(self, row: Row, around: Around) -> None:
        self.row = row
        self._around = around
        self._body = msgspec.json.encode(common(row, around))[:-1]
        self._frames: dict[int | None, Frame] = {}

    def for_seat(self, seat: int | None) -> Frame:
        """The state for a player of that seat (None: for a watcher)."""
        found = self._frames.get(seat)
        if found is None:
            own = msgspec.json.encode(personal(self.row, seat, self._around))
            found = self._frames[seat] = Frame(b"%b,%b" % (self._body, own[1:]))
        return found


def common(row: Row, around: Around) -> dict[str, Any]:
    """The part of the state frame that is the same for everyone."""
    game, board, position = row.rules, BOARDS[row.game], row.position
    names = dict(zip(game.roles, around.names, strict=True))
    here = dict(zip(game.roles, around.here, strict=True))
    return {
        "type": "state",
        "match": row.id,
        "game": row.game,
        "ply": row.ply,
        "version": row.version,
        "turn": position.turn if row.is_live else None,
        "diagram": position.diagram,
        "last": row.last or None,
        "said": board.say(row.last) if row.last else "",
        "fresh": board.touched(row.last) if row.last else (),
        "line": position.line,
        "status": row.status,
        "ended": row.ended or None,
        "goals": row.goals,
        "verdict": verdict(row, names),
        "prompt": board.prompt(position) if row.is_live else "",
        # What the role in control may act on: no client looks at the rules for it.
        "open": board.packed_targets(position) if row.is_live else "",
        "buttons": [b.action for b in board.buttons if row.is_live and position.may(b.action)],
        "seats": {
            role: {
                "name": names[role],
                "here": here[role],
                "mark": board.badge(position, role),
                "score": board.score(position, role),
            }
            for role in game.roles
        },
        "draw": None if row.draw_by is None else game.roles[row.draw_by],
        "rematch": _rematch(row),
        "clock": _clock(row),
        "watchers": around.watchers,
        "epoch": around.epoch,
        "now": time.time(),
    }


def personal(row: Row, seat: int | None, around: Around) -> dict[str, Any]:
    """The part of the state frame that is a viewer's own."""
    if seat is None:
        return {"you": None, "can": ()}
    able = may(row, seat)
    if row.is_live and around.abandoned[1 - seat]:
        able.append("claim-abandoned")
    elif row.is_live and around.stalled[1 - seat]:
        able.append("claim-stalled")
    return {"you": row.rules.roles[seat], "can": able}


def _clock(row: Row) -> dict[str, Any] | None:
    """The clocks: what each role had left at `since`, and whose runs. Times in ms and epoch s."""
    left, control = row.left_ms, row.control
    if left is None or control is None:
        return None
    return {
        "control": row.clock,
        "increment_ms": control.increment_ms,
        "remaining_ms": dict(zip(row.rules.roles, left, strict=True)),
        "running": row.turn,
        "since": row.acted_at.timestamp(),
        "deadline": row.deadline.timestamp() if row.deadline else None,
        "started": row.acted != 0,
        "lag_ms": settings.LAG_ALLOWANCE_MS,
    }


def _rematch(row: Row) -> dict[str, Any] | None:
    if row.rematch_id is None and row.rematch_by is None:
        return None
    return {
        "by": None if row.rematch_by is None else row.rules.roles[row.rematch_by],
        "match": row.rematch_id,
        "url": None if row.rematch_id is None else f"/match/{row.rematch_id}/",
    }


def pong(ping: Ping, ply: int | None = None, mark: str | None = None, **more: Any) -> str:
    """The answer to a ping. A `mark` is to be echoed at once: so the delay is measured."""
    now = time.time()
    return encode({"type": "pong", "t": ping.t, "now": now, "ply": ply, "mark": mark, **more})


def phrase_frame(row: Row, seat: int, phrase: str) -> str:
    return encode(
        {
            "type": "phrase",
            "role": row.rules.roles[seat],
            "phrase": phrase,
            "words": PHRASES[phrase],
        }
    )


def frames_of(row: Row, moves: Sequence[NewMove]) -> list[dict[str, Any]]:
    """The position before the first move and after each: what stepping through a match shows.

    It ends before the first move that the rules do not allow, should one have been tampered with.
    """
    board = BOARDS[row.game]
    frames: list[dict[str, Any]] = []
    for ply, position in enumerate(replay(row, moves).positions):
        role, action = (moves[ply - 1].role, moves[ply - 1].action) if ply else (None, "")
        frames.append(
            {
                "ply": ply,
                "role": role,
                "last": action or None,
                "said": board.say(action) if action else "",
                "mark": board.badge(position, role) if role else "",
                "diagram": position.diagram,
                "fresh": board.touched(action) if action else (),
                "better": (),  # see `games.engine.verdicts.attach`
                "line": position.line,
                "turn": position.turn,
                "scores": scores(row, position),
            }
        )
    return frames


def scores(row: Row, position: Any) -> Mapping[str, int | None]:
    board = BOARDS[row.game]
    return {role: board.score(position, role) for role in row.rules.roles}
