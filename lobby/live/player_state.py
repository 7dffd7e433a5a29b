"""A player's open seeks, invitations, challenges and their outcomes, and live matches."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from msgspec import UNSET, Struct
from msgspec.structs import replace

from games.bots import has_bot
from games.match.state import MatchState
from games.models import Match
from games.rules import GAMES
from games.runtime.prepared_query import PreparedQuery
from games.store.aliases import get_aliases_of
from games.store.records import FIELDS
from games.store.visibility import PAIR, PlayerPair, build_pair, get_names_for_each
from lobby.live.protocol import (
    Begun,
    Declined,
    OfferedSeek,
    OwnChallenge,
    OwnFrame,
    OwnGame,
    OwnSeek,
)
from lobby.live.thumbnails import Thumbnail, get_thumbnail
from lobby.models import Challenge, Entry, Seek
from lobby.privacy.visibility import get_name_for
from lobby.seeks import offers

_NEWS = timedelta(hours=1)  # how long new matches and declined challenges are shown
_CHALLENGES = 20  # open challenges that are shown to one player
_GAMES = 50  # live matches that are shown to one player, those with the latest action
# Additional matches to read, so that one player with very many matches does not displace others.
_MORE = 2000


class PlayerState(Struct, frozen=True):
    """A player's `own` frame, the boards of the matches, and the version of each match."""

    own: OwnFrame = OwnFrame()
    boards: dict[str, Thumbnail] = {}
    versions: dict[str, int] = {}

    def could_be_offered(self, game: str) -> bool:
        """Return whether a new seek for the game could be offered to the player."""
        offered = Counter(offer.mine for offer in self.own.offers)
        mine = [seek.seek for seek in self.own.listed if seek.game == game]
        has_room = offered.total() < offers.OFFERS_PER_PLAYER
        return has_room and any(offered[pk] < offers.OFFERS_PER_SEEK for pk in mine)

    def is_offered(self, seek_ids: Collection[str]) -> bool:
        """Return whether one of these seeks is offered to the player."""
        return any(offer.seek in seek_ids for offer in self.own.offers)

    @property
    def is_seeking(self) -> bool:
        """Return whether the player has an open seek, invitation or challenge, or a new match."""
        return bool(self.own.seeks or self.own.begun or self.own.challenges)

    def moved(self, player_id: int, state: MatchState) -> "PlayerState | None":
        """Return the state after a move in a match, or None if the state must be read again."""
        known = {game.match: game for game in self.own.games}
        game = known.get(state.id)
        if game is None or not state.is_live or state.id in self._begun:
            return None
        if state.version <= self.versions[state.id]:
            return self
        known[state.id] = _update_game(game, player_id, state)
        return PlayerState(
            replace(self.own, games=_sort_games(known.values())),
            {**self.boards, state.id: get_thumbnail(state.game, state.notation, state.last)},
            {**self.versions, state.id: state.version},
        )

    def is_behind(self, stored: Mapping[str, int]) -> bool:
        """Return whether the player's live matches or their versions differ from those stored."""
        if any(stored.get(match_id) != version for match_id, version in self.versions.items()):
            return True
        return len(self.versions) < min(len(stored), _GAMES)

    @property
    def _begun(self) -> set[str]:
        return {match.match for match in self.own.begun}


def exclude_match(own: OwnFrame, match_id: str) -> OwnFrame:
    """Return the frame for the page of a match, with that match left out."""
    if not match_id:
        return own
    return replace(
        own,
        begun=tuple(match for match in own.begun if match.match != match_id),
        games=tuple(game for game in own.games if game.match != match_id),
    )


def list_waiting_games(own: OwnFrame) -> list[OwnGame]:
    """Return the matches in which it is the player's turn, except those in `begun`."""
    told = {match.match for match in own.begun}
    return [game for game in own.games if game.waits and game.match not in told]


def read_own(player_ids: Iterable[int]) -> dict[int, OwnFrame]:
    """Return a dictionary that maps each of these players to their `own` frame, without boards."""
    return {pk: mine.own for pk, mine in read_player_state(player_ids).items()}


