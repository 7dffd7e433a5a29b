"""Queries about tournaments for pages and the API, and the tables that follow from the games."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from msgspec import Struct

from lobby.groups.membership import are_all_in, list_groups
from lobby.models import Entry, Pairing, Player, Round, Series, Tournament
from lobby.tournaments.field import get_field
from lobby.tournaments.locking import can_manage
from lobby.tournaments.pairing.season import SeasonRow, compute_season
from lobby.tournaments.pairing.standings import Row, compute_standings
from lobby.tournaments.series import get_series_results, list_series_tournaments

PAGE = 25  # tournaments on a page
_GAMES_PER_PLAYER = 10  # one query reads at most this many live games per player, on average

State = Tournament.State


class PageCursor(Struct, frozen=True):
    """The end of a page of a list: the time and the id of its last tournament.

    The id is needed because several tournaments can have the same time.
    """

    at: datetime
    id: str


class NextGame(Struct, frozen=True):
    """A live tournament game of a player."""

    tournament: str
    name: str
    match: str
    round: int
    board: int

    @property
    def url(self) -> str:
        return f"/match/{self.match}/"


def get_visible_tournament(player: Player | None, tournament_id: str) -> Tournament | None:
    """Return the tournament, or None if it does not exist or the player cannot see it.

    A group's tournament is visible to members, and to players who can manage the tournament. Any
    other tournament is visible to everybody.
    """
    found = Tournament.objects.filter(pk=tournament_id).select_related("group", "organiser").first()
    if found is None or found.group_id is None or can_manage(player, found):
        return found
    is_in = player is not None and are_all_in(found.group_id, [player.pk])
    return found if is_in else None


# -- lists of tournaments, each with `players`, the number of participants. A page has one more
# tournament than `PAGE` if another page follows.


def list_own_tournaments(player: Player, last: PageCursor | None = None) -> list[Tournament]:
    """Return the tournaments that the player entered, was invited to or organises, latest first."""
    entered = Entry.objects.filter(player=player).values("tournament")
    own = Tournament.objects.filter(organiser=player)
    others = _filter_visible(player).filter(pk__in=entered)
    return _get_page([own, others], "-starts_at", last)


def list_upcoming_tournaments(
    player: Player | None, last: PageCursor | None = None
) -> list[Tournament]:
    """Return tournaments that have not started and are visible to the player, next start first."""
    states = [State.ANNOUNCED, State.REGISTRATION, State.CHECK_IN]
    visible = _filter_visible(player)
    return _get_page([visible.filter(state=state) for state in states], "starts_at", last)


def list_running_tournaments(
    player: Player | None, last: PageCursor | None = None
) -> list[Tournament]:
    """Return running tournaments that are visible to the player, latest start first."""
    return _get_page([_filter_visible(player).filter(state=State.RUNNING)], "-starts_at", last)


def list_finished_tournaments(
    player: Player | None, last: PageCursor | None = None
) -> list[Tournament]:
    """Return finished tournaments that are visible to the player, latest end first."""
    rows = _filter_visible(player).filter(state=State.OVER, ended_at__isnull=False)
    return _get_page([rows], "-ended_at", last)


def list_tournaments_by_organiser(
    player: Player | None, organiser: Player, most: int
) -> list[Tournament]:
    """Return the tournaments of an organiser that are visible to the player, latest start first."""
    rows = _filter_visible(player).filter(organiser=organiser)
    return add_player_counts(list(_select_names(rows).order_by("-starts_at", "id")[:most]))


def list_group_tournaments(group_id: str) -> list[Tournament]:
    """Return up to `PAGE` + 1 tournaments of a group, latest start first."""
    return _get_page([Tournament.objects.filter(group=group_id)], "-starts_at")


def _get_page(
    parts: Sequence[QuerySet[Tournament]], order: str, last: PageCursor | None = None
) -> list[Tournament]:
    """Return the tournaments of all parts after `last`, up to one more than fit on a page.

    The tournaments are ordered by time, then by id. Each part is a separate query, so that each can
    use an index of its own.
    """
    time = order.removeprefix("-")
    found: dict[str, Tournament] = {}
    for rows in parts:
        if last is not None:
            way = "lt" if order.startswith("-") else "gt"
            same = Q(**{time: last.at, "id__gt": last.id})
            rows = rows.filter(Q(**{f"{time}__{way}": last.at}) | same)  # noqa: PLW2901  # the loop refines each query
        found |= {each.pk: each for each in _select_names(rows).order_by(order, "id")[: PAGE + 1]}
    in_order = sorted(found.values(), key=lambda each: each.pk)
    in_order.sort(key=lambda each: getattr(each, time), reverse=order.startswith("-"))
    return add_player_counts(in_order[: PAGE + 1])


def _filter_visible(player: Player | None) -> QuerySet[Tournament]:
    public = Q(group__isnull=True)
    if player is not None:
        public |= Q(group__in=[group.pk for group in list_groups(player.pk)])
    return Tournament.objects.filter(public)


def _select_names(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return rows.select_related("organiser", "group")


TAKES_PART = Q(state=Entry.State.IN) | (Q(seed__isnull=False) & ~Q(state=Entry.State.INVITED))
"""The condition that an entry is counted and listed. Entries get a seed at the start and stay
listed from then on, even if the player withdraws or is eliminated."""


def add_player_counts(found: list[Tournament]) -> list[Tournament]:
    """Set `players` on each tournament. Only the entries of these tournaments are counted."""
    taking_part = Entry.objects.filter(TAKES_PART, tournament__in=found).order_by()
    counted = taking_part.values("tournament").annotate(count=Count("pk"))
    counts = dict(counted.values_list("tournament", "count"))
    for each in found:
        each.players = counts.get(each.pk, 0)  # type: ignore[attr-defined]  # for templates
    return found


# -- one tournament


def get_entry(tournament: Tournament, player: Player | None) -> Entry | None:
    """Return the player's entry in any state, or None."""
    if player is None:
        return None
    return Entry.objects.filter(tournament=tournament, player=player).first()


