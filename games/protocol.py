"""The match socket's messages: what a client may send, and the state as it is sent."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from games.boards import BOARDS
from games.commands import Command
from games.conduct import Row, may
from games.frames import Ping, encode
from games.wording import verdict

decoder = msgspec.json.Decoder(Command | Ping)


class Around(Struct, frozen=True):
    """What belongs to a match's state and is not in its row: people."""

    names: tuple[str, str]  # in the order of the seats
    here: tuple[bool, bool] = (False, False)
    watchers: int = 0


class State:
    """A match's state, encoded once for everyone who is sent it."""

    def __init__(self, row: Row, around: Around) -> None:
        self.row = row
        self._body = encode(common(row, around))[:-1]
        self._texts: dict[int | None, str] = {}

    def for_seat(self, seat: int | None) -> str:
        """The state frame for a player of that seat; None: for a watcher."""
        text = self._texts.get(seat)
        if text is None:
            text = self._texts[seat] = f"{self._body},{encode(personal(self.row, seat))[1:]}"
        return text


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
        "clock": None,
        "watchers": around.watchers,
        "now": time.time(),
    }


def personal(row: Row, seat: int | None) -> dict[str, Any]:
    """The part of the state frame that is a viewer's own."""
    if seat is None:
        return {"you": None, "can": ()}
    return {"you": row.rules.roles[seat], "can": may(row, seat)}


def _rematch(row: Row) -> dict[str, Any] | None:
    if row.rematch_id is None and row.rematch_by is None:
        return None
    return {
        "by": None if row.rematch_by is None else row.rules.roles[row.rematch_by],
        "match": row.rematch_id,
        "url": None if row.rematch_id is None else f"/match/{row.rematch_id}/",
    }


def pong(ping: Ping, ply: int | None = None) -> str:
    return encode({"type": "pong", "t": ping.t, "now": time.time(), "ply": ply})


def frames_of(row: Row, moves: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """The position before the first move and after each: what stepping through a match shows.

    `moves` are (role, action) in their order. Raises `IllegalAction` if they do not replay.
    """
    game, board = row.rules, BOARDS[row.game]
    position, frames = game.start, []
    steps: list[tuple[str | None, str]] = [(None, ""), *moves]
    for ply, (role, action) in enumerate(steps):
        if action:
            position = position.play(action)
        frames.append(
            {
                "ply": ply,
                "role": role,
                "last": action or None,
                "said": board.say(action) if action else "",
                "mark": board.badge(position, role) if role else "",
                "diagram": position.diagram,
                "fresh": board.touched(action) if action else (),
                "line": position.line,
                "turn": position.turn,
                "scores": scores(row, position),
            }
        )
    return frames


def scores(row: Row, position: Any) -> Mapping[str, int | None]:
    board = BOARDS[row.game]
    return {role: board.score(position, role) for role in row.rules.roles}