def read_player_state(player_ids: Iterable[int]) -> dict[int, PlayerState]:
    """Read the state of each of these players.

    In the frame of a state, `seeks` has the player's open seeks and invitations, oldest first.
    `offers` has seeks that the player could join instead. `begun` has live matches that recently
    began from seeks, from challenges or in tournaments, and in which the player has not acted yet.
    `games` has the live matches.
    """
    players = list(player_ids)
    # Include aliases, because a match may have begun from a seek that was made under an alias.
    of = _get_rows(players)
    seeks: defaultdict[int, list[OwnSeek]] = defaultdict(list)
    begun: defaultdict[int, list[Begun]] = defaultdict(list)
    now = timezone.now()
    alive = now - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    for player_id, pk, game, clock, created_at, by_address, rated, seen_at in _open_seeks(of):
        if game in GAMES and (by_address or seen_at >= alive):
            since = int(created_at.timestamp())
            seek = OwnSeek(pk, game, clock or None, since, by_address, rated, has_bot(game))
            seeks[of[player_id]].append(seek)
    for paired in _get_paired_seeks(of, now):
        match = paired.match
        if match is not None and not match.acted & _get_seat_bit(match.first_id, paired.player_id):
            begun[of[paired.player_id]].append(_build_begun(paired, match))
    challenges: defaultdict[int, list[OwnChallenge]] = defaultdict(list)
    declined: defaultdict[int, list[Declined]] = defaultdict(list)
    for each in _get_challenges(of, now):
        for row in {each.challenger_id, each.challenged_id}.intersection(of):
            player_id = of[row]
            if each.match is not None:
                if not each.match.acted & _get_seat_bit(each.match.first_id, row):
                    begun[player_id].append(_build_begun_by_challenge(each, each.match, row))
            elif each.answer == Challenge.Answer.DECLINED:
                if row == each.challenger_id:
                    name = get_name_for(player_id, each.challenged)
                    declined[player_id].append(Declined(each.pk, each.game, name, each.word))
            elif len(challenges[player_id]) < _CHALLENGES:
                challenges[player_id].append(_build_challenge(each, row))
    for row, new in _list_begun_in_tournaments(of):
        begun[of[row]].append(new)
    games = _get_games(of)
    offered = _get_offers(seeks)
    return {
        pk: PlayerState(
            OwnFrame(
                seeks=tuple(seeks[pk]),
                begun=tuple(begun[pk]),
                games=_sort_games(game for game, _ in games[pk]),
                challenges=tuple(challenges[pk]),
                declined=tuple(declined[pk]),
                offers=offered.get(pk, ()),
            ),
            {s.id: get_thumbnail(s.game, s.notation, s.last) for _, s in games[pk]},
            {state.id: state.version for _, state in games[pk]},
        )
        for pk in players
    }


def get_match_versions(player_ids: Collection[int]) -> dict[int, dict[str, int]]:
    """Return a dictionary that maps each of these players to the versions of their live matches.

    The versions of a player's matches are in a dictionary, by match id.
    """
    found: dict[int, dict[str, int]] = {pk: {} for pk in player_ids}
    of = _get_rows(player_ids)
    for match_id, game, version, *people in _live_versions(of):
        for row in people:
            if row in of and game in GAMES:
                found[of[row]][match_id] = version
    return found


def _get_rows(players: Collection[int]) -> dict[int, int]:
    """Return a dictionary that maps the ids of these players and their aliases to players' ids."""
    return {row: player_id for player_id, rows in get_aliases_of(players).items() for row in rows}


def _get_offers(seeks: Mapping[int, Collection[OwnSeek]]) -> dict[int, tuple[OfferedSeek, ...]]:
    """Return the seeks that are offered to each player with open seeks."""
    listed = [(pk, each) for pk, some in seeks.items() for each in some if not each.invitation]
    found = offers.read_offers({pk for pk, _ in listed}, {each.game for _, each in listed})
    return {pk: tuple(_build_offer(each) for each in some) for pk, some in found.items()}


