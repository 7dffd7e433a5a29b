"""The lobby socket's messages: what a client may send, and the lobby as it is sent."""

from datetime import timedelta
from typing import Annotated, Any

import msgspec
from django.conf import settings
from django.db.models import Sum
from django.utils import timezone
from msgspec import Meta, Struct

from games.boards import BOARDS
from games.frames import Ping
from games.ids import PATTERN
from games.models import Match
from games.rules import GAMES
from lobby.models import Seek as SeekRow
from lobby.models import Server

Id = Annotated[str, Meta(pattern=PATTERN)]


class Seek(Struct, frozen=True, tag="seek"):
    """Pair me with whoever waits for the same; else list me."""

    game: Annotated[str, Meta(max_length=40)]
    clock: Annotated[str, Meta(max_length=7)] | None = None


class Join(Struct, frozen=True, tag="join"):
    """Take up this seek."""

    seek: Id


class Cancel(Struct, frozen=True, tag="cancel"):
    """Withdraw this seek of mine, or all that are listed."""

    seek: Id | None = None


class Resume(Struct, frozen=True, tag="resume"):
    """This tab waits on this seek of mine, again: after a reload or a lost connection."""

    seek: Id


Message = Seek | Join | Cancel | Resume | Ping
decoder = msgspec.json.Decoder(Message)


def lobby_frame() -> dict[str, Any]:
    """The lobby as it stands, but for the viewer's own name (`you`)."""
    now = timezone.now()
    fresh = now - timedelta(seconds=settings.GONE_SECONDS)
    seeks = (
        SeekRow.objects.filter(match=None, by_address=False, seen_at__gte=fresh)
        .select_related("player")
        .order_by("created_at")[: settings.LOBBY_SEEKS]
    )
    live = Match.objects.filter(status=Match.Status.LIVE)
    shown = live.select_related("first", "second").order_by("-acted_at")[: settings.LOBBY_MATCHES]
    servers = Server.objects.filter(seen_at__gte=fresh)
    return {
        "type": "lobby",
        "seeks": [
            {
                "seek": seek.pk,
                "game": seek.game,
                "clock": seek.clock or None,
                "player": seek.player.username,
                "since": seek.created_at.timestamp(),
            }
            for seek in seeks
        ],
        "matches": [entry for match in shown if (entry := match_entry(match))],
        "online": servers.aggregate(total=Sum("online"))["total"] or 0,
        "playing": live.count(),
    }


def match_entry(match: Match) -> dict[str, Any] | None:
    """A match as the lobby lists it, with its board drawn small; None for one that is damaged."""
    try:
        game, board = GAMES[match.game], BOARDS[match.game]
        position = game.read(match.notation)
    except (KeyError, ValueError):
        return None
    return {
        "match": match.pk,
        "game": match.game,
        "ply": match.ply,
        "diagram": position.diagram,
        "fresh": board.touched(match.last) if match.last else (),
        "line": position.line,
        "turn": position.turn,
        "seats": {
            role: {"name": player.username, "mark": board.badge(position, role)}
            for role, player in zip(game.roles, (match.first, match.second), strict=True)
        },
        "clock": match.clock or None,
    }
