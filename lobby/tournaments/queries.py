"""What pages show of tournaments. Every list is bounded and has its index."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

from django.db.models import Count, Q, QuerySet
from msgspec import Struct

from lobby.groups.membership import are_all_in, groups_of
from lobby.models import Entry, Pairing, Player, Round, Series, Tournament
from lobby.tournaments.field import field_of
from lobby.tournaments.locking import can_manage
from lobby.tournaments.pairing.season import Line, season
from lobby.tournaments.pairing.standings import Row, standings
from lobby.tournaments.series import results_of, tournaments_of

PAGE = 25  # tournaments on one page
_NEXT = 10  # games that one person may have to play at the same time

State = Tournament.State


class Place(Struct, frozen=True):
    """Where a page of a list ends: the time and the id of its last tournament. Many may begin or
    end at the same time."""

    at: datetime
    id: str


class NextGame(Struct, frozen=True):
    """A live game of a tournament that somebody is to play."""

    tournament: str
    name: str
    match: str
    round: int
    board: int

    @property
    def url(self) -> str:
        return f"/match/{self.match}/"


def tournament_for(player: Player | None, tournament_id: str) -> Tournament | None:
    """The tournament, if the player may see it. One of a group is its members' alone."""
    found = Tournament.objects.filter(pk=tournament_id).select_related("group", "organiser").first()
    if found is None or found.group_id is None or can_manage(player, found):
        return found
    is_in = player is not None and are_all_in(found.group_id, [player.pk])
    return found if is_in else None


# -- lists; each row has `players`, how many take part


def mine(player: Player, last: Place | None = None) -> list[Tournament]:
    """Those that the player is in, was invited to, or organises, the latest start first."""
    entered = Entry.objects.filter(player=player).values("tournament")
    own = Tournament.objects.filter(organiser=player)
    others = _visible(player).filter(pk__in=entered)
    return _page([own, others], "-starts_at", last)


def to_come(player: Player | None, last: Place | None = None) -> list[Tournament]:
    """Those that have not begun, the next one first, as far as the player may see them."""
    states = [State.ANNOUNCED, State.REGISTRATION, State.CHECK_IN]
    visible = _visible(player)
    return _page([visible.filter(state=state) for state in states], "starts_at", last)


def running(player: Player | None, last: Place | None = None) -> list[Tournament]:
    """Those that run, the last to begin first."""
    return _page([_visible(player).filter(state=State.RUNNING)], "-starts_at", last)


def over(player: Player | None, last: Place | None = None) -> list[Tournament]:
    """Those that are over, the last to end first."""
    rows = _visible(player).filter(state=State.OVER, ended_at__isnull=False)
    return _page([rows], "-ended_at", last)


def made_by(player: Player | None, organiser: Player, most: int) -> list[Tournament]:
    """Those that somebody organises, as far as the player may see them, the latest start first."""
    rows = _visible(player).filter(organiser=organiser)
    return _counted(list(_named(rows).order_by("-starts_at", "id")[:most]))


def of_group(group_id: str) -> list[Tournament]:
    """Those of a group, the latest start first."""
    return _page([Tournament.objects.filter(group=group_id)], "-starts_at")


def _page(
    parts: Sequence[QuerySet[Tournament]], order: str, last: Place | None = None
) -> list[Tournament]:
    """The rows of all parts that come after that place in the order of a time, and of ids where
    times are equal: one more than a page has. Each part is read by its own index."""
    time = order.removeprefix("-")
    found: dict[str, Tournament] = {}
    for rows in parts:
        if last is not None:
            way = "lt" if order.startswith("-") else "gt"
            same = Q(**{time: last.at, "id__gt": last.id})
            rows = rows.filter(Q(**{f"{time}__{way}": last.at}) | same)  # noqa: PLW2901
        found |= {each.pk: each for each in _named(rows).order_by(order, "id")[: PAGE + 1]}
    in_order = sorted(found.values(), key=lambda each: each.pk)
    in_order.sort(key=lambda each: getattr(each, time), reverse=order.startswith("-"))
    return _counted(in_order[: PAGE + 1])


def _visible(player: Player | None) -> QuerySet[Tournament]:
    public = Q(group__isnull=True)
    if player is not None:
        public |= Q(group__in=[group.pk for group in groups_of(player.pk)])
    return Tournament.objects.filter(public)