def _build_offer(each: offers.Offer) -> OfferedSeek:
    seek = each.seek
    return OfferedSeek(
        seek=seek.pk,
        mine=each.mine,
        game=seek.game,
        clock=seek.clock or None,
        options=seek.options,
        rated=seek.rated,
        player=seek.player,
        rating=UNSET if each.rating is None else each.rating,
    )


def _get_games(of: Mapping[int, int]) -> Mapping[int, list[tuple[OwnGame, MatchState]]]:
    """Return a dictionary that maps players to their live matches, latest action first.

    `of` maps the ids of players and of their aliases to the players.
    """
    found: defaultdict[int, list[tuple[OwnGame, MatchState]]] = defaultdict(list)
    states: list[MatchState] = []
    looks: dict[tuple[int | None, str], PlayerPair] = {}
    for values in _live_states(of):
        state, pair = MatchState(*values[: len(FIELDS)]), build_pair(values[len(FIELDS) :])
        if state.is_readable:
            states.append(state)
            looks |= {(of[row], state.id): pair for row in pair.ids if row in of}
    names = get_names_for_each(looks)
    for state in states:
        for seat, row in enumerate((state.first_id, state.second_id)):
            player_id = of.get(row)
            if player_id is not None and len(found[player_id]) < _GAMES:
                opponent = names[player_id, state.id][1 - seat]
                game = OwnGame(
                    match=state.id,
                    url=f"/match/{state.id}/",
                    game=state.game,
                    clock=state.clock or None,
                    opponent=opponent,
                    waits=False,
                    since=0,
                )
                found[player_id].append((_update_game(game, row, state), state))
    return found


def _get_live_matches(players: Collection[int]):  # type: ignore[no-untyped-def]  # the caller chooses the columns
    held = Q(first_id__in=players) | Q(second_id__in=players)
    live = Match.objects.filter(held, status=Match.Status.LIVE)
    return live.order_by("-acted_at")[: _GAMES * len(players) + _MORE]


# These queries run whenever a player's state changes, so they are compiled only once, and cannot
# name the games, to which rule sheets are added. Most players have no new match in the last three
# of them, so longer queries run only if there is one.
_live_states = PreparedQuery(lambda rows: _get_live_matches(rows).values_list(*FIELDS, *PAIR))
_live_versions = PreparedQuery(
    lambda rows: _get_live_matches(rows).values_list(
        "pk", "game", "version", "first_id", "second_id"
    )
)
_open_seeks = PreparedQuery(
    lambda rows: (
        Seek.objects.filter(player_id__in=rows, match=None)
        .order_by("created_at")
        .values_list(
            *("player_id", "pk", "game", "clock", "created_at", "by_address", "rated", "seen_at")
        )
    )
)
_have_paired = PreparedQuery(
    lambda rows: Seek.objects.filter(player_id__in=rows, match__isnull=False).values_list("pk")[:1]
)
_have_challenges = PreparedQuery(
    lambda rows: Challenge.objects.filter(
        Q(challenger_id__in=rows) | Q(challenged_id__in=rows)
    ).values_list("pk")[:1]
)
_tournament_matches = PreparedQuery(
    lambda rows: Entry.objects.filter(player__in=rows, playing__isnull=False).values_list(
        *("player_id", "playing__match__first_id"),
        *("playing__match__acted", "playing__match__created_at"),
    )
)


def _update_game(game: OwnGame, player_id: int, state: MatchState) -> OwnGame:
    waits = state.turn is not None and state.turn == state.role_of(player_id)
    # Before the first action, `deadline` is the limit for that action.
    until = state.deadline if state.acted else None
    return replace(
        game,
        waits=waits,
        since=int(state.acted_at.timestamp()),
        until=until and int(until.timestamp()),
    )


def _sort_games(games: Iterable[OwnGame]) -> tuple[OwnGame, ...]:
    """Sort the matches: those in which it is the player's turn come first.

    Within each of the two groups, the match whose turn began first comes first.
    """
    return tuple(sorted(games, key=lambda game: (not game.waits, game.since, game.match)))


