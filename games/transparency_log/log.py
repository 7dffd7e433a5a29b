"""The log of match results, and the records that the site signs.

A match gets an entry for each of its results. A match event handler requests these entries
(`LogWish`), and the referee appends them. It also appends entries for the former log and its
matches. Each writer locks the only row of the head, so several writers may run: each entry is
appended once, and no index is skipped. The transaction waits for the disk, because a power cut must
not remove entries of a published checkpoint.

`sign_record` signs the record of a match and adds its place in the log. `games/formats/verify.py`
can check the result.
"""

import secrets
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from msgspec import Struct, to_builtins

from games.formats.verify import (
    canonical,
    digest_of,
    entry,
    former_log_entry,
    leaf_hash,
    signed_text,
)
from games.journal.events import Kind
from games.messages.refusal import Refused
from games.models import Event, LogEntry, LogHead, LogNode, LogWish, Match
from games.runtime.prepared_query import FixedQuery, PreparedQuery
from games.store.records import MatchRecord, list_records
from games.transparency_log import former_log, keys
from games.transparency_log.merkle_tree import WIDTH, Frontier, Tree
from games.transparency_log.statement import build_former_statement, build_statement

_PAGE = 500  # the most matches that one query reads
_EACH = 100  # the most requests, or entries of the former log, that one transaction handles


_WISH = "INSERT INTO games_logwish (match_id) VALUES (%s)"


class Proof(Struct, frozen=True):
    """The place of a record in the log, with its inclusion proof for a checkpoint."""

    index: int
    checkpoint: str
    proof: list[str]  # hashes in base64


class _Draft(Struct, frozen=True):
    """An entry to be appended, for a version of a match."""

    match_id: str
    version: int
    nonce: str
    sha256: str


def note_results(events: Sequence[Event]) -> None:
    """Handle match events: request entries for matches that ended or whose result changed."""
    wished = [(event.match_id,) for event in events if event.kind != Kind.BEGAN]
    if wished:
        with connection.cursor() as cursor:
            cursor.executemany(_WISH, wished)


def is_any_requested() -> bool:
    """Return whether an entry is requested."""
    return any(_wishes())


def append_requested() -> bool:
    """Append some of the requested entries, and return whether there may be more requests.

    A request whose match has changed meanwhile stays open.
    """
    wishes = list(_wishes())
    if not wishes:
        return False
    # Read before the transaction: on SQLite, nobody else can write during it.
    drafts = _list_drafts(list(dict.fromkeys(match_id for _, match_id in wishes)))
    with transaction.atomic():
        head = _lock_head()
        late = _append_drafts(head, drafts)
        head.save()
        done = [pk for pk, match_id in wishes if match_id not in late]
        LogWish.objects.filter(pk__in=done).delete()
    return len(wishes) == _EACH


_wishes = FixedQuery(lambda: LogWish.objects.order_by("pk").values_list("pk", "match_id")[:_EACH])


def append_former_entries() -> bool:
    """Append the matches of some entries of the former log; return whether there may be more.

    An entry for the former log itself comes first. If a server of an earlier release still appends
    to the former log, another such entry and the new matches follow.
    """
    former_size = former_log.get_size()
    head = LogHead.objects.filter(pk=1).first() or LogHead()
    start = head.former_taken
    if start >= former_size:
        return False
    former = former_log.get_newest_digests(start, start + _EACH)
    drafts = _list_drafts(list(former), former)
    root = former_log.get_tree(former_size).root() if head.former_size != former_size else b""
    with transaction.atomic():
        head = _lock_head()
        if head.former_taken != start:
            return True  # another process was faster
        if head.former_size < former_size and root:
            head.former_size = former_size
            _append_entries(head, [LogEntry(former_size=former_size, sha256=root.hex())])
        if not _append_drafts(head, drafts):
            head.former_taken = min(start + _EACH, former_size)
        head.save()
    return head.former_taken < former_size


def request_missing() -> Iterator[int]:
    """Request entries for finished matches that have none. Yield the number of requests per batch.

    Such matches ended before the site had a log. They are requested in the order of their ends.
    """
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
        # Matches of the former log are appended from there, or left out if they were changed.
        known |= former_log.get_known_matches(ids)
        wished = [LogWish(match_id=match_id) for match_id in ids if match_id not in known]
        LogWish.objects.bulk_create(wished)
        yield len(wished)
        last_at, last_id = found[-1]
        assert last_at is not None
        after = last_at, last_id


def get_size() -> int:
    """Return the number of entries."""
    return LogHead.objects.filter(pk=1).values_list("size", flat=True).first() or 0


def get_tree(of_size: int | None = None) -> Tree:
    """Return the tree over the first `of_size` entries, by default all of them."""
    return Tree(get_tile, get_size() if of_size is None else of_size)


def get_checkpoint(of_size: int | None = None) -> str:
    """Return the signed checkpoint: the newest one, or that of the first `of_size` entries."""
    if of_size is not None:
        return keys.sign_checkpoint(keys.get_origin(), of_size, get_tree(of_size).root())
    head = LogHead.objects.filter(pk=1).first() or LogHead()
    return keys.sign_checkpoint(keys.get_origin(), head.size, get_frontier(head).root())


def get_frontier(head: LogHead) -> Frontier:
    """Return the stored right edge of the tree. Raise `ValueError` if it does not fit the size."""
    return Frontier(head.size, bytes.fromhex(head.peaks))


