"""What the lobby lists: open seeks, live matches and their boards; whole, or what changed.

A lobby that is busy changes each second, for everybody who looks at it. So the lists have a bound,
a match keeps its place while it is played, and a board is told by the marks that are new on it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db.models import Sum
from django.utils import timezone
from msgspec import Struct

from games.boards import BOARDS
from games.models import Match
from games.rules import GAMES
from lobby.models import Seek, Server

log = structlog.get_logger(__name__)

_RESTS = timedelta(seconds=60)  # a match in which nobody acted for so long gives its place away
_NEW = timedelta(seconds=10)  # a match that began within that time is shown before others
_NEW_PLACES = 3  # of the places, for matches that have just begun
_LOOKED_AT = 50  # the youngest live matches, from which those are chosen that are shown
_SEEKS_LOOKED_AT = 4  # times as many as are listed


class Shown(Struct, frozen=True):
    """The lobby at one moment. All three are in the order in which they are shown."""

    seeks: dict[str, dict[str, Any]]
    matches: dict[str, dict[str, Any]]
    boards: dict[str, dict[str, Any]]  # of the matches; see `_board`
    online: int = 0
    playing: int = 0
    seeking: int = 0


_SeekValues = tuple[str, str, str, datetime, int, str]

_latest: Sequence[str] = ()  # the matches that this process read last


def read_lobby() -> Shown:
    """The lobby as it stands. The matches that this process showed last keep their places."""
    global _latest  # noqa: PLW0603  # a page is made on another thread than frames, and shows alike
    fresh = timezone.now() - timedelta(seconds=settings.GONE_SECONDS)
    listed = Seek.objects.filter(
        match=None, by_address=False, seen_at__gte=fresh, game__in=GAMES
    ).order_by("created_at")
    # Values, not rows as objects: a third of the time, in which players' moves would wait.
    seeks = listed.values_list("pk", "game", "clock", "created_at", "player", "player__username")
    seeks = seeks[: _SEEKS_LOOKED_AT * settings.LOBBY_SEEKS]
    live = Match.objects.filter(status=Match.Status.LIVE, game__in=GAMES)
    matches, boards = {}, {}
    for match in _chosen(_latest):
        try:
            matches[match.pk], boards[match.pk] = _match(match), _board(match)
        except Exception:  # one damaged row, however it is damaged, takes no other along
            matches.pop(match.pk, None)
            log.debug("unreadable match", match=match.pk)
    _latest = tuple(matches)
    online = Server.objects.filter(seen_at__gte=fresh).aggregate(total=Sum("online"))["total"]
    return Shown(
        {
            pk: {
                "seek": pk,
                "game": game,
                "clock": clock or None,
                "player": name,
                "since": int(created_at.timestamp()),
            }
            for pk, game, clock, created_at, _, name in _in_turns(seeks)[: settings.LOBBY_SEEKS]
        },
        matches,
        boards,
        online or 0,
        live.count(),
        listed.count(),
    )


def whole(shown: Shown) -> dict[str, Any]:
    """The `lobby` frame, but for the viewer's own name (`you`)."""
    return {
        "type": "lobby",
        "seeks": list(shown.seeks.values()),
        "matches": list(shown.matches.values()),
        "online": shown.online,
        "playing": shown.playing,
        "seeking": shown.seeking,
    }


def drawings(shown: Shown) -> list[dict[str, Any]]:
    """Each match's board as the difference from its game's start."""
    return [
        _drawing(match_id, _empty(shown.matches[match_id]["game"]), board)
        for match_id, board in shown.boards.items()
    ]


