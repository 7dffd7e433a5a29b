"""`verify_log`: each changed value is found; kept checkpoints show what the log cannot."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from games.models import LogEntry, LogHead, LogNode, LogWish, Match, Move, SigningKey
from games.review import decisions
from games.transparency_log import keys, log, merkle_tree, verification
from games.transparency_log.verification import Code
from tests.builders.matches import create_finished_match
from tests.builders.transparency_log import append_finished_matches, run_verify_log, verify_after


def _without(rows: Any) -> Callable[[], Any]:
    return rows.delete  # type: ignore[no-any-return]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("narrow")
def test_each_changed_value_is_found(alice: Any, bob: Any, rita: Any) -> None:
    matches = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in range(5)]
    append_finished_matches()
    # Entry 4 is superseded, and in no full tile: only the head can show that it was changed.
    decisions.void_match(rita, matches[4].pk, "A test.", 0)
    append_finished_matches()
    create_finished_match("tic-tac-toe", alice, bob, 7)
    append_finished_matches()
    assert log.get_size() == 7 and LogNode.objects.count() == 4
    assert run_verify_log() == (0, "All 7 entries are sound.\n")
    keys.get_key()
    other = "0" * 32
    changes: list[Callable[[], Any]] = []
    for index in range(7):
        entry = LogEntry.objects.filter(index=index)
        changes += [
            lambda entry=entry: entry.update(sha256="0" * 64),
            lambda entry=entry: entry.update(sha256="none"),
            lambda entry=entry: entry.update(nonce=other),
            lambda entry=entry: entry.update(nonce="none"),
            lambda entry=entry: entry.update(former_size=1, match=None),
            lambda entry=entry: entry.update(index=7),
            lambda entry=entry: entry.update(match=matches[2 if entry[0].index != 2 else 3]),
            _without(entry),
        ]
    for node in LogNode.objects.all():
        same = LogNode.objects.filter(pk=node.pk)
        changes += [
            lambda same=same: same.update(sha256="0" * 64),
            lambda same=same: same.update(sha256="none"),
            lambda same=same: same.update(level=9),
            lambda same=same: same.update(index=9),
            _without(same),
        ]
    head = LogHead.objects.all()
    changes += [
        lambda: head.update(size=8),
        lambda: head.update(size=6),
        lambda: head.update(size=0, peaks=""),
        lambda: head.update(peaks="0" * 64 * 3),
        lambda: head.update(peaks="none"),
        lambda: head.update(former_size=1),
        lambda: head.update(former_taken=1),
        _without(head),
        lambda: SigningKey.objects.update(text="none"),
        lambda: Match.objects.filter(pk=matches[2].pk).update(first_goal=1),
        lambda: Match.objects.filter(pk=matches[2].pk).update(rated=True),
        lambda: Move.objects.filter(match=matches[1], ply=0).update(spent_ms=77),
        _without(Move.objects.filter(match=matches[1], ply=0)),
    ]
    for number, change in enumerate(changes):
        code, words = verify_after(change)
        assert code == Code.UNSOUND and "not sound" in words, (number, words)
    assert run_verify_log()[0] == 0


@pytest.mark.django_db(transaction=True)
def test_a_log_that_grows_meanwhile_is_sound(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_finished_match("tic-tac-toe", alice, bob)
    append_finished_matches()
    counts = verification._find_count_faults

    def late(*arguments: Any) -> Any:
        create_finished_match("tic-tac-toe", alice, bob, seed=2)
        append_finished_matches()
        return counts(*arguments)

    monkeypatch.setattr(verification, "_find_count_faults", late)
    assert run_verify_log()[0] == 0


@pytest.mark.django_db(transaction=True)
def test_kept_checkpoints_show_that_the_end_is_missing(
    alice: Any, bob: Any, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.txt"
    for seed in range(3):
        create_finished_match("tic-tac-toe", alice, bob, seed)
    append_finished_matches()
    assert run_verify_log("--save", str(kept))[0] == 0
    first = kept.read_text()
    assert first == log.get_checkpoint()
    create_finished_match("tic-tac-toe", alice, bob, 3)
    append_finished_matches()
    code, words = run_verify_log("--checkpoint", str(kept), "--save", str(kept))
    assert code == 0 and "continues the checkpoint of 3 entries: it has 4" in words
    assert kept.read_text() == log.get_checkpoint() != first
    older = tmp_path / "older.txt"
    older.write_text(first)
    saved = kept.read_text()

    def truncate() -> None:
        """As in an older backup: everything fits, and the last entry is missing."""
        leaves = log.get_tile(0, 0)[:3]
        grown = merkle_tree.Frontier()
        grown.append(leaves)
        LogEntry.objects.filter(index=3).delete()
        LogHead.objects.update(size=3, peaks=grown.peaks.hex())

    assert verify_after(truncate)[0] == 0  # nothing in the database shows it
    code, words = verify_after(truncate, "--checkpoint", str(kept), "--save", str(kept))
    assert code == Code.TRUNCATED and "is truncated: it has 3 entries, the checkpoint 4" in words
    assert kept.read_text() == saved  # not replaced by the shorter one
    assert verify_after(truncate, "--checkpoint", str(older))[0] == 0
    code, _ = verify_after(truncate, "--checkpoint", str(older), "--checkpoint", str(kept))
    assert code == Code.TRUNCATED


@pytest.mark.django_db(transaction=True)
def test_kept_checkpoints_show_that_the_log_was_rewritten(
    alice: Any, bob: Any, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.txt"
    matches = [create_finished_match("tic-tac-toe", alice, bob, seed) for seed in range(3)]
    append_finished_matches()
    assert run_verify_log("--save", str(kept))[0] == 0

    def rewrite() -> None:
        """Change a result and rebuild the whole log."""
        Match.objects.filter(pk=matches[0].pk).update(rated=True)
        for model in (LogEntry, LogHead, LogNode):
            model.objects.all().delete()
        LogWish.objects.bulk_create(LogWish(match=match) for match in matches)
        while log.append_requested():
            pass

    assert verify_after(rewrite)[0] == 0
    code, words = verify_after(rewrite, "--checkpoint", str(kept))
    assert code == Code.REWRITTEN and "was rewritten: its first 3 entries" in words


@pytest.mark.django_db(transaction=True)
def test_a_checkpoint_that_proves_nothing_is_refused(alice: Any, bob: Any, tmp_path: Path) -> None:
    create_finished_match("tic-tac-toe", alice, bob)
    append_finished_matches()
    note, kept = log.get_checkpoint(), tmp_path / "kept.txt"
    with override_settings(SIGNING_SEED=b"\1" * 32):
        forged = log.get_checkpoint()
    with override_settings(ALLOWED_ORIGINS=["https://elsewhere.example"]):
        foreign = keys.sign_checkpoint(keys.get_origin(), 1, log.get_tree().root())
    for text, code, words in (
        (foreign, Code.OTHER_LOG, "no checkpoint of a log of this site"),
        ("", Code.OTHER_LOG, "no checkpoint of a log of this site"),
        (forged, Code.NOT_SIGNED, "another key"),
        (note.replace("\n1\n", "\n2\n"), Code.NOT_SIGNED, "signature"),
        (note.replace("\n1\n", "\n01\n"), Code.NOT_SIGNED, "signature"),
        (note[:-20], Code.NOT_SIGNED, "refused"),
        (note.replace("\n\n", "\nmore\n\n"), Code.NOT_SIGNED, "refused"),
    ):
        kept.write_text(text)
        assert run_verify_log("--checkpoint", str(kept))[0] == code, text
        assert words in run_verify_log("--checkpoint", str(kept))[1], text
    kept.write_bytes(b"\xff\xfe")
    assert run_verify_log("--checkpoint", str(kept))[0] == Code.UNREADABLE
    code, said = run_verify_log("--checkpoint", str(tmp_path / "none"))
    assert code == Code.UNREADABLE and "cannot be read" in said
    assert run_verify_log("--save", str(tmp_path / "none" / "kept"))[0] == Code.NOT_SAVED


@pytest.mark.django_db(transaction=True)
def test_checkpoints_of_earlier_keys_and_addresses_are_accepted(
    alice: Any, bob: Any, tmp_path: Path
) -> None:
    kept = tmp_path / "kept.txt"
    create_finished_match("tic-tac-toe", alice, bob)
    append_finished_matches()
    with override_settings(
        SIGNING_SEED=b"\1" * 32, ALLOWED_ORIGINS=["https://earlier.example:8443"]
    ):
        keys.get_key()  # its public half is stored when it is first used
        kept.write_text(log.get_checkpoint())
    code, words = run_verify_log("--checkpoint", str(kept))
    assert code == 0 and "earlier.example:8443/log/2 continues" in words
