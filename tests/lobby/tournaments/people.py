"""Tournaments for the tests beside this: players, and how a whole one is played by commands."""

import random
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from games.journal.events import deliver
from games.journal.requests import Request
from games.journal.transaction import commit
from games.match.commands import Adjudicate, Resign
from games.match.setup import Setup
from games.models import Match
from lobby.models import Pairing, Player, Round, Tournament
from lobby.tournaments import entering, making, stepping
from tests.games.review.conftest import player

Decide = Callable[[Match], str]
"""Whether "first" or "second" wins a match, or it is a "draw"."""

SETUP = Setup("six-in-a-row", "3+2")


def people(many: int) -> list[Player]:
    return [player(f"Player {number:02}") for number in range(1, many + 1)]


def draft(kind: str = "swiss", **more: Any) -> making.Draft:
    values: dict[str, Any] = {
        "name": "Evening",
        "kind": kind,
        "setup": SETUP,
        "starts_at": timezone.now() + timedelta(hours=1),
    }
    if kind == "swiss":
        values["rounds"] = 3
    if kind == "arena":
        values["minutes"] = 10
    return making.Draft(**{**values, **more})


def event(organiser: Player, kind: str = "swiss", **more: Any) -> Tournament:
    """A tournament whose registration is open."""
    made = making.make(organiser, draft(kind, **more))
    go()
    made.refresh_from_db()
    return made


def join_all(tournament: Tournament, players: Iterable[Player]) -> None:
    for each in players:
        entering.join(each, tournament.pk, tournament.code or "")


def begin(tournament: Tournament) -> None:
    """Its time has come."""
    Tournament.objects.filter(pk=tournament.pk).update(
        starts_at=timezone.now(), due_at=timezone.now()
    )
    go()
    tournament.refresh_from_db()


def wait(tournament: Tournament, minutes: float) -> None:
    """So much time passes: all that is stored is as much older."""
    ago = timedelta(minutes=minutes)
    mine = Pairing.objects.filter(tournament=tournament)
    _shift(Tournament.objects.filter(pk=tournament.pk), ago, "starts_at", "ends_at", "due_at")
    _shift(Round.objects.filter(tournament=tournament), ago, "began_at", "ends_at")
    _shift(mine, ago, "made_at", "late_at", "ended_at")
    _shift(
        Match.objects.filter(pk__in=mine.values("match")), ago, "acted_at", "deadline", "ended_at"
    )
    go()
    tournament.refresh_from_db()


def _shift(rows: Any, ago: timedelta, *columns: str) -> None:
    for column in columns:
        rows.filter(**{f"{column}__isnull": False}).update(**{column: F(column) - ago})


def go() -> None:
    """Make all steps that are due, ask what they ask, and hand events on, until all is quiet."""
    for _ in range(200):
        while deliver():
            pass
        due = stepping.take_due()
        if not due:
            return
        for each in due:
            asked = stepping.step(each.id)
            commit([Request(match_id, None, command) for match_id, command in asked])
    raise AssertionError("it never comes to rest")


def live(tournament: Tournament) -> list[Pairing]:
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None).order_by("pk")
    return list(rows.select_related("match", "first__player", "second__player"))


def decide(match: Match, winner: str) -> None:
    """End a match so."""
    if winner == "draw":
        answers, _ = commit([Request(match.pk, None, Adjudicate((50, 50)))])
    else:
        loser = match.second_id if winner == "first" else match.first_id
        answers, _ = commit([Request(match.pk, loser, Resign())])
    assert answers[0].refused is None, answers


def by_chance(seed: int = 1) -> Decide:
    chance = random.Random(seed)
    return lambda match: chance.choice(("first", "second", "draw"))


def by_name(match: Match) -> str:
    """Who comes first by name wins."""
    names = [match.first.username, match.second.username]
    return "first" if names == sorted(names) else "second"


def play_round(tournament: Tournament, winner: Decide = by_name) -> int:
    """Play what is live to its end; how many games that were."""
    games = live(tournament)
    for pairing in games:
        assert pairing.match is not None
        decide(pairing.match, winner(pairing.match))
    go()
    tournament.refresh_from_db()
    return len(games)


def play_all(tournament: Tournament, winner: Decide = by_name) -> None:
    """Play it to its end."""
    for _ in range(100):
        if not play_round(tournament, winner):
            break
    assert tournament.state == Tournament.State.OVER, tournament.state


def met(tournament: Tournament) -> list[frozenset[str]]:
    """Who has met whom, each pair of names."""
    rows = Pairing.objects.filter(tournament=tournament, match__isnull=False)
    names = rows.values_list("first__player__username", "second__player__username")
    return [frozenset(pair) for pair in names]


def ranks(tournament: Tournament) -> list[str]:
    """The names, the best first."""
    rows = tournament.entries.filter(rank__isnull=False).order_by("rank", "seed")
    return list(rows.values_list("player__username", flat=True))
