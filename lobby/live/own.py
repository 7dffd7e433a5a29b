"""A player's own: open searches and invitations, matches that began from them, live games."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

from games.match.state import MatchState
from games.models import Match
from games.rules import GAMES
from games.store.matches import FIELDS
from lobby.live.boards import Board, board_of
from lobby.live.protocol import Begun, Own, OwnGame, OwnSeek
from lobby.models import Seek

_NEWS = timedelta(hours=1)  # so long a player is told of a match that began while they were away
_GAMES = 50  # live games of one player, those acted in last, of which the player is told
_MORE = 2000  # and so many more are read, so that whoever has very many takes nobody's place


class Mine(Struct, frozen=True):
    """A player's `own` frame; the boards of its games, and the version in which each was read."""

    own: Own = Own()
    boards: dict[str, Board] = {}
    versions: dict[str, int] = {}

    @property
    def is_seeking(self) -> bool:
        """Whether the player has a seek open, or had one a moment ago."""
        return bool(self.own.seeks or self.own.begun)

    def moved(self, player_id: int, state: MatchState) -> "Mine | None":
        """The same after a known match has gone on; None where it has to be read anew."""
        known = {game.match: game for game in self.own.games}
        game = known.get(state.id)
        if game is None or not state.is_live or state.id in self._begun:
            return None
        if state.version <= self.versions[state.id]:
            return self
        known[state.id] = _going_on(game, player_id, state)
        return Mine(
            replace(self.own, games=_in_order(known.values())),
            {**self.boards, state.id: board_of(state.game, state.notation, state.last)},
            {**self.versions, state.id: state.version},
        )

    def is_behind(self, stored: Mapping[str, int]) -> bool:
        """Whether the stored versions of the player's live matches are others than known here."""
        if any(stored.get(match_id) != version for match_id, version in self.versions.items()):
            return True
        return len(self.versions) < min(len(stored), _GAMES)

    @property
    def _begun(self) -> set[str]:
        return {match.match for match in self.own.begun}


def seen_at(own: Own, match_id: str) -> Own:
    """The frame for the page of that match: without the match itself."""
    if not match_id:
        return own
    return replace(
        own,
        begun=tuple(match for match in own.begun if match.match != match_id),
        games=tuple(game for game in own.games if game.match != match_id),
    )


def waiting_for(own: Own) -> list[OwnGame]:
    """The games that wait for their player, but for those of which `begun` tells already."""
    told = {match.match for match in own.begun}
    return [game for game in own.games if game.waits and game.match not in told]


def read_own(player_ids: Iterable[int]) -> dict[int, Own]:
    """The `own` frame of each of these players, without boards."""
    return {pk: mine.own for pk, mine in read_mine(player_ids).items()}


def read_mine(player_ids: Iterable[int]) -> dict[int, Mine]:
    """What is each of these players' own.

    `seeks` are the open ones, the oldest first; `begun` are the matches that began from other seeks
    and in which the player has not acted yet; `games` are the live ones.
    """
    players = list(player_ids)
    seeks: defaultdict[int, list[OwnSeek]] = defaultdict(list)
    begun: defaultdict[int, list[Begun]] = defaultdict(list)
    now = timezone.now()
    own = Seek.objects.filter(player_id__in=players, game__in=GAMES).order_by("created_at")
    alive = now - timedelta(seconds=settings.GONE_SECONDS)
    still_open = own.filter(match=None).filter(Q(by_address=True) | Q(seen_at__gte=alive))
    for player_id, pk, game, clock, created_at, by_address in still_open.values_list(
        "player_id", "pk", "game", "clock", "created_at", "by_address"
    ):
        since = int(created_at.timestamp())
        seeks[player_id].append(OwnSeek(pk, game, clock or None, since, by_address))
    paired = own.filter(match__status=Match.Status.LIVE, match__created_at__gt=now - _NEWS)
    for seek in paired.select_related("match", "match__first", "match__second"):
        if seek.match is not None and not seek.match.acted & _seat(seek.match, seek.player_id):
            begun[seek.player_id].append(_begun(seek, seek.match))
    games = _games(players)
    return {
        pk: Mine(
            Own(
                seeks=tuple(seeks[pk]),
                begun=tuple(begun[pk]),
                games=_in_order(game for game, _ in games[pk]),
            ),
            {s.id: board_of(s.game, s.notation, s.last) for _, s in games[pk]},
            {state.id: state.version for _, state in games[pk]},
        )
        for pk in players
    }


def versions(player_ids: Collection[int]) -> dict[int, dict[str, int]]:
    """The version of each live match of these players, by player and match."""
    found: dict[int, dict[str, int]] = {pk: {} for pk in player_ids}
    live = _live(player_ids).values_list("pk", "version", "first_id", "second_id")
    for match_id, version, *people in live:
        for player_id in people:
            if player_id in found:
                found[player_id][match_id] = version
    return found


def _games(players: Collection[int]) -> Mapping[int, list[tuple[OwnGame, MatchState]]]:
    """Each player's live matches."""
    found: defaultdict[int, list[tuple[OwnGame, MatchState]]] = defaultdict(list)
    for values in _live(players).values_list(*FIELDS, "first__username", "second__username"):
        state, names = MatchState(*values[:-2]), values[-2:]
        if not state.is_readable:
            continue
        for player_id, opponent in ((state.first_id, names[1]), (state.second_id, names[0])):
            if player_id in players and len(found[player_id]) < _GAMES:
                game = OwnGame(
                    match=state.id,
                    url=f"/match/{state.id}/",
                    game=state.game,
                    clock=state.clock or None,
                    opponent=opponent,
                    waits=False,
                    since=0,
                )
                found[player_id].append((_going_on(game, player_id, state), state))
    return found


def _live(players: Collection[int]):  # type: ignore[no-untyped-def]  # a query set of any values
    held = Q(first_id__in=players) | Q(second_id__in=players)
    live = Match.objects.filter(held, status=Match.Status.LIVE, game__in=GAMES)
    return live.order_by("-acted_at")[: _GAMES * len(players) + _MORE]


def _going_on(game: OwnGame, player_id: int, state: MatchState) -> OwnGame:
    waits = state.turn is not None and state.turn == state.role_of(player_id)
    return replace(game, waits=waits, since=int(state.acted_at.timestamp()))


def _in_order(games: Iterable[OwnGame]) -> tuple[OwnGame, ...]:
    """First those that wait for the player; among these, those that have waited longest."""
    return tuple(sorted(games, key=lambda game: (not game.waits, game.since, game.match)))


def _seat(match: Match, player_id: int) -> int:
    """The player's seat as a bit of `acted`."""
    return 1 if match.first_id == player_id else 2


def _begun(seek: Seek, match: Match) -> Begun:
    opponent = match.second if match.first_id == seek.player_id else match.first
    return Begun(
        seek=seek.pk,
        match=match.pk,
        url=match.get_absolute_url(),
        game=seek.game,
        opponent=opponent.username,
        invitation=seek.by_address,
    )
