"""The former log, whose entries contain match ids. This release appends nothing to it.

Its checkpoint and the hashes of its tiles stay public, so that saved checkpoints and the proofs in
its signed records can be verified. Its entries are no longer published, because of these ids.
"""

from collections.abc import Sequence

from django.db.models import OuterRef, Subquery

from games.formats.verify import former_entry, leaf_hash
from games.models import FormerLogEntry, FormerLogHead, FormerLogNode
from games.transparency_log import keys
from games.transparency_log.merkle_tree import WIDTH, Tree


def get_size() -> int:
    """Return the number of entries, or 0 if the site never had this log."""
    return FormerLogHead.objects.filter(pk=1).values_list("size", flat=True).first() or 0


def get_tree(of_size: int | None = None) -> Tree:
    """Return the tree over the first `of_size` entries, by default over all of them."""
    return Tree(get_tile, get_size() if of_size is None else of_size)


def get_checkpoint() -> str:
    """Return the last checkpoint of the former log, signed with the current key."""
    name, whole = keys.get_former_origin(), get_tree()
    keys.get_key(name)  # store the key, so that the published keys include it
    return keys.sign_checkpoint(name, whole.size, whole.root())


def get_tile(level: int, index: int) -> list[bytes]:
    """Return the hashes that a tile has, at most 256."""
    start = index * WIDTH
    if level == 0:
        entries = FormerLogEntry.objects.filter(index__gte=start, index__lt=start + WIDTH)
        told = entries.order_by("index").values_list("match", "sha256")
        return [leaf_hash(former_entry(*each)) for each in told]
    rows = FormerLogNode.objects.filter(level=level, index__gte=start, index__lt=start + WIDTH)
    return [bytes.fromhex(each) for each in rows.order_by("index").values_list("sha256", flat=True)]


def get_newest_digests(start: int, end: int) -> dict[str, str]:
    """Return a dictionary that maps the ids of matches to the hashes of their records.

    It contains the matches whose newest entry is in this range.
    """
    newest = FormerLogEntry.objects.filter(match=OuterRef("match")).order_by("-index")
    rows = FormerLogEntry.objects.filter(index__gte=start, index__lt=end).order_by("index")
    told = rows.annotate(last=Subquery(newest.values("index")[:1]))
    return {
        match_id: digest
        for index, match_id, digest, last in told.values_list("index", "match", "sha256", "last")
        if index == last
    }


def get_newest_digest(match_id: str) -> str | None:
    """Return the record hash in the newest entry of a match, or None if the match has no entry."""
    rows = FormerLogEntry.objects.filter(match=match_id).order_by("-index")
    return rows.values_list("sha256", flat=True).first()


def get_known_matches(match_ids: Sequence[str]) -> set[str]:
    """Return the ids of the given matches that have an entry."""
    rows = FormerLogEntry.objects.filter(match__in=match_ids)
    return set(rows.values_list("match", flat=True))
