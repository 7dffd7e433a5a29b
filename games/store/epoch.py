"""The epoch: a name for the continuous history that the database contains.

An older copy of the database may be restored when pages and servers have already seen later moves.
Each state therefore names its epoch, and versions are compared only within one epoch. A new epoch
begins whenever an older copy may have been restored: after an outage, because no server was running
to notice it; when a backup is restored; and when a server finds an older version in the database
than it read before. An epoch is a random name and not a number, because a copy would also restore
an earlier number.
"""

from games.models import Pulse
from games.runtime.ids import new_id
from games.runtime.prepared_query import PreparedQuery


def get_epoch() -> str:
    """Return the database's epoch, or "" before the first heartbeat."""
    return next((epoch for (epoch,) in _epoch([1])), "")


def begin_epoch() -> None:
    """Begin a new epoch: every server reads its matches again, and pages accept older versions.

    Call this after an older copy of the database was restored.
    """
    Pulse.objects.filter(pk=1).update(epoch=new_id())


def end_epoch(known: str) -> None:
    """Begin a new epoch if `known` is still the current one, so that only one server does so."""
    Pulse.objects.filter(pk=1, epoch=known).update(epoch=new_id())


_epoch = PreparedQuery(lambda rows: Pulse.objects.filter(pk__in=rows).values_list("epoch"))
