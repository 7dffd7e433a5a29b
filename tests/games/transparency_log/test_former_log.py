"""The log before entries were blinded: frozen, taken up by the log, and verified with it."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.formats import verify
from games.models import (
    FormerLogEntry,
    FormerLogHead,
    FormerLogNode,
    LogEntry,
    LogHead,
    LogWish,
    Match,
)
from games.review import decisions
from games.store.records import get_record
from games.transparency_log import former_log, keys, log
from games.transparency_log.merkle_tree import Frontier
from games.transparency_log.statement import build_former_statement
from games.transparency_log.verification import Code
from tests.builders.matches import create_finished_match, deliver_events
from tests.builders.transparency_log import run_verify_log, verify_after

pytestmark = pytest.mark.django_db(transaction=True)


def append_formerly(match: Match) -> None:
    """Append an entry to the former log, as the referee of the release before does."""
    found = get_record(match.pk)
    assert found is not None
    digest = verify.digest_of(build_former_statement(found) or {})
    head, _ = FormerLogHead.objects.get_or_create(pk=1)
    FormerLogEntry.objects.create(index=head.size, match=match, sha256=digest, at=timezone.now())
    head.size += 1
    head.save()
    FormerLogNode.objects.all().delete()
    every = FormerLogEntry.objects.order_by("index").values_list("match", "sha256")
    nodes = Frontier().append(verify.leaf_hash(verify.former_entry(*each)) for each in every)
    for level, index, node in nodes:
        FormerLogNode.objects.create(level=level, index=index, sha256=node.hex())


def taken_up() -> list[str | None]:
    """The matches of the log's entries, once it has taken up all: None is for the former log."""
    deliver_events()
    while log.append_requested() or log.append_former_entries():
        pass
    return list(LogEntry.objects.order_by("index").values_list("match", flat=True))


@pytest.fixture
def before(alice: Any, bob: Any, narrow: None) -> list[Match]:
    """Matches that the former log has, and only that."""
    matches = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in range(5)]
    deliver_events()
    LogWish.objects.all().delete()  # they were granted by the release before
    for match in matches:
        append_formerly(match)
    return matches


def test_the_log_takes_up_each_match_and_names_the_former_log(before: list[Match]) -> None:
    root = former_log.get_tree().root()
    assert taken_up() == [None, *(match.pk for match in before)]
    first = json.loads(log.get_bundle(0)[0])
    assert first == {"former_log": {"root": root.hex(), "size": 5}}
    assert taken_up() == [None, *(match.pk for match in before)]  # once
    assert run_verify_log() == (0, "All 6 entries are sound.\n")
    assert former_log.get_size() == 5 and former_log.get_tree().root() == root


def test_a_match_with_several_former_entries_is_taken_up_as_it_is(
    before: list[Match], rita: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "_EACH", 2)
    decisions.void_match(rita, before[1].pk, "A test.", 0)
    deliver_events()
    LogWish.objects.all().delete()
    append_formerly(Match.objects.get(pk=before[1].pk))
    assert run_verify_log()[0] == Code.UNSOUND  # not taken up yet
    order = [before[0].pk, before[2].pk, before[3].pk, before[4].pk, before[1].pk]
    assert taken_up() == [None, *order]
    assert run_verify_log()[0] == 0


def test_what_a_server_of_the_release_before_still_appends_is_taken_up(
    before: list[Match], alice: Any, bob: Any
) -> None:
    assert len(taken_up()) == 6
    late = create_finished_match("tic-tac-toe", alice, bob, 9)
    deliver_events()
    LogWish.objects.all().delete()
    append_formerly(late)
    assert taken_up()[6:] == [None, late.pk]
    told = json.loads(log.get_bundle(3)[0])
    assert told == {"former_log": {"root": former_log.get_tree().root().hex(), "size": 6}}
    assert run_verify_log()[0] == 0


def test_a_match_changed_unseen_is_not_taken_up(before: list[Match]) -> None:
    changed = before[2]
    Match.objects.filter(pk=changed.pk).update(rated=True)
    assert taken_up() == [None, *(match.pk for match in before if match != changed)]
    assert sum(log.request_missing()) == 0  # nor by `log_matches`
    code, words = run_verify_log()
    assert code == Code.UNSOUND and f"{changed.pk} is not as the former log has it" in words
    answer = Client().get(f"/match/{changed.pk}/signed.json")
    assert answer.status_code == 409 and answer.json()["error"]["code"] == "not-as-logged"
    Match.objects.filter(pk=changed.pk).update(rated=False)
    assert Client().get(f"/match/{changed.pk}/signed.json").status_code == 200


