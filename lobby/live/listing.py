"""The contents of the lobby: open seeks, matches and their boards, in full or as changes.

A busy lobby changes every second for all its viewers. The lists are therefore bounded, a match
keeps its place while it is being played, and boards are sent as changed marks.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.utils import timezone
from msgspec import UNSET, Struct

from games.match.state import MatchState
from games.rules import GAMES
from games.store.aliases import name_at
from games.store.records import read_with_names
from lobby.live.live_matches import choose_matches, get_played_matches
from lobby.live.online import count_online
from lobby.live.protocol import (
    BoardChanges,
    ChangesFrame,
    ListedMatch,
    ListedSeek,
    LobbyFrame,
    Named,
)
from lobby.live.thumbnails import Thumbnail, compare_thumbnails, get_thumbnail
from lobby.models import Seek
from lobby.ratings.standing import get_displayed_ratings
from lobby.seeks.rated import get_bounds

log = structlog.get_logger(__name__)

_SEEKS_LOOKED_AT = 4  # seeks that are read for each seek that is listed


class LobbySnapshot(Struct, frozen=True):
    """A snapshot of the lobby, with everything in display order."""

    seeks: dict[str, ListedSeek]
    matches: dict[str, ListedMatch]
    boards: dict[str, Thumbnail]  # the boards of the matches
    online: int = 0
    playing: int = 0
    seeking: int = 0


_SeekValues = tuple[str, str, str, datetime, int, str, bool, int, int]
_Ratings = dict[tuple[int, str], str]
_SEEK = ("pk", "game", "clock", "created_at", "player")

_latest: Sequence[str] = ()  # ids of the matches in this process's last snapshot


def read_lobby() -> LobbySnapshot:
    """Read the current lobby. Matches of this process's last snapshot keep their places."""
    global _latest  # noqa: PLW0603  # shared by the threads that build pages and frames
    fresh = timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    listed = Seek.objects.filter(
        match=None, by_address=False, group=None, seen_at__gte=fresh, game__in=GAMES
    ).order_by("created_at")
    # `values_list` takes a third of the time of model objects, and players' moves wait for this
    # query.
    seeks = listed.values_list(*_SEEK, name_at("player"), "rated", "lowest", "highest")
    seeks = seeks[: _SEEKS_LOOKED_AT * settings.LOBBY_SEEKS]
    played = get_played_matches()
    matches, boards = {}, {}
    chosen = choose_matches(_latest, played, timezone.now(), settings.LOBBY_MATCHES)
    found = read_with_names(chosen, viewer_id=None)
    listed_seeks = _order_fairly(seeks)[: settings.LOBBY_SEEKS]
    ratings = _get_ratings(listed_seeks, [state for state, _ in found.values()])
    for state, names in (found[pk] for pk in chosen if pk in found):
        if not state.is_live:
            continue
        try:
            boards[state.id] = get_thumbnail(state.game, state.notation, state.last)
            matches[state.id] = _build_match(state, names, ratings)
        except Exception:  # a damaged row must not hide the others
            boards.pop(state.id, None)
            log.debug("unreadable match", match=state.id)
    _latest = tuple(matches)
    return LobbySnapshot(
        {values[0]: _build_seek(values, ratings) for values in listed_seeks},
        matches,
        boards,
        count_online(),
        len(played),
        listed.count(),
    )


def build_lobby_frame(shown: LobbySnapshot) -> LobbyFrame:
    """Return the `lobby` frame without the part that differs by viewer, `protocol.ViewerPart`."""
    return LobbyFrame(
        seeks=list(shown.seeks.values()),
        matches=list(shown.matches.values()),
        playing=shown.playing,
        seeking=shown.seeking,
    )


def list_board_changes(shown: LobbySnapshot) -> list[BoardChanges]:
    """Return the board of each match as changes since the start of the game."""
    return [
        compare_thumbnails(match_id, shown.matches[match_id].game, None, board)
        for match_id, board in shown.boards.items()
    ]


def build_changes_frame(before: LobbySnapshot, after: LobbySnapshot) -> ChangesFrame:
    """Return the frame that turns the earlier lobby into the later one.

    The frame contains only what has changed, so it may be empty. Applying it twice does no harm.
    """
    return ChangesFrame(
        seeks=tuple(seek for pk, seek in after.seeks.items() if before.seeks.get(pk) != seek),
        gone=tuple(pk for pk in before.seeks if pk not in after.seeks),
        matches=tuple(match for pk, match in after.matches.items() if pk not in before.matches),
        over=tuple(pk for pk in before.matches if pk not in after.matches),
        boards=tuple(
            compare_thumbnails(pk, after.matches[pk].game, before.boards.get(pk), board)
            for pk, board in after.boards.items()
            if before.boards.get(pk) != board
        ),
        online=after.online if after.online != before.online else UNSET,
        playing=after.playing if after.playing != before.playing else UNSET,
        seeking=after.seeking if after.seeking != before.seeking else UNSET,
    )


def _get_ratings(seeks: Iterable[_SeekValues], matches: Iterable[MatchState]) -> _Ratings:
    """Return the ratings of all players who are listed for a rated match."""
    wanted = {(values[4], values[1]) for values in seeks if values[6]}
    for match in matches:
        if match.rated:
            wanted |= {(match.first_id, match.game), (match.second_id, match.game)}
    return get_displayed_ratings(wanted)


def _build_seek(values: _SeekValues, ratings: _Ratings) -> ListedSeek:
    pk, game, clock, created_at, player_id, name, rated, *wanted = values
    since, rating = int(created_at.timestamp()), ratings.get((player_id, game), UNSET)
    return ListedSeek(pk, game, clock or None, name, since, rated, *get_bounds(*wanted), rating)


def _order_fairly(seeks: Iterable[_SeekValues]) -> list[_SeekValues]:
    """Order the seeks so that no player fills the list.

    The oldest seek of each player comes first, then the second oldest of each, and so on.
    """
    of_player: Counter[int] = Counter()
    ranked = []
    for place, seek in enumerate(seeks):
        ranked.append((of_player[seek[4]], place, seek))
        of_player[seek[4]] += 1
    return [seek for _, _, seek in sorted(ranked, key=lambda entry: entry[:2])]


def _build_match(state: MatchState, names: tuple[str, str], ratings: _Ratings) -> ListedMatch:
    players = [
        Named(name, ratings.get((player_id, state.game), UNSET) if state.rated else UNSET)
        for player_id, name in zip((state.first_id, state.second_id), names, strict=True)
    ]
    return ListedMatch(
        state.id,
        state.game,
        state.clock or None,
        dict(zip(state.rules.roles, players, strict=True)),
    )
