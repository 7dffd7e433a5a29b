"""The number of players online. A player counts once, regardless of pages and servers."""

from collections.abc import Collection, Iterable
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from msgspec import Struct

from games.runtime.pubsub import get_server_id
from lobby.models import Server

# The ids of a server's players are stored up to this number. Beyond it, only the number is stored.
_MOST = 1000


class Elsewhere(Struct, frozen=True):
    """The players on other servers: their ids, and how many more there are without a stored id."""

    players: frozenset[int] = frozenset()
    more: int = 0

    def count_with(self, here: Collection[int]) -> int:
        """Return the number of players online, including those of this process."""
        return len(self.players.union(here)) + self.more


def store_online(here: Collection[int]) -> None:
    """Store which players are online in this process."""
    ids = "" if len(here) > _MOST else ",".join(map(str, sorted(here)))
    now = {"online": len(here), "players": ids, "seen_at": timezone.now()}
    Server.objects.update_or_create(id=get_server_id(), defaults=now)


def read_elsewhere() -> Elsewhere:
    """Return the players who are online in other processes."""
    return _sum_up(_get_rows(get_server_id()))


def find_online(player_ids: Collection[int]) -> set[int]:
    """Return the ids of the players, among these, who are online according to the database alone.

    Players of a server with more than a thousand players are unknown, so they are left out.
    """
    return set(player_ids) & _sum_up(_get_rows()).players


def count_online() -> int:
    """Return the number of players online, according to the database alone."""
    return _sum_up(_get_rows()).count_with(())


def _get_rows(but: str = "") -> Iterable[tuple[int, str]]:
    alive = timezone.now() - timedelta(seconds=settings.PRESENCE_TIMEOUT_SECONDS)
    rows = Server.objects.filter(seen_at__gte=alive).exclude(id=but)
    return list(rows.values_list("online", "players"))


def _sum_up(rows: Iterable[tuple[int, str]]) -> Elsewhere:
    players = {int(pk) for _, ids in rows if ids for pk in ids.split(",")}
    return Elsewhere(frozenset(players), sum(online for online, ids in rows if not ids))
