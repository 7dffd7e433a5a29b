"""Row locks that serialize reports, assignments, closing and decisions about one player."""

from typing import Any

from django.contrib.auth import get_user_model

from games.messages.refusal import Refused


def lock_player(player_id: int) -> Any:
    """Return the player, locked until the transaction ends. Raise `Refused` if there is none."""
    return lock_players(player_id)[player_id]


def lock_players(*player_ids: int) -> dict[int, Any]:
    """Lock these players, in the order of their ids to prevent deadlocks.

    Return a dictionary that maps their ids to them. Raise `Refused` if a player is missing. The
    lock (`no_key`) blocks only changes to the players; inserting matches and moves that refer to
    them does not wait.
    """
    everyone = get_user_model()._default_manager.select_for_update(no_key=True)
    found = {player.pk: player for player in everyone.filter(pk__in=player_ids).order_by("pk")}
    if found.keys() != set(player_ids):
        raise Refused("no-such")
    return found
