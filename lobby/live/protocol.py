"""The lobby socket's messages: what a client may send, and what it wishes to be sent.

Any client gets the whole `lobby` frame, on connect and after a change. One that connects with
`?shows=changes` gets it once, then `changes` (see `lobby.live.listing`), and with `?shows=own` none
at all. Both also get `own` (see `lobby.live.own`), and answer `there` with its `mark` in an `echo`.
"""

from typing import Annotated, Literal
from urllib.parse import parse_qs

import msgspec
from msgspec import Meta, Struct

from games.live.frames import Echo, Ping
from games.runtime.ids import PATTERN

Shows = Literal["lobby", "changes", "own"]

Id = Annotated[str, Meta(pattern=PATTERN)]


class Seek(Struct, frozen=True, tag="seek"):
    """Pair me with whoever waits for the same; else list me."""

    game: Annotated[str, Meta(max_length=40)]
    clock: Annotated[str, Meta(max_length=7)] | None = None
    options: Annotated[str, Meta(max_length=64)] = ""
    rated: bool = False


class Join(Struct, frozen=True, tag="join"):
    """Take up this seek."""

    seek: Id


class Cancel(Struct, frozen=True, tag="cancel"):
    """Withdraw this seek of mine, or all that are listed."""

    seek: Id | None = None


class Resume(Struct, frozen=True, tag="resume"):
    """This tab waits on this seek of mine, again: after a reload or a lost connection."""

    seek: Id


Message = Seek | Join | Cancel | Resume | Ping | Echo
decoder = msgspec.json.Decoder(Message)


def shows(query: bytes) -> Shows:
    """What the socket's address asks for."""
    asked = parse_qs(query.decode("latin1")).get("shows", [""])[-1]
    if asked == "changes":
        return "changes"
    return "own" if asked == "own" else "lobby"