def changes(before: Shown, after: Shown) -> dict[str, Any]:
    """The `changes` frame: what makes the later lobby of the earlier one. It holds only what
    changed, so nothing but its type where nothing did; to apply it twice does no harm."""
    found: dict[str, Any] = {
        "seeks": [seek for pk, seek in after.seeks.items() if before.seeks.get(pk) != seek],
        "gone": [pk for pk in before.seeks if pk not in after.seeks],
        "matches": [match for pk, match in after.matches.items() if pk not in before.matches],
        "over": [pk for pk in before.matches if pk not in after.matches],
        "boards": [
            _drawing(pk, before.boards.get(pk) or _empty(after.matches[pk]["game"]), board)
            for pk, board in after.boards.items()
            if before.boards.get(pk) != board
        ],
    }
    for count in ("online", "playing", "seeking"):
        if getattr(before, count) != getattr(after, count):
            found[count] = getattr(after, count)
    return {"type": "changes"} | {k: v for k, v in found.items() if isinstance(v, int) or v}


def _in_turns(seeks: Iterable[_SeekValues]) -> list[_SeekValues]:
    """Everybody's oldest seek before anybody's second: no player fills the list."""
    of_player: Counter[int] = Counter()
    ranked = []
    for place, seek in enumerate(seeks):
        ranked.append((of_player[seek[4]], place, seek))
        of_player[seek[4]] += 1
    return [seek for _, _, seek in sorted(ranked, key=lambda entry: entry[:2])]


def _chosen(before: Sequence[str]) -> list[Match]:
    """The live matches to show. Who watches one keeps it in its place while it is played."""
    live = Match.objects.filter(status=Match.Status.LIVE, game__in=GAMES)
    times = "pk", "created_at", "acted_at"
    known = {
        pk: (created, acted)
        for pk, created, acted in (
            *live.filter(pk__in=before).values_list(*times),
            *live.order_by("-created_at", "-id").values_list(*times)[:_LOOKED_AT],
        )
    }
    chosen = choose(before, known, timezone.now(), settings.LOBBY_MATCHES)
    found = live.select_related("first", "second").in_bulk(chosen)
    return [found[pk] for pk in chosen if pk in found]


def choose(
    before: Sequence[str], known: dict[str, tuple[datetime, datetime]], now: datetime, places: int
) -> list[str]:
    """Which of the live matches to show, by their ids: `known` has when each was created and last
    acted in. First those that have just begun, then those shown before, then the liveliest."""
    kept = [pk for pk in before if pk in known and now - known[pk][1] < _RESTS]
    others = [pk for pk in known if pk not in kept]
    others.sort(key=lambda pk: (known[pk][1], pk), reverse=True)
    by_age = sorted(others, key=lambda pk: (known[pk][0], pk), reverse=True)
    begun = [pk for pk in by_age if now - known[pk][0] < _NEW][:_NEW_PLACES]
    kept = kept[: max(0, places - len(begun))]
    return list(dict.fromkeys((*begun, *kept, *others)))[:places]


def _match(match: Match) -> dict[str, Any]:
    return {
        "match": match.pk,
        "game": match.game,
        "clock": match.clock or None,
        "seats": {
            role: {"name": player.username}
            for role, player in zip(match.rules.roles, (match.first, match.second), strict=True)
        },
    }


def _board(match: Match) -> dict[str, Any]:
    """A position drawn small. Raises what the rules raise where the row is damaged."""
    game, board = GAMES[match.game], BOARDS[match.game]
    position = game.read(match.notation)
    return {
        "diagram": position.diagram,
        "fresh": board.touched(match.last) if match.last else (),
        "line": position.line,
        "turn": position.turn,
        "badges": {role: board.badge(position, role) for role in game.roles},
    }


def _empty(game: str) -> dict[str, Any]:
    return {"diagram": GAMES[game].start.diagram}


def _drawing(match_id: str, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """A board by what changed on it: `marks` are the new ones by their elements' indices."""
    old, new = before["diagram"], after["diagram"]
    marks = {i: mark for i, mark in enumerate(new) if i >= len(old) or old[i] != mark}
    found: dict[str, Any] = {"match": match_id, "marks": marks, "fresh": after["fresh"]}
    for name in ("line", "turn", "badges"):
        if before.get(name) != after[name]:
            found[name] = after[name]
    return found
