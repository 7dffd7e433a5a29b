"""Log in to a class, revoke a card, and guess pictures, in transactions that overlap.

The command prints the outcomes as JSON.

    python -m tests.lobby.groups.class_login_race
"""

import json
import threading
from collections.abc import Callable
from typing import Any

import django

PATIENCE = 1.0  # seconds in which the second transaction would finish if nothing blocked it
GUESSES = 12


def main() -> None:
    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection, transaction
    from django.test import Client, override_settings
    from django.test.utils import setup_test_environment

    from games.messages.refusal import Refused
    from lobby.groups import membership
    from lobby.groups.class_login import PICTURES, check_pictures
    from lobby.groups.member_logins import revoke_logins
    from lobby.models import MemberLogin, Player
    from tests.builders.class_logins import create_class, give_logins, open_class, scan_card
    from tests.builders.players import is_logged_in

    call_command("migrate", verbosity=0)
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    setup_test_environment()
    override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}).enable()
    pupils = [Player.objects.create(username=f"Pupil {number}") for number in range(4)]
    anna, ben, carl, dora = pupils
    group = create_class(*pupils)
    assert group.organiser
    organiser = group.organiser
    logins = {each.member.player_id: each for each in give_logins(group, *pupils)}
    open_class(group)
    told: dict[str, Any] = {}

    def run(work: Callable[[], Any], found: list[Any]) -> None:
        try:
            found.append(work())
        except Refused as refusal:
            found.append(refusal.code)
        except Exception as error:  # such as a deadlock
            found.append(repr(error))
        finally:
            connection.close()

    def start(*works: Callable[[], Any]) -> tuple[list[threading.Thread], list[Any]]:
        found = list[Any]()
        threads = [threading.Thread(target=run, args=(work, found)) for work in works]
        for thread in threads:
            thread.start()
        return threads, found

    def overlap(first: Callable[[], Any], second: Callable[[], Any]) -> tuple[bool, list[Any]]:
        """Run `second` while the transaction of `first` is open. Return whether it waited."""
        with transaction.atomic():
            first()
            threads, found = start(second)
            threads[0].join(PATIENCE)
            waited = threads[0].is_alive()
        threads[0].join()
        return waited, found

    def scan(player: Player, client: Client) -> int:
        return int(scan_card(group, logins[player.pk].card, client).status_code)

    def revoke(player: Player) -> str:
        revoke_logins(group, organiser, [player.pk])
        return "revoked"

    def guess() -> str:
        wrong = next(each for each in PICTURES if each != logins[carl.pk].pictures[0])
        with transaction.atomic():
            answer = check_pictures(group.pk, carl.pk, [wrong] * 3)
        assert isinstance(answer, Refused)
        return answer.code

    client = Client()
    statuses = list[int]()
    waited, found = overlap(lambda: statuses.append(scan(anna, client)), lambda: revoke(anna))
    told["login first"] = [statuses, waited, found, is_logged_in(client)]
    client = Client()
    waited, found = overlap(lambda: revoke(ben), lambda: scan(ben, client))
    told["revocation first"] = [waited, found, is_logged_in(client)]
    threads, found = start(*[guess] * GUESSES)
    for thread in threads:
        thread.join()
    counted = MemberLogin.objects.get(member__player=carl).wrong_pictures
    told["guesses"] = [sorted(found), counted]

    # Everything about one member in parallel: each may be refused, but nothing deadlocks.
    threads, found = start(
        *[lambda: scan(dora, Client())] * 3,
        lambda: revoke(dora),
        lambda: len(give_logins(group, dora)),
        lambda: open_class(group) and "opened",
        lambda: membership.remove_member(group.pk, dora.pk) and "removed",
        *[lambda: scan(dora, Client())] * 3,
    )
    for thread in threads:
        thread.join()
    told["parallel"] = sorted(map(str, found))
    told["errors"] = [each for each in found if "Error" in str(each) or each == 500]
    print(json.dumps(told))


if __name__ == "__main__":
    main()