def test_another_server_may_take_up_the_same_entries(
    before: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = log._lock_head

    def late() -> LogHead:
        monkeypatch.setattr(log, "_lock_head", lock)
        assert len(taken_up()) == 6
        return lock()

    monkeypatch.setattr(log, "_lock_head", late)
    assert len(taken_up()) == 6
    assert run_verify_log()[0] == 0


def test_each_changed_value_of_the_former_log_is_found(before: list[Match]) -> None:
    taken_up()
    changes = []
    for index in range(5):
        entry = FormerLogEntry.objects.filter(index=index)
        changes += [
            lambda entry=entry: entry.update(sha256="0" * 64),
            lambda entry=entry: entry.update(match=before[1 if entry[0].index != 1 else 0]),
            lambda entry=entry: entry.update(index=7),
            lambda entry=entry: entry.delete(),
        ]
    for node in FormerLogNode.objects.all():
        same = FormerLogNode.objects.filter(pk=node.pk)
        changes += [
            lambda same=same: same.update(sha256="0" * 64),
            lambda same=same: same.update(level=9),
            lambda same=same: same.update(index=9),
            lambda same=same: same.delete(),
        ]
    heads, head = FormerLogHead.objects.all(), LogHead.objects.all()
    changes += [
        lambda: heads.update(size=4),
        lambda: heads.update(size=6),
        heads.delete,
        lambda: head.update(former_size=4),
        lambda: head.update(former_taken=4),
        lambda: LogEntry.objects.filter(index=0).update(sha256="0" * 64),
        lambda: LogEntry.objects.filter(index=0).update(former_size=4),
    ]
    for number, change in enumerate(changes):
        code, words = verify_after(change)
        assert code == Code.UNSOUND, (number, words)
    assert run_verify_log()[0] == 0


def test_kept_checkpoints_and_records_of_the_former_log_stay_sound(
    before: list[Match], tmp_path: Path
) -> None:
    client, kept = Client(), tmp_path / "kept.txt"
    name = keys.get_former_origin()
    key = keys.get_key(name)
    third = former_log.get_tree(3)
    kept.write_text(keys.sign_checkpoint(name, 3, third.root()))
    found = get_record(before[0].pk)
    assert found is not None
    statement = build_former_statement(found) or {}
    place = {
        "index": 0,
        "checkpoint": kept.read_text(),
        "proof": [b64encode(node).decode() for node in third.inclusion(0)],
    }
    file = verify.canonical(
        {
            "record": statement,
            "key": key,
            "signature": b64encode(keys.sign_text(verify.signed_text(statement))).decode(),
            "log": place,
        }
    )
    taken_up()
    trusted = [each["key"] for each in client.get("/.well-known/parlour-keys.json").json()["keys"]]
    assert verify.verified(file, trusted)["match"] == before[0].pk
    code, words = run_verify_log("--checkpoint", str(kept))
    assert code == 0 and f"The log {name} continues the checkpoint of 3 entries" in words
    # A client with that checkpoint verifies the last one by it, with the tiles alone.
    last = client.get("/log/checkpoint").content.decode()
    now = verify.parse_checkpoint(last, *verify.parse_key(key))
    former = verify.parse_checkpoint(kept.read_text(), *verify.parse_key(key))
    verify.must_be_consistent(former, now, former_log.get_tree().consistency(3))
    leaf = client.get("/log/tile/0/000.p/1").content
    assert leaf == verify.leaf_hash(verify.former_entry(before[0].pk, verify.digest_of(statement)))
    FormerLogEntry.objects.filter(index=2).update(sha256="0" * 64)
    assert run_verify_log("--checkpoint", str(kept))[0] == Code.UNSOUND
    assert "was rewritten" in run_verify_log("--checkpoint", str(kept))[1]


@pytest.mark.parametrize("place", ["000", "000.p/5", "001", "x"])
def test_the_former_log_gives_no_match_away(before: list[Match], place: str) -> None:
    answer = Client().get(f"/log/tile/entries/{place}")
    assert answer.status_code == 410 and not answer.content


def test_a_site_that_never_had_the_former_log_serves_none(db: None) -> None:
    assert Client().get("/log/checkpoint").status_code == 404
    assert Client().get("/log/tile/0/000.p/1").status_code == 404
