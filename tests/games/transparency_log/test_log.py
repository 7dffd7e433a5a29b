"""The log: appended once and in order, whoever dies; proofs that another implementation accepts."""

import json
import re
from base64 import b64decode
from functools import cache
from hashlib import sha256
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from hypothesis import given, settings
from hypothesis import strategies as st
from pymerkle import InmemoryTree, verify_consistency, verify_inclusion
from pymerkle.proof import MerkleProof

from games.formats import verify
from games.models import LogEntry, LogHead, LogNode, LogWish, Match
from games.review import decisions
from games.store.records import list_records
from games.transparency_log import keys, log, merkle_tree
from games.transparency_log.merkle_tree import WIDTH, Tree, fold_hashes
from games.transparency_log.statement import build_statement
from tests.builders.matches import create_finished_match, create_match, deliver_events
from tests.builders.transparency_log import append_finished_matches


def pure(entries: list[bytes], size: int) -> Tree:
    """A tree over these entries in tiles."""
    leaves = [verify.leaf_hash(entry) for entry in entries]

    @cache
    def tile(level: int, index: int) -> list[bytes]:
        if level == 0:
            return leaves[index * WIDTH : (index + 1) * WIDTH]
        start = index * WIDTH
        full = [tile(level - 1, i) for i in range(start, start + WIDTH)]
        return [fold_hashes(each) for each in full if len(each) == WIDTH]

    return Tree(tile, size)


def known(entries: list[bytes]) -> InmemoryTree:
    tree = InmemoryTree(algorithm="sha256")
    for entry in entries:
        tree.append_entry(entry)
    return tree


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_roots_and_proofs_are_those_of_another_implementation(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 1100))
    former = data.draw(st.integers(1, size))
    index = data.draw(st.integers(0, size - 1))
    entries = [f"entry {number}".encode() for number in range(size)]
    ours, theirs = pure(entries, size), known(entries)
    root, before = ours.root(), pure(entries, former).root()
    assert root == theirs.get_state() and before == theirs.get_state(former)
    leaf = verify.leaf_hash(entries[index])
    told = theirs.prove_inclusion(index + 1)
    verify_inclusion(leaf, root, told)
    path = ours.inclusion(index)
    mine = MerkleProof("sha256", True, size, told.rule, [], [leaf, *path])
    verify_inclusion(leaf, root, mine)
    assert verify.root_of(leaf, index, size, path) == root
    grown = theirs.prove_consistency(former)
    verify_consistency(before, root, grown)
    assert _grown(ours.consistency(former), former, size, before) == root


def _grown(proof: list[bytes], former: int, size: int, before: bytes) -> bytes:
    """The root that a consistency proof leads to (RFC 9162, 2.1.4.2), if it fits the former one."""
    if former == size:
        assert proof == []
        return before
    if former & (former - 1) == 0:
        proof = [before, *proof]
    at, last = former - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old = new = proof[0]
    for node in proof[1:]:
        assert last
        if at & 1 or at == last:
            old, new = verify.node_hash(node, old), verify.node_hash(node, new)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            new = verify.node_hash(new, node)
        at, last = at >> 1, last >> 1
    assert old == before and last == 0
    return new


def test_an_empty_tree_and_what_is_beyond() -> None:
    assert pure([], 0).root() == sha256(b"").digest()
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match="no such entry"):
            pure([b""] * 3, 3).inclusion(wrong)
        with pytest.raises(ValueError, match="no such tree"):
            pure([b""] * 3, 3).consistency(wrong + 1 if wrong == 3 else 0)


