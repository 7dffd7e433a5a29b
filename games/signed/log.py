"""The log: an entry for each result that a match ever had, in the order in which they were noted.

An event's handler stores a wish; the referee makes entries of wishes. Who makes some locks the one
row of the head, so any number may: each entry is made once, and no index is left out. That is a
transaction of its own, which waits for the disk: once a checkpoint is given away, a power cut must
not take entries back.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from games.formats.verify import digest_of, entry, leaf_hash
from games.journal.events import Kind, handles_events
from games.models import Event, LogEntry, LogHead, LogNode, LogWish, Match
from games.signed import keys
from games.signed.statement import statement
from games.signed.tree import WIDTH, Tree, folded
from games.store.records import records

_PAGE = 500  # matches that are looked at together
_EACH = 100  # wishes that are granted in one transaction


class Proof(Struct, frozen=True):
    """Where a record is in the log, and the proof of it in the tree of the checkpoint."""

    index: int
    checkpoint: str
    proof: list[str]  # base64


class _Draft(Struct, frozen=True):
    """An entry to be made, of a match as it was at that version."""

    match_id: str
    version: int
    sha256: str


@handles_events
def note_results(events: Sequence[Event]) -> None:
    """Wish for entries of the matches that have ended, or have another result."""
    wished = [LogWish(match_id=event.match_id) for event in events if event.kind != Kind.BEGAN]
    if wished:
        LogWish.objects.bulk_create(wished)


def go_on() -> bool:
    """Make entries of some wishes; whether there may be more."""
    wishes = list(LogWish.objects.order_by("pk").values_list("pk", "match_id")[:_EACH])
    if not wishes:
        return False
    # Before the transaction, as nobody else writes to SQLite during it.
    drafts = _drafts(list(dict.fromkeys(match_id for _, match_id in wishes)))
    with transaction.atomic():
        head = _locked()
        stored = Match.objects.filter(pk__in=[draft.match_id for draft in drafts])
        now = dict(stored.values_list("pk", "version"))
        # Of a match that has changed meanwhile, another server may have noted the newer result.
        late = {each.match_id for each in drafts if now.get(each.match_id) != each.version}
        _append(head, [draft for draft in drafts if draft.match_id not in late])
        done = [pk for pk, match_id in wishes if match_id not in late]
        LogWish.objects.filter(pk__in=done).delete()
    return len(wishes) == _EACH


def wish_for_missing() -> Iterator[int]:
    """Wish for entries of matches that ended and have none, as those from before there was a log;
    in the order of their ends, some at a time. Gives how many were wished for each time."""
    after: tuple[datetime, str] | None = None
    while True:
        page = Match.objects.filter(ended_at__isnull=False).order_by("ended_at", "pk")
        if after is not None:
            page = page.filter(
                Q(ended_at__gt=after[0]) | Q(pk__gt=after[1]), ended_at__gte=after[0]
            )
        found = list(page.values_list("ended_at", "pk")[:_PAGE])
        if not found:
            return
        ids = [match_id for _, match_id in found]
        known = set(LogEntry.objects.filter(match__in=ids).values_list("match", flat=True))
        wished = [LogWish(match_id=match_id) for match_id in ids if match_id not in known]
        LogWish.objects.bulk_create(wished)
        yield len(wished)
        last_at, last_id = found[-1]
        assert last_at is not None
        after = last_at, last_id


def size() -> int:
    """How many entries there are."""
    return LogHead.objects.values_list("size", flat=True).first() or 0


def tree(of_size: int | None = None) -> Tree:
    """The tree over so many entries, by default all."""
    return Tree(tile, size() if of_size is None else of_size)


def checkpoint(of: Tree | None = None) -> str:
    """The signed size and root of the log (c2sp.org/tlog-checkpoint)."""
    found = of or tree()
    root = b64encode(found.root()).decode()
    return keys.note(f"{keys.origin()}\n{found.size}\n{root}\n")


def tile(level: int, index: int) -> list[bytes]:
    """The hashes of a tile, as many as there are so far: at most 256."""
    if level == 0:
        return [leaf_hash(each) for each in bundle(index)]
    start = index * WIDTH
    rows = LogNode.objects.filter(level=level, index__gte=start, index__lt=start + WIDTH)
    return [bytes.fromhex(each) for each in rows.order_by("index").values_list("sha256", flat=True)]


def bundle(index: int) -> list[bytes]:
    """The entries of a tile of level 0."""
    start = index * WIDTH
    rows = LogEntry.objects.filter(index__gte=start, index__lt=start + WIDTH).order_by("index")
    return [entry(match_id, digest) for match_id, digest in rows.values_list("match", "sha256")]


def newest(match_id: str) -> LogEntry | None:
    """The last entry of a match."""
    return LogEntry.objects.filter(match=match_id).order_by("-index").first()


def is_wished(match_id: str) -> bool:
    """Whether a newer entry of a match is on its way."""
    undelivered = Event.objects.filter(match=match_id, due_at__isnull=False)
    return undelivered.exists() or LogWish.objects.filter(match=match_id).exists()


def proof_of(logged: LogEntry) -> Proof:
    """The proof that the entry is in the log as it is now."""
    whole = tree()
    path = [b64encode(node).decode() for node in whole.inclusion(logged.index)]
    return Proof(logged.index, checkpoint(whole), path)


def _locked() -> LogHead:
    head, _ = LogHead.objects.get_or_create(pk=1)
    return LogHead.objects.select_for_update().get(pk=head.pk)


def _drafts(match_ids: Sequence[str]) -> list[_Draft]:
    """What is to be noted of these matches; nothing of those that are not over."""
    found = []
    for each in records(match_ids):
        told = statement(each)
        if told is not None:
            found.append(_Draft(each.state.id, each.state.version, digest_of(told)))
    return found


def _append(head: LogHead, drafts: Sequence[_Draft]) -> None:
    now = timezone.now()
    noted = LogEntry.objects.filter(match__in=[draft.match_id for draft in drafts])
    newest_of = dict(noted.order_by("index").values_list("match", "sha256"))
    made: list[LogEntry] = []
    for draft in drafts:
        if newest_of.get(draft.match_id) != draft.sha256:  # else it was noted before
            index = head.size + len(made)
            made.append(LogEntry(index=index, match_id=draft.match_id, sha256=draft.sha256, at=now))
    LogEntry.objects.bulk_create(made)
    first, head.size = head.size, head.size + len(made)
    _complete(1, first, head.size)
    head.save(update_fields=["size"])


def _complete(level: int, before: int, after: int) -> None:
    """Store the hashes of the tiles below that level that have become full, and further up."""
    first, last = before // WIDTH, after // WIDTH
    if first == last:
        return
    LogNode.objects.bulk_create(
        LogNode(level=level, index=index, sha256=folded(tile(level - 1, index)).hex())
        for index in range(first, last)
    )
    _complete(level + 1, first, last)