def _named(rows: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return rows.select_related("organiser", "group")


TAKES_PART = Q(state=Entry.State.IN) | (Q(seed__isnull=False) & ~Q(state=Entry.State.INVITED))
"""The condition that an entry is counted and listed. Seeds are given at the start: from then on who
withdraws or goes out stays listed."""


def _counted(found: list[Tournament]) -> list[Tournament]:
    """These rows, each with `players`. Only their own entries are counted: not those of all that
    there are, before a page is cut off."""
    taking_part = Entry.objects.filter(TAKES_PART, tournament__in=found).order_by()
    counted = taking_part.values("tournament").annotate(count=Count("pk"))
    counts = dict(counted.values_list("tournament", "count"))
    for each in found:
        each.players = counts.get(each.pk, 0)  # type: ignore[attr-defined]  # for lists
    return found


# -- one tournament


def entry_of(tournament: Tournament, player: Player | None) -> Entry | None:
    """The player's own entry, in whatever state."""
    if player is None:
        return None
    return Entry.objects.filter(tournament=tournament, player=player).first()


def entries_of(tournament: Tournament) -> list[Entry]:
    """All who are in it, were invited or are out: by rank, by points, or by when they came. There
    are as many as `making.MOST_PLAYERS`, and twice as many with those who were invited."""
    rows = Entry.objects.filter(tournament=tournament).select_related("player")
    return list(rows.order_by("-points", "seed", "entered_at"))


def rounds_of(tournament: Tournament) -> list[Round]:
    """The rounds that were paired."""
    return list(Round.objects.filter(tournament=tournament).order_by("number"))


def pairings_of(tournament: Tournament, number: int, most: int = 1000) -> list[Pairing]:
    """The pairings of a round, by board. Of an arena (round 0) the last ones, the newest first."""
    rows = Pairing.objects.filter(tournament=tournament, round=number)
    named = rows.select_related("first__player", "second__player", "match")
    order = ("-board",) if tournament.is_arena else ("board", "leg")
    return list(named.order_by(*order)[:most])


def match_ids(tournament: Tournament, some: int) -> Iterator[list[str]]:
    """Its matches by round, board and leg, so many at a time, each time by one query."""
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


def live_of(tournament: Tournament, most: int = 1000) -> list[Pairing]:
    """The games that are played now, by board."""
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None)
    return list(
        rows.select_related("first__player", "second__player").order_by("board", "leg")[:most]
    )


def games_of(entry: Entry) -> list[Pairing]:
    """All games and byes of one entry, in order: their card."""
    mine_ = Pairing.objects.filter(Q(first=entry) | Q(second=entry))
    named = mine_.select_related("first__player", "second__player", "match")
    return list(named.order_by("round", "made_at", "leg", "pk")[:1000])


def table(tournament: Tournament) -> tuple[Row, ...]:
    """The standings as they follow from the games, the first first. Withdrawn players are in it."""
    field = field_of(tournament)
    ties = tuple(each for each in tournament.tie_breaks.split(",") if each)
    return standings(
        field.entrants,
        field.games,
        tournament.kind,  # type: ignore[arg-type]  # the same words
        ties,
        rounds=rounds_over(tournament),
        third_place=tournament.third_place,
        best_of=tournament.best_of,
        gone=field.gone,
    )


def rounds_over(tournament: Tournament) -> int:
    """How many rounds have no game left: for tie-breaks, who still plays is not away."""
    rows = Pairing.objects.filter(tournament=tournament, round=tournament.round, ended_at=None)
    return tournament.round - rows.exists()


def season_of(series: Series) -> tuple[Line, ...]:
    """The season's table: the players' rows by their keys, the tournaments in their order."""
    found = results_of(series)
    numbers = [each.number for each in tournaments_of(series) if each.state == State.OVER]
    each_one = [
        {player: got[number] for player, got in found.items() if number in got}
        for number in numbers
        if number is not None
    ]
    return season(each_one, series.best or None)


# -- for every page


def next_games(player_ids: Collection[int]) -> dict[int, list[NextGame]]:
    """The tournament games that each of these players is to play now, the newest first; those who
    have none are left out. One query by an index of those who play."""
    rows = Entry.objects.filter(player__in=player_ids, playing__isnull=False)
    values = rows.order_by("-playing").values_list(
        *("player", "tournament", "tournament__name", "playing__match"),
        *("playing__round", "playing__board"),
    )
    found: dict[int, list[NextGame]] = {}
    for player_id, *game in values[: _NEXT * max(1, len(player_ids))]:
        found.setdefault(player_id, []).append(NextGame(*game))
    return found


def next_games_of(player_id: int) -> Sequence[NextGame]:
    """The same for one player."""
    return next_games([player_id]).get(player_id, [])