def get_tile(level: int, index: int) -> list[bytes]:
    """Return the hashes that a tile has so far, at most 256."""
    if level == 0:
        return [leaf_hash(each) for each in get_bundle(index)]
    start = index * WIDTH
    rows = LogNode.objects.filter(level=level, index__gte=start, index__lt=start + WIDTH)
    return [bytes.fromhex(each) for each in rows.order_by("index").values_list("sha256", flat=True)]


def get_bundle(index: int) -> list[bytes]:
    """Return the entries of a tile of level 0."""
    start = index * WIDTH
    rows = LogEntry.objects.filter(index__gte=start, index__lt=start + WIDTH).order_by("index")
    return [get_public_entry(row) for row in rows]


def get_public_entry(row: LogEntry) -> bytes:
    """Return an entry as it is published."""
    if row.match_id is None:
        return former_log_entry(row.former_size or 0, row.sha256)
    return entry(row.nonce, row.match_id, row.sha256)


def get_newest_entry(match_id: str) -> LogEntry | None:
    """Return the newest entry of a match, or None if the match has no entry."""
    return LogEntry.objects.filter(match=match_id).order_by("-index").first()


def is_requested(match_id: str) -> bool:
    """Return whether a newer entry of a match is requested, or an event may still request it."""
    undelivered = Event.objects.filter(match=match_id, due_at__isnull=False)
    return undelivered.exists() or LogWish.objects.filter(match=match_id).exists()


def get_proof(logged: LogEntry) -> Proof:
    """Return the proof that the entry is in the current log."""
    whole = get_tree()
    path = [b64encode(node).decode() for node in whole.inclusion(logged.index)]
    return Proof(
        logged.index, keys.sign_checkpoint(keys.get_origin(), whole.size, whole.root()), path
    )


def _lock_head() -> LogHead:
    head = LogHead.objects.select_for_update().filter(pk=1).first()
    if head is None:
        LogHead.objects.get_or_create(pk=1)
        head = LogHead.objects.select_for_update().get(pk=1)
    return head


def _list_drafts(match_ids: Sequence[str], former: Mapping[str, str] | None = None) -> list[_Draft]:
    """Return the entries to append for these matches. Live matches and unknown games are left out.

    `former` maps the ids of the matches to their digests in the former log. Matches that differ
    from it are left out, because somebody changed them.
    """
    nonces = {match_id: nonce for match_id, nonce, _ in _noted(match_ids)}
    found = []
    for each in list_records(match_ids):
        match_id = each.state.id
        nonce = nonces.get(match_id) or secrets.token_hex(16)
        told = build_statement(each, nonce)
        if told is None:
            continue
        if former is not None and digest_of(build_former_statement(each) or {}) != former[match_id]:
            continue
        found.append(_Draft(match_id, each.state.version, nonce, digest_of(told)))
    return found


def _append_drafts(head: LogHead, drafts: Sequence[_Draft]) -> set[str]:
    """Append the entries that are new.

    Return the ids of the matches to read again, because they have changed since, or because another
    process has appended them with another nonce.
    """
    ids = [draft.match_id for draft in drafts]
    versions = dict(_versions(ids))
    newest_of = {match_id: (nonce, digest) for match_id, nonce, digest in _noted(ids)}
    late: set[str] = set()
    made: list[LogEntry] = []
    for draft in drafts:
        nonce, digest = newest_of.get(draft.match_id, (draft.nonce, ""))
        if versions.get(draft.match_id) != draft.version or nonce != draft.nonce:
            late.add(draft.match_id)
        elif digest != draft.sha256:  # otherwise, the entry was already appended
            made.append(LogEntry(match_id=draft.match_id, nonce=draft.nonce, sha256=draft.sha256))
    _append_entries(head, made)
    return late


_noted = PreparedQuery(
    lambda match_ids: (
        LogEntry.objects.filter(match__in=match_ids)
        .order_by("index")
        .values_list("match", "nonce", "sha256")
    ),
    of=str,
)
_versions = PreparedQuery(
    lambda ids: Match.objects.filter(pk__in=ids).order_by().values_list("pk", "version"), of=str
)


def _append_entries(head: LogHead, made: Sequence[LogEntry]) -> None:
    """Store entries, the hashes of the tiles that they complete, and the new state of the head."""
    grown = get_frontier(head)
    for index, row in enumerate(made, head.size):
        row.index = index
    nodes = grown.append(leaf_hash(get_public_entry(row)) for row in made)
    LogEntry.objects.bulk_create(made, batch_size=1000)
    LogNode.objects.bulk_create(
        LogNode(level=level, index=index, sha256=node.hex()) for level, index, node in nodes
    )
    head.size, head.peaks = grown.size, grown.peaks.hex()


def sign_record(found: MatchRecord) -> bytes:
    """Return the signed statement about a match with its place in the log, as canonical JSON.

    The place is null until the log has an entry for this result, usually for some seconds. Raise
    `Refused` if the match is not over or its game is unknown, or if the match differs from its
    entry in the log and no newer entry is requested.
    """
    match_id = found.state.id
    logged = get_newest_entry(match_id)
    told = build_statement(found, None if logged is None else logged.nonce)
    if told is None:
        raise Refused("not-signed")
    if logged is None:  # matches of the former log are appended to the new one gradually
        former = former_log.get_newest_digest(match_id)
        is_there, is_same = False, former in {None, digest_of(build_former_statement(found) or {})}
    else:
        is_there = is_same = logged.sha256 == digest_of(told)
    if not is_same and not is_requested(match_id):
        raise Refused("not-as-logged")
    place: Any = to_builtins(get_proof(logged)) if logged is not None and is_there else None
    signature = b64encode(keys.sign_text(signed_text(told))).decode()
    return canonical({"record": told, "key": keys.get_key(), "signature": signature, "log": place})
