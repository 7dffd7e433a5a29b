"""What the lobby lists: open seeks, live matches and their boards; whole, or what changed.

A busy lobby changes each second for everybody who looks at it. So the lists have a bound, a match
keeps its place while it is played, and a board is sent as the marks that are new on it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db.models import Sum
from django.utils import timezone
from msgspec import UNSET, Struct

from games.boards import BOARDS
from games.models import Match
from games.rules import GAMES
from games.store.holders import name_at
from lobby.live.protocol import Changes, Drawing, ListedMatch, ListedSeek, Lobby, Named
from lobby.models import Seek, Server

log = structlog.get_logger(__name__)

_RESTS = timedelta(seconds=60)  # a match in which nobody acted for so long loses its place
_NEW = timedelta(seconds=10)  # a match that began less than this ago is shown before others
_NEW_PLACES = 3  # at most so many places are for matches that have just begun
_LOOKED_AT = 50  # the matches to show are chosen from so many of the youngest live ones
_SEEKS_LOOKED_AT = 4  # so many times as many seeks are read as are listed


class Board(Struct, frozen=True):
    """A position as a thumbnail. `badges` has the mark of each role."""

    diagram: str
    fresh: tuple[int, ...]
    line: tuple[int, ...]
    turn: str | None
    badges: dict[str, str]


class Shown(Struct, frozen=True):
    """The lobby at one moment. All three are in the order in which they are shown."""

    seeks: dict[str, ListedSeek]
    matches: dict[str, ListedMatch]
    boards: dict[str, Board]  # of the matches
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
    # Values take a third of the time of objects, and players' moves wait meanwhile.
    seeks = listed.values_list("pk", "game", "clock", "created_at", "player", name_at("player"))
    seeks = seeks[: _SEEKS_LOOKED_AT * settings.LOBBY_SEEKS]
    live = Match.objects.filter(status=Match.Status.LIVE, game__in=GAMES)
    matches, boards = {}, {}
    for match in _chosen(_latest):
        try:
            matches[match.pk], boards[match.pk] = _match(match), _board(match)
        except Exception:  # a damaged row must not hide the others
            matches.pop(match.pk, None)
            log.debug("unreadable match", match=match.pk)
    _latest = tuple(matches)
    online = Server.objects.filter(seen_at__gte=fresh).aggregate(total=Sum("online"))["total"]
    return Shown(
        {
            pk: ListedSeek(pk, game, clock or None, name, int(created_at.timestamp()))
            for pk, game, clock, created_at, _, name in _in_turns(seeks)[: settings.LOBBY_SEEKS]
        },
        matches,
        boards,
        online or 0,
        live.count(),
        listed.count(),
    )


def whole(shown: Shown) -> Lobby:
    """The `lobby` frame, but for the viewer's own name (`you`)."""
    return Lobby(
        seeks=list(shown.seeks.values()),
        matches=list(shown.matches.values()),
        online=shown.online,
        playing=shown.playing,
        seeking=shown.seeking,
    )


def drawings(shown: Shown) -> list[Drawing]:
    """Each match's board as the difference from its game's start."""
    return [
        _drawing(match_id, shown.matches[match_id].game, None, board)
        for match_id, board in shown.boards.items()
    ]


def changes(before: Shown, after: Shown) -> Changes:
    """The frame that turns the earlier lobby into the later one.

    It holds only what changed: nothing but its type if nothing did. It may be applied twice.
    """
    return Changes(
        seeks=tuple(seek for pk, seek in after.seeks.items() if before.seeks.get(pk) != seek),
        gone=tuple(pk for pk in before.seeks if pk not in after.seeks),
        matches=tuple(match for pk, match in after.matches.items() if pk not in before.matches),
        over=tuple(pk for pk in before.matches if pk not in after.matches),
        boards=tuple(
            _drawing(pk, after.matches[pk].game, before.boards.get(pk), board)
            for pk, board in after.boards.items()
            if before.boards.get(pk) != board
        ),
        online=after.online if after.online != before.online else UNSET,
        playing=after.playing if after.playing != before.playing else UNSET,
        seeking=after.seeking if after.seeking != before.seeking else UNSET,
    )


def _in_turns(seeks: Iterable[_SeekValues]) -> list[_SeekValues]:
    """The oldest seek of each player comes first, so that no player fills the list."""
    of_player: Counter[int] = Counter()
    ranked = []
    for place, seek in enumerate(seeks):
        ranked.append((of_player[seek[4]], place, seek))
        of_player[seek[4]] += 1
    return [seek for _, _, seek in sorted(ranked, key=lambda entry: entry[:2])]


def _chosen(before: Sequence[str]) -> list[Match]:
    """The live matches to show. A match keeps its place while it is played."""
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


def _match(match: Match) -> ListedMatch:
    players = match.first.name, match.second.name
    return ListedMatch(
        match.pk,
        match.game,
        match.clock or None,
        {role: Named(name) for role, name in zip(match.rules.roles, players, strict=True)},
    )


def _board(match: Match) -> Board:
    """A match's thumbnail. Raises what the rules raise if the row is damaged."""
    game, board = GAMES[match.game], BOARDS[match.game]
    position = game.read(match.notation)
    return Board(
        diagram=position.diagram,
        fresh=board.touched(match.last) if match.last else (),
        line=position.line,
        turn=position.turn,
        badges={role: board.badge(position, role) for role in game.roles},
    )


def _drawing(match_id: str, game: str, before: Board | None, after: Board) -> Drawing:
    """The changes of a board since `before`. None: since the start of its game, with the line, the
    turn and the badges in any case."""
    old, new = before.diagram if before else GAMES[game].start.diagram, after.diagram
    return Drawing(
        match=match_id,
        marks={i: mark for i, mark in enumerate(new) if i >= len(old) or old[i] != mark},
        fresh=after.fresh,
        line=after.line if before is None or before.line != after.line else UNSET,
        turn=after.turn if before is None or before.turn != after.turn else UNSET,
        badges=after.badges if before is None or before.badges != after.badges else UNSET,
    )
