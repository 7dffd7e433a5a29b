"""A process that hands events to a handler. The handler counts how often it gets each of them.

    python -m tests.games.journal.event_handler [die | wait MATCH]

`die`: it is killed after the handler has written, before the event is marked. `wait`: it hands on
nothing, and waits until another process has handed on the events of a match.
"""

import json
import os
import signal
import sys
from collections.abc import Sequence

import django

from tests.builders.sites import until


def main(how: str = "", match_id: str = "") -> None:
    django.setup()
    from django.db import connection
    from django.utils import timezone

    from games.journal import events
    from games.models import Event

    if how == "wait":
        mine = Event.objects.filter(match=match_id)
        until(lambda: mine.exists() and not mine.exclude(due_at=None).exists(), "handed on")
        return
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS handled (event bigint)")

    def handler(some: Sequence[Event]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO handled VALUES (%s)", [(event.pk,) for event in some])
        if how == "die":
            os.kill(os.getpid(), signal.SIGKILL)

    events.handlers.append(handler)
    Event.objects.filter(due_at__isnull=False).update(due_at=timezone.now())  # leases run out
    while events.deliver_events():
        pass
    found = []
    for event in Event.objects.order_by("pk"):
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM handled WHERE event = %s", [event.pk])
            handled = cursor.fetchone()[0]
        found.append({"match": event.match_id, "kind": event.kind, "handled": handled})
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
