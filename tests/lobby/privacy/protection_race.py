"""Protect a player while a match with a stranger is being opened, in either order.

The second transaction begins before the first one has committed. The command prints the outcome of
both as JSON.

    python -m tests.lobby.privacy.protection_race
"""

import json
import threading
from collections.abc import Callable
from typing import Any

import django

PATIENCE = 1.0  # seconds in which the second transaction would finish if nothing blocked it


def main() -> None:
    django.setup()
    from django.contrib.auth.models import Group as Right
    from django.core.management import call_command
    from django.db import connection, transaction

    from games.journal.opening import open_match
    from games.match.setup import Setup
    from games.messages.refusal import Refused
    from games.models import Match
    from lobby.accounts.guests import new_guest
    from lobby.accounts.merging import merge_guest
    from lobby.groups import membership
    from lobby.models import Player

    call_command("migrate", verbosity=0)

    def account(name: str) -> Any:
        return Player.objects.create(username=name)

    def overlap(first: Callable[[], Any], second: Callable[[], Any]) -> dict[str, Any]:
        """Run `second` while the transaction of `first` is open."""
        found: dict[str, Any] = {"refused": []}
        done = threading.Event()

        def run(work: Callable[[], Any]) -> None:
            try:
                work()
            except Refused as refusal:
                found["refused"].append(refusal.code)
            finally:
                connection.close()

        def run_second() -> None:
            run(second)
            done.set()

        thread = threading.Thread(target=run_second)
        with transaction.atomic():
            first()
            thread.start()
            found["waited"] = not done.wait(PATIENCE)
        thread.join()
        found["matches"] = list(Match.objects.values_list("status", flat=True))
        return found

    organiser = account("Olga")
    organiser.groups.add(Right.objects.get(name="organiser"))
    code = membership.create_group(Player.objects.get(pk=organiser.pk), "7b", True).code or ""
    told: dict[str, Any] = {}
    for how in ("joins", "logs in"):
        for order in ("match first", "protection first"):
            pupil = who = account(f"Pupil {len(told)}")
            stranger = account(f"Stranger {len(told)}")
            if how == "logs in":
                membership.join_group(pupil, code)
                who = new_guest()

            def protect(pupil: Any = pupil, who: Any = who) -> None:
                merge_guest(who.pk, pupil.pk) if who is not pupil else membership.join_group(
                    pupil, code
                )

            def play(who: Any = who, stranger: Any = stranger) -> None:
                with transaction.atomic():
                    open_match(Setup("tic-tac-toe"), who.pk, stranger.pk)

            works = (play, protect) if order == "match first" else (protect, play)
            told[f"{how}, {order}"] = overlap(*works)
            Match.objects.all().delete()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