@pytest.mark.django_db(transaction=True)
def test_each_result_is_logged_once_and_in_order(
    alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    first, second = (create_finished_match("tic-tac-toe", alice, bob, seed) for seed in (1, 2))
    create_match("tic-tac-toe", alice, bob, plies=2)
    append_finished_matches()
    append_finished_matches()
    assert list(LogEntry.objects.order_by("index").values_list("index", "match")) == [
        (0, first.pk), (1, second.pk),
    ]  # fmt: skip
    before = log.get_tree().root()
    voided = decisions.void_match(rita, first.pk, "A test.", 0)
    append_finished_matches()
    decisions.reverse_decision(sara, voided.pk, "It was none.")
    append_finished_matches()
    assert [e.match_id for e in LogEntry.objects.order_by("index")[2:]] == [first.pk] * 2
    assert log.get_size() == 4 and not LogWish.objects.exists()
    whole = log.get_tree()
    entries = log.get_bundle(0)
    assert whole.root() == known(entries).get_state()
    assert log.get_tree(2).root() == before
    assert _grown(whole.consistency(2), 2, 4, before) == whole.root()


@settings(max_examples=20, deadline=None)
@given(parts=st.lists(st.integers(0, 700), max_size=3))
def test_the_frontier_grows_as_the_tree_over_all_entries(parts: list[int]) -> None:
    leaves = [verify.leaf_hash(f"entry {number}".encode()) for number in range(sum(parts))]
    grown, nodes = merkle_tree.Frontier(), {}
    for count in parts:
        grown = merkle_tree.Frontier(grown.size, grown.peaks)  # as it is stored in between
        for level, index, node in grown.append(leaves[grown.size : grown.size + count]):
            nodes[level, index] = node
    entries = [f"entry {number}".encode() for number in range(sum(parts))]
    assert (grown.size, grown.root()) == (sum(parts), pure(entries, sum(parts)).root())
    full = [leaves[at : at + WIDTH] for at in range(0, sum(parts) // WIDTH * WIDTH, WIDTH)]
    assert nodes == {(1, index): fold_hashes(tile) for index, tile in enumerate(full)}


@pytest.mark.parametrize(("size", "peaks"), [(1, b""), (0, b"0" * 32), (3, b"0" * 63)])
def test_peaks_that_do_not_fit_are_refused(size: int, peaks: bytes) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        merkle_tree.Frontier(size, peaks)


def test_a_proof_of_consistency_shows_each_change() -> None:
    entries = [f"entry {number}".encode() for number in range(21)]
    whole = pure(entries, 21)
    now = 21, whole.root()
    for size in range(22):
        root = pure(entries, size).root()
        proof = whole.consistency(size) if size else []
        verify.must_be_consistent((size, root), now, proof)
        wrong = [
            ((size, b"0" * 32), now, proof),
            ((size, root), now, [*proof, root]),
            ((22, root), now, proof),
            *([((size, root), (21, b"0" * 32), proof)] if size else []),
            *([((size, root), now, proof[:-1])] if proof else []),
            *([((size, root), now, [b"0" * 32, *proof[1:]])] if proof else []),
        ]
        for former, later, path in wrong:
            with pytest.raises(verify.Unsound):
                verify.must_be_consistent(former, later, path)


@pytest.mark.django_db(transaction=True)
def test_public_entries_name_no_match(alice: Any, bob: Any, rita: Any) -> None:
    """Who sees an entry cannot find the match, nor confirm a guess of its whole record."""
    matches = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in range(3)]
    append_finished_matches()
    decisions.void_match(rita, matches[0].pk, "A test.", 0)
    append_finished_matches()
    told = Client().get("/log/2/tile/entries/000.p/4").content
    entries = [json.loads(each) for each in log.get_bundle(0)]
    nonces = set()
    for row, public in zip(LogEntry.objects.order_by("index"), entries, strict=True):
        assert row.match_id and row.match_id.encode() not in told
        assert row.nonce.encode() not in told and len(bytes.fromhex(row.nonce)) == 16
        found = next(list_records([row.match_id]))
        guessed = build_statement(found, None)
        assert guessed is not None and public["sha256"] != verify.digest_of(guessed)
        nonces.add((row.match_id, row.nonce))
    assert len(nonces) == len({nonce for _, nonce in nonces}) == 3  # one for each match
    assert entries[0]["id"] == entries[3]["id"]  # readers of the record see that it was changed


@pytest.mark.django_db(transaction=True)
def test_another_server_that_notes_a_match_first_gives_its_nonce(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_finished_match("tic-tac-toe", alice, bob)
    deliver_events()
    lock = log._lock_head

    def late() -> LogHead:
        monkeypatch.setattr(log, "_lock_head", lock)
        while log.append_requested():
            pass
        return lock()

    monkeypatch.setattr(log, "_lock_head", late)
    append_finished_matches()
    assert LogEntry.objects.count() == 1 and not LogWish.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_who_dies_in_between_leaves_no_gap_and_no_double(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in range(3)]
    deliver_events()

    save = LogHead.save

    def die(head: LogHead, **options: Any) -> None:
        if not options.get("force_insert"):  # else it is made, with nothing in it
            raise KeyboardInterrupt
        save(head, **options)

    with monkeypatch.context() as dying:
        dying.setattr(LogHead, "save", die)  # after the entries, before the head
        with pytest.raises(KeyboardInterrupt):
            log.append_requested()
    assert log.get_size() == 0 and not LogEntry.objects.exists() and LogWish.objects.count() == 3
    LogWish.objects.create(match=matches[0])  # told again
    append_finished_matches()
    assert [e.index for e in LogEntry.objects.order_by("index")] == [0, 1, 2]
    assert log.get_size() == 3


@pytest.mark.django_db(transaction=True)
def test_a_result_that_changes_meanwhile_is_noted_as_it_is_then(
    alice: Any, bob: Any, rita: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, other = (create_finished_match("tic-tac-toe", alice, bob, seed) for seed in (1, 2))
    deliver_events()
    lock = log._lock_head

    def late() -> LogHead:
        """The result is changed once it was read, and another server notes that first."""
        monkeypatch.setattr(log, "_lock_head", lock)
        decisions.void_match(rita, match.pk, "A test.", 0)
        append_finished_matches()
        return lock()

    monkeypatch.setattr(log, "_lock_head", late)
    while log.append_requested():
        pass
    append_finished_matches()
    assert [e.match_id for e in LogEntry.objects.order_by("index")] == [match.pk, other.pk]
    assert not LogWish.objects.exists()
    newest = log.get_newest_entry(match.pk)
    found = next(list_records([match.pk]))
    assert newest is not None and newest.sha256 == verify.digest_of(
        build_statement(found, newest.nonce) or {}
    )


@pytest.mark.django_db
def test_full_tiles_are_stored_and_served(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob)
    head = log._lock_head()
    total = 256 * 256 + 300
    nonce = "0" * 32
    log._append_entries(
        head, [LogEntry(match=match, nonce=nonce, sha256=f"{i:064x}") for i in range(total)]
    )
    head.save()
    assert LogNode.objects.filter(level=1).count() == 257
    assert LogNode.objects.filter(level=2).count() == 1
    client = Client()
    note = client.get("/log/2/checkpoint").content.decode()
    assert note.split("\n")[1] == str(total)
    assert verify.parse_checkpoint(note, *verify.parse_key(keys.get_key())) == (
        total, log.get_tree().root(),
    )  # fmt: skip
    for path, count in (
        ("0/000", 256), ("0/256", 256), ("0/257.p/44", 44), ("1/000", 256), ("1/001.p/1", 1),
        ("2/000.p/1", 1), ("0/000.p/3", 3),
    ):  # fmt: skip
        answer = client.get(f"/log/2/tile/{path}")
        assert answer.status_code == 200 and len(answer.content) == 32 * count, path
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Type"] == "application/octet-stream"
    bundle = client.get("/log/2/tile/entries/257.p/44").content
    size = int.from_bytes(bundle[:2], "big")
    leaf = client.get("/log/2/tile/0/257.p/44").content[:32]
    assert verify.leaf_hash(bundle[2 : 2 + size]) == leaf
    with_nodes = client.get("/log/2/tile/1/000").content[:32]
    tile = client.get("/log/2/tile/0/000").content
    assert fold_hashes([tile[i : i + 32] for i in range(0, 8192, 32)]) == with_nodes
    for wrong in (
        "0/257", "0/257.p/45", "0/258.p/1", "0/0", "0/x000/001", "0/000.p/0", "0/000.p/256",
        "0/000.p/03", "9/000", "-1/000", "0/1000", "0/x999/x999/x999/x999/x999/x999/999",
        "0/\u0660\u0660\u0660",         "entries/258", "entries/x", "3/000",
    ):  # fmt: skip
        assert client.get(f"/log/2/tile/{wrong}").status_code == 404, wrong
    leaf_index = 65_000
    path_of = log.get_tree().inclusion(leaf_index)
    leaf = log.get_tile(0, leaf_index // 256)[leaf_index % 256]
    assert verify.root_of(leaf, leaf_index, total, path_of) == log.get_tree().root()


@pytest.mark.django_db
def test_keys_of_before_stay_known() -> None:
    first = keys.get_key()
    with override_settings(SIGNING_SEED=b"\1" * 32):
        second = keys.get_key()
        told = Client().get("/.well-known/parlour-keys.json").json()
    assert [each["key"] for each in told["keys"]] == [second, first] and first != second
    name, public = verify.parse_key(first)
    assert name == told["origin"] and len(public) == 32
    assert re.fullmatch(r"[^ +]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}", first)
    assert b64decode(first.split("+", 2)[2])[:1] == b"\x01"


@pytest.mark.django_db
def test_matches_in_the_log_are_kept(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    LogWish.objects.create(match=match)
    assert not log.append_requested()
    assert LogEntry.objects.get().match == Match.objects.get()


@pytest.mark.django_db
def test_matches_of_before_are_taken_up_once(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "_PAGE", 2)
    matches = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in range(5)]
    Match.objects.filter(pk__in=[m.pk for m in matches[1:4]]).update(ended_at="2026-01-01T00:00Z")
    create_match("tic-tac-toe", alice, bob, plies=1)
    call_command("log_matches", verbosity=0)
    while log.append_requested():
        pass
    logged = list(LogEntry.objects.order_by("index").values_list("match", flat=True))
    assert sorted(logged) == sorted(m.pk for m in matches) and logged[4] == matches[4].pk
    assert sum(log.request_missing()) == 0
