"""Checks the whole log: that it fits together, and that each match is as its newest entry says."""

from collections.abc import Iterator

from django.db.models import OuterRef, Subquery

from games.formats.verify import digest_of
from games.models import LogEntry, LogNode
from games.signed import log
from games.signed.statement import statement
from games.signed.tree import WIDTH, folded
from games.store.records import records


def faults() -> Iterator[str]:
    """What is wrong, in words; nothing for a sound log. A tile of it is in memory at a time."""
    size = log.size()
    for start in range(0, size, WIDTH):
        rows = LogEntry.objects.filter(index__gte=start, index__lt=min(size, start + WIDTH))
        if rows.count() != min(size, start + WIDTH) - start:
            yield f"Entries from {start} on are missing."
        yield from _of_matches(start)
    if LogEntry.objects.filter(index__gte=size).exists():
        yield f"There are entries beyond the end, {size}."
    yield from _of_nodes(size)


def _of_matches(start: int) -> Iterator[str]:
    """Of the matches whose newest entry is among these."""
    newest = LogEntry.objects.filter(match=OuterRef("match")).order_by("-index").values("index")
    rows = LogEntry.objects.filter(index__gte=start, index__lt=start + WIDTH)
    told = {
        match_id: digest
        for index, match_id, digest, last in rows.annotate(last=Subquery(newest[:1])).values_list(
            "index", "match", "sha256", "last"
        )
        if index == last
    }
    for found in records(list(told)):
        now = statement(found)
        match_id = found.state.id
        if (now is None or digest_of(now) != told[match_id]) and not log.is_wished(match_id):
            if now is None and found.state.is_live:
                continue  # the staff let it go on
            yield f"Match {match_id} is not as it was logged."


def _of_nodes(size: int) -> Iterator[str]:
    level, below = 1, size
    while below >= WIDTH:
        for index in range(below // WIDTH):
            kept = LogNode.objects.filter(level=level, index=index).first()
            hashes = log.tile(level - 1, index)
            if kept is None or len(hashes) < WIDTH or folded(hashes).hex() != kept.sha256:
                yield f"The hash {level}/{index} is not that of what is below it."
        level, below = level + 1, below // WIDTH
