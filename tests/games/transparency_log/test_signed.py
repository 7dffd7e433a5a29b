"""Signed records: what verifies them alone accepts them, and nothing that differs by one bit."""

import json
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F
from django.test import Client, override_settings

from games.formats import verify
from games.models import Match, Move
from games.rules import GAMES
from games.transparency_log import keys, log
from tests.builders.matches import create_finished_match, create_match, deliver_events
from tests.builders.sites import PATIENCE, ROOT

SCRIPT = ROOT / "games/formats/verify.py"


def signed(match: Match) -> bytes:
    deliver_events()
    while log.append_requested():
        pass
    answer = Client().get(f"/match/{match.pk}/signed.json")
    assert answer.status_code == 200, answer.content
    return bytes(answer.content)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("slug", GAMES)
def test_the_record_of_each_game_is_sound(alice: Any, bob: Any, slug: str) -> None:
    for seed in range(3):
        create_finished_match(
            "tic-tac-toe", alice, bob, seed
        )  # so that a proof has something in it
    file = signed(create_finished_match(slug, alice, bob))
    record = verify.verified(file, [keys.get_key()])
    verify.replayed(record, GAMES)
    assert record["game"] == slug and file == signed(Match.objects.get(pk=record["match"]))
    assert b"alice" not in file  # names are not signed: people may change them


@pytest.mark.django_db(transaction=True)
def test_no_bit_of_a_record_can_be_changed(alice: Any, bob: Any) -> None:
    for seed in range(4):
        create_finished_match("tic-tac-toe", alice, bob, seed)
    file = signed(create_finished_match("tic-tac-toe", alice, bob))
    trusted = [keys.get_key()]
    verify.verified(file, trusted)
    for at in range(len(file)):
        for bit in range(8):
            changed = bytearray(file)
            changed[at] ^= 1 << bit
            with pytest.raises(verify.Unsound):
                verify.verified(bytes(changed), trusted)
    for at in range(0, len(file), 7):
        for other in (file[:at] + file[at + 1 :], file[:at] + b" " + file[at:], file[:at]):
            with pytest.raises(verify.Unsound):
                verify.verified(other, trusted)
    with pytest.raises(verify.Unsound, match="do not trust"):
        verify.verified(file, [verify.key_text("elsewhere/log", b"\0" * 32)])


def _resigned(record: dict[str, Any], **place: Any) -> bytes:
    """A record with the site's own signature, as if the site wrote it so."""
    signature = b64encode(keys.sign_text(verify.signed_text(record))).decode()
    file = {"record": record, "key": keys.get_key(), "signature": signature, "log": place or None}
    return verify.canonical(file)


@pytest.mark.django_db(transaction=True)
def test_a_number_of_the_log_is_written_in_one_way(alice: Any, bob: Any) -> None:
    create_finished_match("tic-tac-toe", alice, bob, 2)
    file = signed(create_finished_match("tic-tac-toe", alice, bob))
    trusted = [keys.get_key()]
    verify.verified(file, trusted)
    assert file.count(b'"index":1,') == 1
    for index in (b"true", b"1.0", b"1e0", b"01", b'"1"', b"[1]", b"-1", b"1" * 5000, b"null"):
        with pytest.raises(verify.Unsound):
            verify.verified(file.replace(b'"index":1,', b'"index":' + index + b","), trusted)
    with pytest.raises(verify.Unsound):  # the last of two keys would count
        verify.verified(file.replace(b'"index":1,', b'"index":0,"index":1,'), trusted)


@pytest.mark.django_db(transaction=True)
def test_the_place_of_a_record_has_exact_types(alice: Any, bob: Any) -> None:
    file = json.loads(signed(create_finished_match("tic-tac-toe", alice, bob)))
    trusted = [keys.get_key()]
    verify.verified(verify.canonical(file), trusted)
    place, record = file["log"], file["record"]
    assert place["index"] == 0 and place["proof"] == []
    root = log.get_tree().root()
    spare = [
        b64encode(root).decode()[:-2] + "B=",  # other unused bits
        b64encode(root).decode().rstrip("="),
        f" {b64encode(root).decode()}",
    ]
    for wrong in (
        {"index": False}, {"proof": ""}, {"proof": {}}, {"proof": None}, {"proof": [1]},
        {"checkpoint": [place["checkpoint"]]}, {"checkpoint": None}, {"more": 1},
        *({"proof": [each]} for each in spare),
    ):  # fmt: skip
        with pytest.raises(verify.Unsound):
            verify.verified(verify.canonical({**file, "log": {**place, **wrong}}), trusted)
    for wrong in ({"signature": f"{file['signature']}\n"}, {"key": [file["key"]]}, {"log": False}):
        with pytest.raises(verify.Unsound):
            verify.verified(verify.canonical({**file, **wrong}), trusted)
    for size in ("\u0661", "01", "1" * 5000, "1 ", "+1"):
        text = f"{keys.get_origin()}\n{size}\n{b64encode(root).decode()}\n"
        packed = verify.key_id(
            keys.get_origin(), verify.parse_key(keys.get_key())[1]
        ) + keys.sign_text(text.encode())
        note = f"{text}\n\u2014 {keys.get_origin()} {b64encode(packed).decode()}\n"
        with pytest.raises(verify.Unsound):
            verify.verified(_resigned(record, **{**place, "checkpoint": note}), trusted)


