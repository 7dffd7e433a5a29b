"""A process that plays, voids and rates matches while others do the same.

    python -m tests.lobby.ratings.rating_race make | play SEED | die | check
    python -m tests.lobby.ratings.rating_race rate | replay | refund

`die` is killed once the ratings are written, before the events are marked. `check` handles all
remaining events and prints the result of a replay. The others write to the ledger once.
"""

import json
import os
import random
import signal
import sys
from collections.abc import Sequence

import django


def main(what: str, seed: int = 0) -> None:
    django.setup()
    from django.core.management import call_command
    from django.db import transaction
    from django.utils import timezone

    from games.journal import events
    from games.journal.requests import Request
    from games.journal.transaction import commit_requests
    from games.match.commands import Void
    from games.models import Decision, Event, Match
    from lobby.models import Player, RatedGame
    from lobby.ratings import ledger, recount
    from lobby.ratings.rating import rate_matches
    from lobby.ratings.refunds import refund_opponents
    from lobby.ratings.verification import verify_ratings
    from tests.builders.matches import create_rated_win, deliver_events
    from tests.builders.ratings import get_stored_ratings, list_rated_results, replay_ratings

    if what == "make":
        call_command("migrate", verbosity=0)
        for i in range(6):
            Player.objects.create_user(username=f"player {i}", password="a-password")
    people = list(Player.objects.order_by("pk"))
    chance = random.Random(seed)

    def list_over() -> list[str]:
        over = Match.objects.filter(rated=True, status="over").order_by("created_at")
        return list(over.values_list("pk", flat=True))

    def void(pk: str) -> None:
        commit_requests([Request(pk, None, Void())])

    def expire_leases() -> None:
        """Make all events due, also those that another process is handling."""
        waiting = Event.objects.filter(due_at__isnull=False)
        with transaction.atomic():  # without waiting for locks, so that no two updates deadlock
            free = waiting.select_for_update(skip_locked=True).values_list("pk", flat=True)
            Event.objects.filter(pk__in=list(free)).update(due_at=timezone.now())

    if what == "play":
        for _ in range(20):
            create_rated_win(*chance.sample(people, 2))
            if chance.random() < 0.3:
                expire_leases()
            if chance.random() < 0.7:
                events.deliver_events()
            if chance.random() < 0.3:
                void(chance.choice(list_over()))
            if chance.random() < 0.3:
                recount.replay_page()
        while not (
            rated := [pk for pk in list_over() if RatedGame.objects.filter(key=pk).exists()]
        ):
            expire_leases()
            events.deliver_events()
        void(rated[0])  # at least this game was rated before it was voided
    elif what == "die":

        def kill(some: Sequence[Event]) -> None:
            if any(event.kind == "ended" for event in some):
                os.kill(os.getpid(), signal.SIGKILL)

        events.handlers.append(kill)
        for _ in range(10):  # others may deliver it first
            create_rated_win(*people[:2])
            deliver_events()
    elif what == "rate":
        rate_matches([create_rated_win(*people[:2]).pk])
    elif what == "replay":
        ledger.schedule_replay("tic-tac-toe", (timezone.now(), 0))
        recount.replay_page()
    elif what == "refund":
        with transaction.atomic():
            refund_opponents(Decision(player=people[0], at=timezone.now()))
    elif what == "check":
        expire_leases()
        deliver_events()
        recount.replay_all()
        found = {
            "faults": verify_ratings().faults,
            "same": get_stored_ratings() == replay_ratings(list_rated_results()),
            "matches": Match.objects.filter(rated=True).count(),
            "rated": RatedGame.objects.filter(revision=0).count(),
            "voided": RatedGame.objects.filter(kind="reversed").count(),
            "again": RatedGame.objects.filter(kind="recomputed").count(),
        }
        print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
