"""Create a tournament of logged-in players in the database of a site.

    python -m tests.bench.tournaments.arrange make arena 500 '{"minutes": 10}'
    python -m tests.bench.tournaments.arrange look <tournament>
    python -m tests.bench.tournaments.arrange end <tournament>
    python -m tests.bench.tournaments.arrange next <tournament>

It prints JSON: the tournament and its players' cookies, its outcome, or the seconds until its next
round. `make pairs 250` creates 250 matches without a tournament.
"""

import json
import sys
import time
from datetime import timedelta
from typing import Any

from tests.bench.load.seed import logged_in

SOON = 2.0  # seconds until it starts


def players(many: int) -> list[tuple[Any, str]]:
    """Create players, each with a session cookie."""
    from games.runtime.ids import new_id
    from lobby.models import Player

    found = []
    for _ in range(many):
        player = Player(username=f"Crowd {new_id()}")
        player.set_unusable_password()
        player.save()
        found.append((player, logged_in(player)))
    return found


def make(kind: str, many: int, **more: Any) -> dict[str, Any]:
    """Create a tournament that starts in a moment, with all players in it."""
    from django.db import transaction
    from django.utils import timezone

    from games.journal.opening import open_match
    from games.match.setup import Setup
    from lobby.models import Entry, Tournament
    from lobby.tournaments import draft as making

    setup = Setup("six-in-a-row", more.pop("clock", "3+2"), rated=more.pop("rated", True))
    with transaction.atomic():
        if kind == "pairs":
            rows = [players(2) for _ in range(many)]
            matches = [open_match(setup, one.pk, two.pk).pk for (one, _), (two, _) in rows]
            cookies = [cookie for row in rows for _, cookie in row]
            return {"matches": matches, "cookies": cookies}
        crowd = players(many)
        draft = making.Draft(
            name="Crowd",
            kind=kind,
            setup=setup,
            starts_at=timezone.now() + timedelta(seconds=SOON + many / 50),
            **more,
        )
        # The organiser does not play, because organisers cannot end an arena during their own game.
        organiser = players(1)[0][0]
        tournament = making.create_tournament(organiser, draft)
        Tournament.objects.filter(pk=tournament.pk).update(state="registration")
        now = timezone.now()
        Entry.objects.bulk_create(
            Entry(tournament=tournament, player=player, entered_at=now) for player, _ in crowd
        )
    return {"tournament": tournament.pk, "cookies": [cookie for _, cookie in crowd]}


def look(tournament_id: str) -> dict[str, Any]:
    """Return the outcome; `free` are the seconds from the end of each player's game to the next."""
    from lobby.models import Pairing, Tournament
    from lobby.tournaments.verification import verify_tournaments

    tournament = Tournament.objects.get(pk=tournament_id)
    rows = Pairing.objects.filter(tournament=tournament).order_by("made_at")
    last: dict[int, Any] = {}
    free = []
    kinds: dict[str, int] = {}
    for kind, first, second, made_at, ended_at in rows.values_list(
        "kind", "first", "second", "made_at", "ended_at"
    ):
        kinds[kind] = kinds.get(kind, 0) + 1
        for entry in (first, second):
            if entry in last and last[entry] is not None:
                free.append((made_at - last[entry]).total_seconds())
            if entry is not None:
                last[entry] = ended_at
    return {
        "state": tournament.state,
        "round": tournament.round,
        "rounds": tournament.rounds,
        "kinds": kinds,
        "ranked": tournament.entries.filter(rank__isnull=False).count(),
        "faults": verify_tournaments(tournament_id).faults,
        "free": sorted(free),
    }


def end(tournament_id: str) -> dict[str, Any]:
    """End it early as its organiser."""
    from lobby.models import Tournament
    from lobby.tournaments import organiser_actions

    tournament = Tournament.objects.get(pk=tournament_id)
    assert tournament.organiser is not None
    organiser_actions.end_tournament_early(tournament.organiser, tournament_id)
    return {}


def next_round(tournament_id: str) -> dict[str, Any]:
    """End the live games, wait for the next round, and return the seconds that it took."""
    from games.journal.requests import Request
    from games.journal.transaction import commit_requests
    from games.match.commands import Resign
    from lobby.models import Pairing, Tournament

    mine = Tournament.objects.filter(pk=tournament_id)
    before = mine.get().round
    live = Pairing.objects.filter(tournament=tournament_id, ended_at=None)
    games = list(live.values_list("match", "match__first"))
    for at in range(0, len(games), 10):
        commit_requests(
            [Request(str(match), loser, Resign()) for match, loser in games[at : at + 10]]
        )
        time.sleep(0.2)
    while live.exists():
        time.sleep(0.02)
    began = time.monotonic()
    while mine.get().round == before:
        time.sleep(0.02)
    seconds = time.monotonic() - began
    return {"round": before + 1, "pairs": live.count(), "seconds": round(seconds, 2)}


if __name__ == "__main__":
    import django

    django.setup()
    does, *words = sys.argv[1:]
    if does == "make":
        more = json.loads(words[2]) if len(words) > 2 else {}
        print(json.dumps(make(words[0], int(words[1]), **more)))
    else:
        print(json.dumps({"look": look, "end": end, "next": next_round}[does](words[0])))
