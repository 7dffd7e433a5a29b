"""Tournaments in the database, functions that play them without a server, and their pages."""

import random
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.test import Client
from django.utils import timezone

from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Adjudicate, Resign
from games.match.setup import Setup
from games.models import Match
from lobby.models import Pairing, Player, Round, Tournament
from lobby.tournaments import draft, lifecycle, presence, registration
from tests.builders.matches import commit_command, deliver_events
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_players

Decide = Callable[[Match], str]
"""Return the result of a match: "first" or "second" wins, or a "draw"."""

SETUP = Setup("six-in-a-row", "3+2")


def create_draft(kind: str = "swiss", **more: Any) -> draft.Draft:
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
    return draft.Draft(**{**values, **more})


def create_tournament(organiser: Player, kind: str = "swiss", **more: Any) -> Tournament:
    """Create a tournament that is open for registration."""
    made = draft.create_tournament(organiser, create_draft(kind, **more))
    run_due_steps()
    made.refresh_from_db()
    return made


def join_players(tournament: Tournament, players: Iterable[Player]) -> None:
    for each in players:
        registration.join_tournament(each, tournament.pk, tournament.code or "")


def start_tournament(tournament: Tournament) -> None:
    """Move the start of the tournament to the present."""
    Tournament.objects.filter(pk=tournament.pk).update(
        starts_at=timezone.now(), due_at=timezone.now()
    )
    run_due_steps()
    tournament.refresh_from_db()


def pass_time(tournament: Tournament, minutes: float) -> None:
    """Let time pass by moving all stored times of the tournament back."""
    ago = timedelta(minutes=minutes)
    mine = Pairing.objects.filter(tournament=tournament)
    _shift(Tournament.objects.filter(pk=tournament.pk), ago, "starts_at", "ends_at", "due_at")
    _shift(Round.objects.filter(tournament=tournament), ago, "began_at", "ends_at")
    _shift(mine, ago, "made_at", "late_at", "ended_at")
    _shift(
        Match.objects.filter(pk__in=mine.values("match")), ago, "acted_at", "deadline", "ended_at"
    )
    run_due_steps()
    tournament.refresh_from_db()


def _shift(rows: Any, ago: timedelta, *columns: str) -> None:
    for column in columns:
        rows.filter(**{f"{column}__isnull": False}).update(**{column: F(column) - ago})


def run_due_steps() -> None:
    """Run due steps and deliver events until no step is due."""
    for _ in range(200):
        deliver_events()
        due = lifecycle.lease_due_tournaments()
        if not due:
            return
        for each in due:
            asked = lifecycle.run_step(each.id)
            commit_requests([Request(match_id, None, command) for match_id, command in asked])
    raise AssertionError("the steps never end")


def list_live_pairings(tournament: Tournament) -> list[Pairing]:
    rows = Pairing.objects.filter(tournament=tournament, ended_at=None).order_by("pk")
    return list(rows.select_related("match", "first__player", "second__player"))


def end_match(match: Match, winner: str) -> None:
    """End a match with that result."""
    if winner == "draw":
        commit_command(match, None, Adjudicate((50, 50)))
    else:
        loser = match.second_id if winner == "first" else match.first_id
        commit_command(match, loser, Resign())


def decide_at_random(seed: int = 1) -> Decide:
    chance = random.Random(seed)
    return lambda match: chance.choice(("first", "second", "draw"))


def decide_by_name(match: Match) -> str:
    """Let the player win whose name comes first alphabetically."""
    names = [match.first.username, match.second.username]
    return "first" if names == sorted(names) else "second"


def play_round(tournament: Tournament, winner: Decide = decide_by_name) -> int:
    """End all live matches. Return how many there were."""
    games = list_live_pairings(tournament)
    for pairing in games:
        assert pairing.match is not None
        end_match(pairing.match, winner(pairing.match))
    run_due_steps()
    tournament.refresh_from_db()
    return len(games)


def play_tournament(tournament: Tournament, winner: Decide = decide_by_name) -> None:
    """Play rounds until the tournament is over."""
    for _ in range(100):
        if not play_round(tournament, winner):
            break
    assert tournament.state == Tournament.State.OVER, tournament.state


def start_with_players(kind: str, many: int, **more: Any) -> tuple[Tournament, list[Player]]:
    """Create a tournament with that many players, and let it start."""
    players = create_players(many)
    tournament = create_tournament(players[0], kind, **more)
    join_players(tournament, players)
    start_tournament(tournament)
    return tournament, players


def start_arena(many: int, here: bool = True, **more: Any) -> tuple[Tournament, list[Player]]:
    players = create_players(many)
    tournament = create_tournament(players[0], "arena", **more)
    join_players(tournament, players)
    if here:
        presence.record_present(tournament.pk, [each.pk for each in players])
    Tournament.objects.update(starts_at=timezone.now(), due_at=timezone.now())
    lifecycle.run_step(tournament.pk)
    pair_wave(tournament)
    return tournament, players


def pair_wave(tournament: Tournament) -> None:
    """Deliver the results of finished matches, and pair the free players."""
    Tournament.objects.filter(pk=tournament.pk).update(due_at=timezone.now())
    run_due_steps()
    tournament.refresh_from_db()


def end_live_matches(tournament: Tournament) -> None:
    for pairing in list_live_pairings(tournament):
        assert pairing.match is not None
        end_match(pairing.match, decide_by_name(pairing.match))


def list_pairs(tournament: Tournament) -> list[frozenset[str]]:
    """List the pairs by name."""
    rows = Pairing.objects.filter(tournament=tournament, match__isnull=False)
    names = rows.values_list("first__player__username", "second__player__username")
    return [frozenset(pair) for pair in names]


def list_ranking(tournament: Tournament) -> list[str]:
    """List the names of the ranked players, best first."""
    rows = tournament.entries.filter(rank__isnull=False).order_by("rank", "seed")
    return list(rows.values_list("player__username", flat=True))


def post_action(client: Client, tournament: Tournament, act: str, **form: Any) -> Any:
    return client.post(f"/tournaments/{tournament.pk}/do/{act}/", form, follow=True)


def get_page(who: Player | None, tournament: Tournament, query: str = "") -> str:
    answer = client_for(who).get(f"/tournaments/{tournament.pk}/{query}")
    assert answer.status_code == 200, answer.status_code
    return get_text(answer)


def create_form(**more: Any) -> dict[str, Any]:
    """Return the form of a new tournament with its default values."""
    return {
        "name": "Club evening",
        "kind": "swiss",
        "game": "six-in-a-row",
        "clock": "5+3",
        "when": "30",
        "rounds": "5",
        "minutes": "45",
        "best_of": "1",
        "registration": "open",
        "check_in_minutes": "0",
        "late_minutes": "5",
        "round_minutes": "0",
        "pace": "ready",
        "starts_at_offset": "0",
        "opens_at": "",
        "opens_at_offset": "0",
        **more,
    }
