"""A process that writes a match while another connection does so, or until it is killed.

    python -m tests.games.journal.journal_race make | race known | race locked | die uncommitted |
        die committed | play

Each prints what it found as JSON. The match is the newest one.
"""

import json
import os
import signal
import sys
import threading
from typing import Any

import django

ACTIONS = ("mark 1 1", "mark 2 2")


def main(what: str, how: str = "") -> None:
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from games.journal import events, transaction
    from games.journal.requests import Answer, Request
    from games.match.commands import Play
    from games.models import Match, Move
    from games.store.records import find_unsound_matches, read_states
    from tests.builders.matches import create_guest_match

    if what == "make":
        call_command("migrate", verbosity=0)
        create_guest_match()
    match = Match.objects.order_by("-created_at")[0]
    known = read_states([match.pk])[match.pk] if how == "known" else None
    found: dict[str, Any] = {}

    def play(action: str, known: Any = None) -> Answer:
        request = Request(match.pk, match.first_id, Play(0, action), known=known)
        ((answer,), _) = transaction.commit_requests([request])
        return answer

    def other() -> None:
        found["other"] = play(ACTIONS[1]).refused
        connection.close()

    thread, real = threading.Thread(target=other), transaction._write
    tries: list[int] = []

    def between(*args: Any) -> None:
        """Stands for `_write`: has the other connection write before it."""
        if threading.current_thread() is threading.main_thread():
            tries.append(len(args[1]))
            if len(tries) == 1:
                thread.start()
                # Trusted states are not locked on PostgreSQL, so there the other one is first. Else
                # it waits for our transaction.
                thread.join(None if how == "known" and connection.vendor == "postgresql" else 0.5)
        real(*args)

    if what == "race":
        transaction._write = between
        found["own"] = play(ACTIONS[0], known).refused
        thread.join()
        found["tries"] = tries
    elif what == "die" and how == "uncommitted":
        # All is written but not committed.
        events.store_events = lambda *args: os.kill(os.getpid(), signal.SIGKILL)
        play(ACTIONS[0])
    elif what == "die":
        play(ACTIONS[0])
        os.kill(os.getpid(), signal.SIGKILL)
    elif what == "play":
        found["own"] = play(ACTIONS[0]).refused
    stored = read_states([match.pk])[match.pk]
    found |= {
        "ply": stored.ply,
        "version": stored.version,
        "last": stored.last,
        "moves": list(Move.objects.filter(match=match).values_list("action", flat=True)),
        "sound": find_unsound_matches([match.pk]) == {},
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
