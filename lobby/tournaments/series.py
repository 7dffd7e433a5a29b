"""Series: recurring tournaments, and the table of a season."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.messages.refusal import Refused
from lobby.groups.codes import create_code
from lobby.models import Entry, Player, Series, Tournament
from lobby.tournaments.locking import (
    can_manage_series,
    locked_for_update,
    log_action,
    must_be_manager,
)
from lobby.tournaments.names import clean_title

State = Tournament.State
MOST = 100  # the maximum number of tournaments in a series
LONGEST_PAUSE = 366  # the maximum number of days between two tournaments

_COPIED = (
    *("name", "about", "kind", "game", "clock", "options", "rated", "is_double"),
    *("minutes", "best_of", "third_place", "tie_breaks", "registration", "group_id", "guests"),
    *("lowest", "highest", "most", "check_in_minutes", "pace", "round_minutes", "late_minutes"),
    *("bots", "organiser_id", "series_id"),
)
"""The columns that are copied from one tournament to the next."""


def create_series(
    by: Player, tournament_id: str, name: str, every_days: int = 7, best: int = 0, length: int = 0
) -> Series:
    """Create a series that begins with this tournament.

    Unless `every_days` is 0, the next tournament is created when one is over or cancelled. It
    starts `every_days` days after the previous one, or after more such periods if that time has
    passed. There are at most `length` tournaments (0: `MOST`). The table of the season counts each
    player's `best` results (0: all). Raise `Refused` if the name is invalid or a number is out of
    range, or if the tournament is cancelled, already in a series, or not managed by the user.
    """
    _must_be_sound(every_days, best, length)
    with locked_for_update(tournament_id) as tournament:
        must_be_manager(by, tournament)
        if tournament.series_id is not None or tournament.state == State.CALLED_OFF:
            raise Refused("not-in-this-state")
        series = Series.objects.create(
            name=clean_title(name),
            organiser=tournament.organiser,
            group_id=tournament.group_id,
            every_days=every_days,
            best=best,
            length=length,
            rounds=tournament.rounds,
            next_at=tournament.starts_at + timedelta(days=every_days) if every_days else None,
            made_at=timezone.now(),
        )
        tournament.series, tournament.number = series, 1
        log_action(tournament, by, "event.series", name=series.name)
        if tournament.state == State.OVER:
            create_next_tournament(tournament, timezone.now())
    return series


def update_series(
    by: Player, series_id: str, name: str, every_days: int, best: int, length: int
) -> Series:
    """Change a series. If `every_days` is 0, no more tournaments are created.

    Raise `Refused` if the name is invalid or a number is out of range, if the series does not
    exist, or if the user may not manage it.
    """
    _must_be_sound(every_days, best, length)
    with transaction.atomic():
        series = Series.objects.select_for_update().filter(pk=series_id).first()
        if series is None:
            raise Refused("no-tournament")
        if not can_manage_series(by, series):
            raise Refused("not-allowed")
        last = Tournament.objects.filter(series=series).order_by("-number").first()
        series.name, series.every_days = clean_title(name), every_days
        series.best, series.length = best, length
        starts = last.starts_at if last is not None else timezone.now()
        series.next_at = starts + timedelta(days=every_days) if every_days else None
        series.save()
    return series


def create_next_tournament(tournament: Tournament, now: datetime) -> Tournament | None:
    """Create the next tournament of the series, in the caller's transaction.

    Return None if the tournament is not in a series, if the series has ended, or if the next
    tournament exists.
    """
    if tournament.series_id is None or tournament.number is None:
        return None
    series = Series.objects.select_for_update().get(pk=tournament.series_id)
    number = tournament.number + 1
    if not series.every_days or series.next_at is None or number > (series.length or MOST):
        return None
    if Tournament.objects.filter(series=series, number=number).exists():
        return None
    every = timedelta(days=series.every_days)
    while series.next_at <= now:
        series.next_at += every
    values = {name: getattr(tournament, name) for name in _COPIED}
    made = Tournament.objects.create(
        **values,
        number=number,
        rounds=series.rounds,
        state=State.REGISTRATION,
        starts_at=series.next_at,
        code=create_code() if tournament.code else None,
        made_at=now,
        due_at=now,
    )
    series.next_at += every
    series.save(update_fields=["next_at"])
    log_action(made, None, "event.made-again", number=number)
    return made


def list_series_tournaments(series: Series) -> list[Tournament]:
    """Return the tournaments of a series in order, at most `MOST`."""
    return list(Tournament.objects.filter(series=series).order_by("number")[:MOST])


def get_series_results(series: Series) -> dict[int, dict[int, int]]:
    """Return a dictionary that maps the ids of players to their points in finished tournaments.

    The points of each player are in a dictionary, by the tournament's number in the series.
    """
    rows = Entry.objects.filter(
        tournament__series=series, tournament__state=State.OVER, rank__isnull=False
    )
    found: dict[int, dict[int, int]] = {}
    for player_id, number, points in rows.values_list("player", "tournament__number", "points"):
        if number is not None:
            found.setdefault(player_id, {})[number] = points
    return found


def _must_be_sound(every_days: int, best: int, length: int) -> None:
    for number, most in ((every_days, LONGEST_PAUSE), (best, MOST), (length, MOST)):
        if not 0 <= number <= most:
            raise Refused("number-between", least=0, most=most)
