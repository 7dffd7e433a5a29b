"""Undo an erasure while its data is being deleted, in either order, and finish one twice.

The second transaction begins before the first one has committed. The command prints the outcome of
both as JSON.

    python -m tests.lobby.accounts.erasure_race
"""

import json
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import django

PATIENCE = 1.0  # seconds in which the second transaction would finish if nothing blocked it


def main() -> None:
    django.setup()
    from django.core.management import call_command
    from django.db import connection, transaction
    from django.utils import timezone

    from games.messages.refusal import Refused
    from lobby.accounts import erasure
    from lobby.models import Erasure, Player

    call_command("migrate", verbosity=0)
    late = timezone.now() + timedelta(days=8)

    def restore(player_id: int) -> None:
        erasure.restore_players([player_id])

    def finish(player_id: int) -> bool:
        """Delete the data as a server does whose clock is a week ahead."""
        with patch.object(erasure.timezone, "now", return_value=late):
            return erasure.finish_erasure(player_id)

    def overlap(first: Callable[[int], Any], second: Callable[[int], Any]) -> dict[str, Any]:
        """Run `second` while the transaction of `first` is open."""
        player = Player.objects.create(username=f"Anna {len(told)}", name_key=f"anna{len(told)}")
        erasure.erase_player(player.pk, Erasure.Kind.ERASE, None, "")
        found: dict[str, Any] = {"refused": []}
        done = threading.Event()

        def run_second() -> None:
            try:
                second(player.pk)
            except Refused as refusal:
                found["refused"].append(refusal.code)
            finally:
                connection.close()
                done.set()

        thread = threading.Thread(target=run_second)
        with transaction.atomic():
            first(player.pk)
            thread.start()
            found["waited"] = not done.wait(PATIENCE)
        thread.join()
        player.refresh_from_db()
        found["name"] = player.name.split(" ")[0]
        found["has_left_over"] = Erasure.objects.filter(player=player, done_at=None).exists()
        return found

    told: dict[str, Any] = {}
    told["undone first"] = overlap(restore, finish)
    told["deleted first"] = overlap(finish, restore)
    told["deleted twice"] = overlap(finish, finish)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
