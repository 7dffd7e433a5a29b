"""What changes about one player goes one after the other: reports, taking, closing, decisions."""

from typing import Any

from django.contrib.auth import get_user_model

from games.messages.refusal import Refused


def lock_player(player_id: int) -> Any:
    """The player, locked until the transaction ends."""
    return lock_players(player_id)[player_id]


def lock_players(*player_ids: int) -> dict[int, Any]:
    """These players, locked in the order of their ids, so that two who lock the same never wait
    for each other. Raises `Refused` if one is missing.

    Only what changes a player waits for it (`no_key`): matches and moves that name them do not.
    """
    everyone = get_user_model()._default_manager.select_for_update(no_key=True)
    found = {player.pk: player for player in everyone.filter(pk__in=player_ids).order_by("pk")}
    if found.keys() != set(player_ids):
        raise Refused("no-such")
    return found
