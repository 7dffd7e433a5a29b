"""A process that makes entries of the log while others do, or until it is killed.

    python -m tests.games.transparency_log.log_race make | append | die | look

Each prints what it found as JSON.
"""

import json
import os
import signal
import sys
from typing import Any

import django

MATCHES = 700


def main(what: str) -> None:
    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from games.models import LogEntry, LogHead, LogNode, LogWish, Match
    from games.transparency_log import log
    from lobby.accounts.guests import new_guest

    found: dict[str, Any] = {"rounds": 0}
    if what == "make":
        call_command("migrate", verbosity=0)
        people, now = (new_guest().pk, new_guest().pk), timezone.now()
        made = [
            Match(
                game="tic-tac-toe", first_id=people[0], second_id=people[1], status="over",
                ended="resignation", first_goal=100, second_goal=0, notation=".........",
                created_at=now, acted_at=now, ended_at=now,
            )
            for _ in range(MATCHES)
        ]  # fmt: skip
        Match.objects.bulk_create(made)
        LogWish.objects.bulk_create(LogWish(match=match) for match in made)
    elif what == "append":
        while LogWish.objects.exists():
            log.append_requested()
            found["rounds"] += 1
    elif what == "die":
        log.append_requested()
        # All is written, and not committed.
        LogHead.save = lambda *args, **kwargs: os.kill(os.getpid(), signal.SIGKILL)
        log.append_requested()
    found |= {
        "indexes": list(LogEntry.objects.order_by("index").values_list("index", flat=True)),
        "matches": LogEntry.objects.values("match").distinct().count(),
        "nodes": LogNode.objects.count(),
        "size": log.get_size(),
        "wishes": LogWish.objects.count(),
        "root": log.get_tree().root().hex(),
        "before": log.get_tree(100).root().hex() if log.get_size() >= 100 else "",
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