@pytest.mark.django_db(transaction=True)
def test_the_fields_of_a_record_have_exact_types(alice: Any, bob: Any) -> None:
    """Even if the site signed such a record: its readers must not differ over what it says."""
    record = verify.verified(
        signed(create_finished_match("tic-tac-toe", alice, bob)), [keys.get_key()]
    )
    trusted = [keys.get_key()]
    verify.verified(_resigned(record), trusted, logged=False)
    first, *others = record["moves"]
    seats, goals = record["seats"], record["goals"]
    wrong: list[dict[str, Any]] = [
        {name: value}
        for name, right in record.items()
        if name != "format"
        for value in (True, 1, "1", None, [], {})
        if type(value) is not type(right)
        if not (value is None and name in {"goals", "ended_at", "nonce"})
    ]
    wrong += [
        {"moves": [{**first, name: value}, *others]}
        for name, right in first.items()
        for value in (True, 1, "1", None, [])
        if type(value) is not type(right) and not (value is None and name == "spent_ms")
    ]
    wrong += [{"moves": [{**first, "more": 1}, *others]}, {"more": 1}]
    wrong += [{"goals": {**goals, role: True}} for role in goals]
    wrong += [{"seats": {**seats, role: {"player": True, "computer": None}}} for role in seats]
    wrong += [{"nonce": "0" * 31}, {"nonce": "A" * 32}, {"nonce": "0 " * 16}]
    for each in wrong:
        with pytest.raises(verify.Unsound, match="no signed record"):
            verify.verified(_resigned({**record, **each}), trusted, logged=False)
    for other in ("parlour-record/1", "parlour-record/3", ""):
        with pytest.raises(verify.Unsound, match="no signed record"):
            verify.verified(_resigned({**record, "format": other}), trusted, logged=False)


@pytest.mark.django_db(transaction=True)
def test_what_was_changed_in_the_database_is_not_signed(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    signed(match)
    goals = {"first_goal": match.second_goal, "second_goal": match.first_goal}
    Match.objects.filter(pk=match.pk).update(ended="adjudicated", **goals)
    answer = Client().get(f"/match/{match.pk}/signed.json")
    assert answer.status_code == 409 and answer.json()["error"]["code"] == "not-as-logged"
    Match.objects.filter(pk=match.pk).update(
        ended="rules", first_goal=match.first_goal, second_goal=match.second_goal
    )
    signed(match)
    Move.objects.filter(match=match, ply=1).update(spent_ms=F("spent_ms") + 1)
    assert Client().get(f"/match/{match.pk}/signed.json").status_code == 409


@pytest.mark.django_db
def test_a_match_is_signed_once_it_is_over(alice: Any, bob: Any) -> None:
    running = create_match("tic-tac-toe", alice, bob, plies=1)
    answer = Client().get(f"/match/{running.pk}/signed.json")
    assert answer.status_code == 409 and answer.json()["error"]["code"] == "not-signed"
    assert Client().get("/match/nosuch/signed.json").status_code == 404
    match = create_finished_match("tic-tac-toe", alice, bob)
    file = Client().get(f"/match/{match.pk}/signed.json").content  # before the log has it
    assert json.loads(file)["log"] is None and json.loads(file)["record"]["nonce"] is None
    with pytest.raises(verify.Unsound, match="not in the log"):
        verify.verified(file, [keys.get_key()])
    verify.verified(file, [keys.get_key()], logged=False)


@pytest.mark.django_db(transaction=True)
def test_the_script_alone_verifies_a_file(alice: Any, bob: Any, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(signed(create_finished_match("dots-and-boxes", alice, bob)))
    known = tmp_path / "keys.json"
    known.write_bytes(Client().get("/.well-known/parlour-keys.json").content)
    alone = tmp_path / "elsewhere" / "further" / "verify.py"
    alone.parent.mkdir(parents=True)
    alone.write_bytes(SCRIPT.read_bytes())

    def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(script), str(file), *arguments]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=PATIENCE
        )

    done = run(SCRIPT, "--key", keys.get_key())
    assert done.returncode == 0 and "rules allow" in done.stdout, done
    done = run(alone, "--keys", str(known))
    assert done.returncode == 0 and "not looked at" in done.stdout, done
    done = run(alone, "--keys", str(known), "--rules", str(ROOT))
    assert done.returncode == 0 and "rules allow" in done.stdout, done
    assert run(alone).returncode == 1
    file.write_bytes(file.read_bytes().replace(b'"spent_ms":', b'"spent_ms":1', 1))
    done = run(SCRIPT, "--key", keys.get_key())
    assert done.returncode == 1 and done.stdout.startswith("Refused"), done


@pytest.mark.django_db(transaction=True)
def test_rules_and_result_are_looked_at(alice: Any, bob: Any) -> None:
    record = verify.verified(
        signed(create_finished_match("tic-tac-toe", alice, bob)), [keys.get_key()]
    )
    moves = record["moves"]
    swapped = {role: 100 - points for role, points in record["goals"].items()}
    for wrong in (
        {"moves": moves[:-1]}, {"moves": [moves[0], *moves]}, {"notation": "xo......."},
        {"goals": {**swapped, "xplayer": 1}}, {"goals": None}, {"goals": {}},
        {"ended": "resignation"}, {"game": "chess"},
        {"moves": [{**moves[0], "role": "oplayer"}, *moves[1:]]},
    ):  # fmt: skip
        with pytest.raises(verify.Unsound):
            verify.replayed({**record, **wrong}, GAMES)


@pytest.mark.django_db(transaction=True)
def test_a_record_of_before_stays_sound_when_the_key_has_changed(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    before = signed(match)
    with override_settings(SIGNING_SEED=b"\2" * 32):
        after = signed(match)
        known = [str(each["key"]) for each in keys.list_keys()]
    assert before != after
    for file in (before, after):
        verify.verified(file, known)