def _get_paired_seeks(rows: Collection[int], now: datetime) -> Iterable[Seek]:
    """Return the seeks that recently led to a match that is still live, oldest first."""
    if not any(_have_paired(rows)):
        return ()
    own = Seek.objects.filter(player_id__in=rows, game__in=GAMES).order_by("created_at")
    paired = own.filter(match__status=Match.Status.LIVE, match__created_at__gt=now - _NEWS)
    return paired.select_related("match", "match__first", "match__second")


def _get_challenges(rows: Collection[int], now: datetime) -> Iterable[Challenge]:
    """Return the open and the recently answered challenges of these players, oldest first.

    Accepted challenges are left out once their match is over.
    """
    if not any(_have_challenges(rows)):
        return ()
    is_open = Q(answer=Challenge.Answer.OPEN, expires_at__gt=now)
    declined = Q(answer=Challenge.Answer.DECLINED, answered_at__gt=now - _NEWS)
    live = Q(match__status=Match.Status.LIVE, answered_at__gt=now - _NEWS)
    found = Challenge.objects.filter(
        Q(challenger_id__in=rows) | Q(challenged_id__in=rows),
        is_open | declined | live,
        game__in=GAMES,
    )
    people = "challenger", "challenged", "match", "match__first", "match__second"
    return found.select_related(*people).order_by("created_at")


def _build_challenge(each: Challenge, player_id: int) -> OwnChallenge:
    mine = each.challenger_id == player_id
    return OwnChallenge(
        challenge=each.pk,
        url=each.get_absolute_url(),
        game=each.game,
        clock=each.clock or None,
        options=each.options,
        rated=each.rated,
        side=each.side,
        player=get_name_for(player_id, each.challenged if mine else each.challenger),
        mine=mine,
        until=int(each.expires_at.timestamp()),
    )


def _list_begun_in_tournaments(rows: Collection[int]) -> list[tuple[int, Begun]]:
    """Return new tournament matches in which a player has not acted, each with the player's id."""
    since = timezone.now() - _NEWS
    if not any(
        created_at is not None and created_at > since and not acted & _get_seat_bit(first, row)
        for row, first, acted, created_at in _tournament_matches(rows)
    ):
        return []
    playing = Entry.objects.filter(player__in=rows, playing__isnull=False)
    new = playing.filter(playing__match__created_at__gt=since)
    people = "playing__match__first", "playing__match__second", "tournament"
    found = []
    for entry in new.select_related(*people).order_by("playing__match__created_at"):
        match = entry.playing.match if entry.playing else None
        if match is None or match.status != Match.Status.LIVE or match.game not in GAMES:
            continue
        if match.acted & _get_seat_bit(match.first_id, entry.player_id):
            continue
        opponent = match.second if match.first_id == entry.player_id else match.first
        begun = Begun(
            seek="",
            match=match.pk,
            url=match.get_absolute_url(),
            game=match.game,
            opponent=get_name_for(entry.player_id, opponent),
            invitation=False,
            tournament=entry.tournament_id,
            event=entry.tournament.name,
        )
        found.append((entry.player_id, begun))
    return found


def _build_begun_by_challenge(each: Challenge, match: Match, player_id: int) -> Begun:
    opponent = match.second if match.first_id == player_id else match.first
    return Begun(
        seek=each.pk,
        match=match.pk,
        url=match.get_absolute_url(),
        game=each.game,
        opponent=get_name_for(player_id, opponent),
        invitation=each.challenger_id == player_id,
    )


def _get_seat_bit(first_id: int, player_id: int) -> int:
    """Return the bit of `acted` for the seat of a player in a match with that first player."""
    return 1 if first_id == player_id else 2


def _build_begun(seek: Seek, match: Match) -> Begun:
    opponent = match.second if match.first_id == seek.player_id else match.first
    return Begun(
        seek=seek.pk,
        match=match.pk,
        url=match.get_absolute_url(),
        game=seek.game,
        opponent=get_name_for(seek.player_id, opponent),
        invitation=seek.by_address,
    )