def list_entries(tournament: Tournament) -> list[Entry]:
    """Return all entries, including invited and removed ones, by points, seed and time of entry.

    There can be more than `draft.MOST_PLAYERS`, because that limit counts only players who take
    part.
    """
    rows = Entry.objects.filter(tournament=tournament).select_related("player")
    return list(rows.order_by("-points", "seed", "entered_at"))


def list_rounds(tournament: Tournament) -> list[Round]:
    """Return the rounds that have been paired."""
    return list(Round.objects.filter(tournament=tournament).order_by("number"))


def list_pairings(tournament: Tournament, number: int, most: int = 1000) -> list[Pairing]:
    """Return up to `most` pairings of a round by board.

    For an arena (round 0), return the latest ones first.
    """
    rows = Pairing.objects.filter(tournament=tournament, round=number)
    named = rows.select_related("first__player", "second__player", "match")
    order = ("-board",) if tournament.is_arena else ("board", "leg")
    return list(named.order_by(*order)[:most])


def iterate_match_ids(tournament: Tournament, some: int) -> Iterator[list[str]]:
    """Yield the ids of all matches by round, board and leg, in lists.

    Each query reads up to `some` pairings.
    """
    for number in range(tournament.round + 1):
        rows = Pairing.objects.filter(tournament=tournament, round=number).order_by("board", "leg")
        board = leg = 0
        while True:
            further = rows.filter(board__gte=board).exclude(board=board, leg__lte=leg)
            page = list(further.values_list("board", "leg", "match")[:some])
            if page:
                yield [match_id for *_, match_id in page if match_id is not None]
            if len(page) < some:
                break
            board, leg, _ = page[-1]


def list_live_games(tournament: Tournament, most: int = 1000) -> list[Pairing]:
    """Return up to `most` live games by board."""
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None)
    return list(
        rows.select_related("first__player", "second__player").order_by("board", "leg")[:most]
    )


def list_games(entry: Entry) -> list[Pairing]:
    """Return the first 1,000 games and byes of an entry in order."""
    mine_ = Pairing.objects.filter(Q(first=entry) | Q(second=entry))
    named = mine_.select_related("first__player", "second__player", "match")
    return list(named.order_by("round", "made_at", "leg", "pk")[:1000])


def compute_table(tournament: Tournament) -> tuple[Row, ...]:
    """Return the standings computed from the games, best first, including players who withdrew."""
    field = get_field(tournament)
    ties = tuple(each for each in tournament.tie_breaks.split(",") if each)
    return compute_standings(
        field.entrants,
        field.games,
        tournament.kind,  # type: ignore[arg-type]  # both types have the same values
        ties,
        rounds=count_complete_rounds(tournament),
        third_place=tournament.third_place,
        best_of=tournament.best_of,
        gone=field.gone,
    )


def count_complete_rounds(tournament: Tournament) -> int:
    """Return the number of paired rounds, without the last one while a game in it is live.

    Otherwise, tie-breaks would count the live game as an absence.
    """
    rows = Pairing.objects.filter(tournament=tournament, round=tournament.round, ended_at=None)
    return tournament.round - rows.exists()


def compute_series_table(series: Series) -> tuple[SeasonRow, ...]:
    """Return the table of a season, from its finished tournaments in order."""
    found = get_series_results(series)
    numbers = [each.number for each in list_series_tournaments(series) if each.state == State.OVER]
    each_one = [
        {player: got[number] for player, got in found.items() if number in got}
        for number in numbers
        if number is not None
    ]
    return compute_season(each_one, series.best or None)


# -- for every page


def get_next_games(player_ids: Collection[int]) -> dict[int, list[NextGame]]:
    """Return a dictionary that maps player ids to their live tournament games, newest first.

    Players without a game are left out. This takes one query.
    """
    rows = Entry.objects.filter(player__in=player_ids, playing__isnull=False)
    values = rows.order_by("-playing").values_list(
        *("player", "tournament", "tournament__name", "playing__match"),
        *("playing__round", "playing__board"),
    )
    found: dict[int, list[NextGame]] = {}
    for player_id, *game in values[: _GAMES_PER_PLAYER * max(1, len(player_ids))]:
        found.setdefault(player_id, []).append(NextGame(*game))
    return found


def list_next_games(player_id: int) -> Sequence[NextGame]:
    """Return the live tournament games of one player, newest first."""
    return get_next_games([player_id]).get(player_id, [])
