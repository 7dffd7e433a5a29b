"""Checks of the whole log: its consistency, its matches, and saved checkpoints.

Somebody with the database and the key can write a consistent log. Only saved checkpoints can show
that the log was rewritten or truncated.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum

from django.db.models import OuterRef, Subquery

from games.formats import verify
from games.formats.verify import Unsound, digest_of
from games.models import (
    FormerLogEntry,
    FormerLogNode,
    LogEntry,
    LogHead,
    LogNode,
    SigningKey,
)
from games.store.records import MatchRecord, list_records
from games.transparency_log import former_log, keys, log
from games.transparency_log.merkle_tree import WIDTH, fold_hashes
from games.transparency_log.statement import build_former_statement, build_statement


class Code(IntEnum):
    """The exit codes of `verify_log`."""

    UNSOUND = 1  # the log is inconsistent, or does not agree with a match
    UNREADABLE = 3  # the checkpoint file cannot be read
    OTHER_LOG = 4  # the checkpoint has another origin
    NOT_SIGNED = 5  # the checkpoint is malformed, or not signed with a key of the site
    TRUNCATED = 6  # the log is shorter than the checkpoint
    REWRITTEN = 7  # the log does not continue the checkpoint
    NOT_SAVED = 8  # the file for the newest checkpoint cannot be written


class CheckpointFault(Exception):  # noqa: N818  # an expected outcome, not an error
    """A saved checkpoint is not one of this site's, or the log does not continue it."""

    def __init__(self, code: Code, words: str) -> None:
        super().__init__(words)
        self.code = code


def must_continue(note: str) -> str:
    """Return a sentence that says that the log or the former log continues a saved checkpoint.

    Raise `CheckpointFault` if it does not, or if the checkpoint is not one of the site's.
    """
    name = note.split("\n", 1)[0]
    former = _parse_checkpoint(note, name)
    tree = former_log.get_tree() if keys.is_of_former_log(name) else log.get_tree()
    size = former[0]
    if size > tree.size:
        raise CheckpointFault(
            Code.TRUNCATED,
            f"The log {name} is truncated: it has {tree.size} entries, the checkpoint {size}.",
        )
    try:
        proof = tree.consistency(size) if size else []
        verify.must_be_consistent(former, (tree.size, tree.root()), proof)
    except (Unsound, ValueError, IndexError):
        raise CheckpointFault(
            Code.REWRITTEN,
            f"The log {name} was rewritten: its first {size} entries are not the checkpoint's.",
        ) from None
    return f"The log {name} continues the checkpoint of {size} entries: it has {tree.size}."


def _parse_checkpoint(note: str, name: str) -> tuple[int, bytes]:
    keys.get_key(), keys.get_key(keys.get_former_origin())  # these calls store the current keys
    known = [
        key
        for key in SigningKey.objects.values_list("text", flat=True)
        if key.startswith(f"{name}+")
    ]
    if not known:
        raise CheckpointFault(
            Code.OTHER_LOG, f"That is no checkpoint of a log of this site: {name[:100]!r}."
        )
    why = ""
    for key in known:
        try:
            return verify.parse_checkpoint(note, *verify.parse_key(key))
        except Unsound as unsound:
            why = str(unsound)
    raise CheckpointFault(Code.NOT_SIGNED, f"The checkpoint of {name} is refused: {why}")


def find_faults() -> Iterator[str]:
    """Yield a sentence for each fault. The entries are read one tile at a time."""
    head = LogHead.objects.filter(pk=1).first() or LogHead()
    yield from _find_log_faults(head)
    yield from _find_former_log_faults(head)
    for key in SigningKey.objects.values_list("text", flat=True):
        try:
            verify.parse_key(key)
        except Unsound:
            yield f"This is no key: {key[:100]!r}."


def _find_log_faults(head: LogHead) -> Iterator[str]:
    yield from _find_count_faults(head.size, LogEntry, LogNode, log.get_size)
    for start in range(0, head.size, WIDTH):
        yield from _find_match_faults(start, min(head.size, start + WIDTH))
    yield from _find_node_faults(head.size, LogNode, log.get_tile)
    try:
        is_same = log.get_frontier(head).root() == log.get_tree(head.size).root()
    except (ValueError, IndexError):
        is_same = False
    if not is_same:
        yield "The entries do not have the root that the head of the log has."


def _find_former_log_faults(head: LogHead) -> Iterator[str]:
    size = former_log.get_size()
    yield from _find_count_faults(size, FormerLogEntry, FormerLogNode, former_log.get_size)
    for start in range(0, size, WIDTH):
        yield from _find_former_match_faults(start, start + WIDTH)
    yield from _find_node_faults(size, FormerLogNode, former_log.get_tile)
    if head.former_taken != size or head.former_size != size:
        yield (
            f"The log has taken up {head.former_taken} of {size} entries of the former log. "
            "A running referee takes up the others."
        )
    committed = LogEntry.objects.filter(index__lt=head.size, match=None).order_by("index")
    last = 0
    for row in committed.iterator(1000):
        last = row.former_size or 0
        try:
            root = former_log.get_tree(last).root().hex() if 0 < last <= size else ""
        except (ValueError, IndexError):
            root = ""
        if root != row.sha256:
            yield f"The former log is not as entry {row.index} says."
    if last != head.former_size:
        yield f"The head of the log names {head.former_size} former entries, its entry {last}."


