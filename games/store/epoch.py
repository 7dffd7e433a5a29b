"""Which history the database holds.

An older copy of the database may come back under pages, and under servers, that have seen more than
it knows. So each state says to which epoch it belongs, and within one epoch a higher version is the
newer one. Another epoch begins whenever an older copy may have come back: after an outage, when
nobody was there to see it; when a copy is restored; and when a server finds that the database knows
less than it told the server before. It is a name and no number: a copy brings its own back.
"""

from games.models import Pulse
from games.runtime.ids import new_id


def current_epoch() -> str:
    """The epoch that the database is in; "" before the first beat."""
    return Pulse.objects.filter(pk=1).values_list("epoch", flat=True).first() or ""


def new_epoch() -> None:
    """Begin another epoch: every server reads its matches anew, and every page takes what comes.

    To be called once an older copy of the database is in its place.
    """
    Pulse.objects.filter(pk=1).update(epoch=new_id())


def end_epoch(known: str) -> None:
    """The same, unless it has been done since `known`: of several servers that notice, one does."""
    Pulse.objects.filter(pk=1, epoch=known).update(epoch=new_id())