def _find_count_faults(
    size: int,
    entries: type[LogEntry | FormerLogEntry],
    nodes: type[LogNode | FormerLogNode],
    size_now: Callable[[], int],
) -> Iterator[str]:
    for start in range(0, size, WIDTH):
        end = min(size, start + WIDTH)
        if entries.objects.filter(index__gte=start, index__lt=end).count() != end - start:
            yield f"Entries from {start} on are missing."
    # Read the last rows before the size, because the log may grow during the check.
    last = entries.objects.order_by("-index").values_list("index", flat=True).first()
    levels = nodes.objects.order_by("level").values_list("level", flat=True).distinct()
    highest = [
        (
            level,
            nodes.objects.filter(level=level).order_by("-index").values_list("index", flat=True)[0],
        )
        for level in list(levels)
    ]
    end = size_now()
    if last is not None and last >= end:
        yield f"There are entries beyond the end, {end}."
    for level, index in highest:
        if level == 0 or index >= end // WIDTH**level:
            yield f"The hash {level}/{index} is beyond the end, {end}."


def _find_match_faults(start: int, end: int) -> Iterator[str]:
    """Yield the faults of matches whose newest entry is in this range."""
    newest = LogEntry.objects.filter(match=OuterRef("match")).order_by("-index").values("index")
    rows = LogEntry.objects.filter(index__gte=start, index__lt=end, match__isnull=False)
    told = {
        row.match_id: row
        for row in rows.annotate(last=Subquery(newest[:1])).order_by("index")
        if row.match_id is not None and row.index == row.last
    }
    nonces = LogEntry.objects.filter(match__in=told).values_list("match", "nonce").distinct()
    if nonces.count() != len(told):
        yield f"Entries of a match from {start} on have different nonces."
    digests = {match_id: row.sha256 for match_id, row in told.items()}

    def digest(found: MatchRecord) -> str | None:
        now = build_statement(found, told[found.state.id].nonce)
        return None if now is None else digest_of(now)

    def is_noted_since(match_id: str) -> bool:
        row = log.get_newest_entry(match_id)
        return row is not None and row.index >= end

    yield from _find_changed(digests, digest, is_noted_since, "as it was logged")


def _find_former_match_faults(start: int, end: int) -> Iterator[str]:
    """Yield the faults of matches whose newest entry is in this range of the former log.

    Matches that have an entry in the current log are left out.
    """
    digests = former_log.get_newest_digests(start, end)
    taken = LogEntry.objects.filter(match__in=digests).values_list("match", flat=True)
    for match_id in list(taken):
        digests.pop(match_id, None)

    def digest(found: MatchRecord) -> str | None:
        now = build_former_statement(found)
        return None if now is None else digest_of(now)

    def is_taken_up(match_id: str) -> bool:
        return log.get_newest_entry(match_id) is not None

    yield from _find_changed(digests, digest, is_taken_up, "as the former log has it")


def _find_changed(
    digests: Mapping[str, str],
    digest: Callable[[MatchRecord], str | None],
    is_noted_since: Callable[[str], bool],
    how: str,
) -> Iterator[str]:
    """Yield a sentence for each match that is missing or does not have the hash in `digests`.

    Matches that are live again or have a newer result, which is logged or requested, are left out.
    """
    missing = set(digests)
    for found in list_records(list(digests)):
        match_id = found.state.id
        missing.discard(match_id)
        now = digest(found)
        if now == digests[match_id] or (now is None and found.state.is_live):
            # The match is as it was logged, or staff resumed it, so it has no result now.
            continue
        if not log.is_requested(match_id) and not is_noted_since(match_id):
            yield f"Match {match_id} is not {how}."
    for match_id in sorted(missing):
        yield f"Match {match_id} is missing."


def _find_node_faults(
    size: int, nodes: type[LogNode | FormerLogNode], tile: Callable[[int, int], list[bytes]]
) -> Iterator[str]:
    level, below = 1, size
    while below >= WIDTH:
        for index in range(below // WIDTH):
            kept = nodes.objects.filter(level=level, index=index).first()
            try:
                hashes = tile(level - 1, index)
                is_same = len(hashes) == WIDTH and fold_hashes(hashes).hex() == (
                    kept and kept.sha256
                )
            except ValueError:
                is_same = False
            if not is_same:
                yield f"The hash {level}/{index} is not that of what is below it."
        level, below = level + 1, below // WIDTH
