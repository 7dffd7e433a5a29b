"""Imported games and positions: import, replay, play on, evaluate."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from games.engine import positions as looks
from games.formats import MOST_BYTES, Sheet, get_format
from games.formats.addresses import decode_actions, encode_actions
from games.messages.refusal import Refused
from games.models import Match, PositionLook
from games.rules import GAMES
from games.runtime.limiter import limiter
from tests.builders.matches import create_finished_match
from tests.builders.retention import delete_old

FORM = "application/x-www-form-urlencoded"
SIX = ("place 1 8", "place 2 8", "place 3 8", "pick white", "place 4 8")


@pytest.mark.django_db
@pytest.mark.parametrize("slug", GAMES)
def test_a_stored_game_is_brought_and_stepped_through(alice: Any, bob: Any, slug: str) -> None:
    match = create_finished_match(slug, alice, bob)
    before = Match.objects.count()
    record = Client().get(f"/match/{match.pk}/record.json").content
    client = Client()
    for given in ({"text": record.decode()}, {"file": SimpleUploadedFile("a.json", record)}):
        answer = client.post("/analysis/", given)
        assert answer.status_code == 302, answer.content
        address = answer.headers["Location"]
        assert len(address) < 2000
        page = client.get(f"{address}?ply=2").content.decode()
        position = GAMES[slug].start
        for move in json.loads(record)["moves"][:2]:
            position = position.play(move["action"])
        assert f'data-notation="{position.notation}"' in page
        assert "alice" not in page  # addresses do not contain the players' names
    assert Match.objects.count() == before and not PositionLook.objects.exists()


@pytest.mark.django_db
def test_other_formats_are_brought() -> None:
    text = get_format("sgf", "six-in-a-row").write(Sheet("six-in-a-row", SIX))
    answer = Client().post("/analysis/", {"text": text})
    assert answer.headers["Location"] == ("/analysis/six-in-a-row/game/1-8.2-8.3-8.pick-white.4-8/")
    answer = Client().post("/analysis/", {"text": "1. a6b6"})
    assert answer.headers["Location"] == "/analysis/dots-and-boxes/game/1-1-2-1/"


@pytest.mark.django_db
def test_one_address_brings_so_many_in_a_minute() -> None:
    limiter.cache_clear()
    with override_settings(RATE_LIMITS=True, RECORDS_PER_MINUTE=2):
        for address, status in (("9", 302), ("9", 302), ("9", 400), ("10", 302)):
            text, requester = "1. a6b6", f"203.0.113.{address}"
            answer = Client().post("/analysis/", {"text": text}, REMOTE_ADDR=requester)
            assert answer.status_code == status, requester
    assert Client().get("/analysis/").status_code == 200


@pytest.mark.django_db
def test_what_is_no_record_is_told_and_kept_in_the_form() -> None:
    for text, said in (
        ("Dear <b>", "cannot be read"),
        ('{"game":"chess","moves":[]}', "not available here"),
    ):
        answer = Client().post("/analysis/", {"text": text})
        assert answer.status_code == 400 and said in answer.content.decode()
        assert "<b>" not in answer.content.decode().split("<textarea")[1].split("</textarea")[0]
    for body in (b"\xff\x00\xfe", b"(" * (MOST_BYTES + 1), b"[" * MOST_BYTES):
        answer = Client().post("/analysis/", {"file": SimpleUploadedFile("a", body)})
        assert answer.status_code == 400, answer.status_code
        assert 'role="alert"' in answer.content.decode()
    assert Client().post("/analysis/", {"text": "(" * 10_000_000}).status_code in {400, 413}


@pytest.mark.django_db
def test_a_pasted_record_may_be_as_long_as_a_file() -> None:
    lines = '{"game": "six-in-a-row",\n' * 100
    for text in (lines + "{" * (MOST_BYTES - len(lines)), "{" * MOST_BYTES):
        assert len(text) == MOST_BYTES
        file = Client().post("/analysis/", {"file": SimpleUploadedFile("a", text.encode())})
        told = file.content.decode().split('role="alert">')[1].split("<")[0]
        assert file.status_code == 400 and "kB" not in told
        pasted = {"text": text.replace("\n", "\r\n")}  # as browsers send a text area
        for form in (pasted, urlencode(pasted)):
            kind = {} if isinstance(form, dict) else {"content_type": FORM}
            answer = Client().post("/analysis/", form, **kind)
            assert answer.status_code == 400
            assert told in answer.content.decode()


def test_actions_come_back_from_an_address() -> None:
    assert decode_actions("six-in-a-row", encode_actions("six-in-a-row", SIX)).actions == SIX
    for text in ("", "8-8.", "..", "8-8.8-8", "place-8-8-", "a b", "-1-1", "9" * 5000, "x.y"):
        with pytest.raises(Refused):
            decode_actions("six-in-a-row", text)


@pytest.mark.django_db
def test_a_position_is_played_on_and_the_server_checks() -> None:
    client = Client()
    address = "/analysis/six-in-a-row/0/0/-/"
    assert client.get("/analysis/six-in-a-row/").headers["Location"] == address
    for action in SIX:
        answer = client.get(address, {"play": action})
        assert answer.status_code == 302
        address = answer.headers["Location"].split("?")[0]
        assert client.get(answer.headers["Location"]).status_code == 200
    notation = _after("six-in-a-row", SIX)
    assert address == f"/analysis/six-in-a-row/{notation}/"
    for action in ("place 1 8", "noop", "", "place 99 1", "pick black", "\u2603"):
        answer = client.get(address, {"play": action})
        assert answer.status_code == 400 and answer.json()["error"]["code"] == "illegal-action"
    for wrong in ("six-in-a-row/1/1/-", "chess/0/0/-", "six-in-a-row/" + "f" * 300, "a/game/1-1"):
        assert client.get(f"/analysis/{wrong}/").status_code == 404


def _after(slug: str, actions: tuple[str, ...]) -> str:
    position = GAMES[slug].start
    for action in actions:
        position = position.play(action)
    return position.notation


@pytest.mark.django_db
def test_looks_are_bounded() -> None:
    asked = {"game": "dots-and-boxes", "notation": "0/0/0/x"}
    with override_settings(RATE_LIMITS=True, EVALUATIONS_PER_MINUTE=2, MAX_QUEUED_EVALUATIONS=3):
        for notation, status in (
            ("0/0/0/x", 202), ("0/0/0/x", 202), ("1/0/0/o", 202), ("2/0/0/o", 429),
        ):  # fmt: skip
            answer = Client(headers={"Accept": "application/json"}).post(
                "/analysis/look.json", {**asked, "notation": notation}, REMOTE_ADDR="198.51.100.7"
            )
            assert answer.status_code == status
        assert answer.headers["Retry-After"]
        for number in (2, 4):
            PositionLook.objects.create(
                game="x", notation=str(number), asked_at="2026-01-01T00:00Z", due_at=None
            )
        looks.request_evaluation(
            "dots-and-boxes", GAMES["dots-and-boxes"].read("4/0/0/o"), "198.51.100.8"
        )
        with pytest.raises(Refused, match="too-fast"):
            looks.request_evaluation(
                "dots-and-boxes", GAMES["dots-and-boxes"].read("8/0/0/o"), "198.51.100.9"
            )
    delete_old(PositionLook)
    assert PositionLook.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_look_is_taken_once_and_stored() -> None:
    position = GAMES["tic-tac-toe"].start
    looks.request_evaluation("tic-tac-toe", position, "there")
    wanted = looks.lease_position()
    assert wanted is not None and wanted.notation == position.notation
    assert looks.lease_position() is None and looks.serialize_evaluation(
        "tic-tac-toe", position
    ) == {"state": "waiting"}
    PositionLook.objects.update(due_at="2026-01-01T00:00Z")  # the process that took it died
    assert looks.lease_position() == wanted
    looks.store_evaluation(wanted, {"best": "mark 2 2", "value": 50.0, "proved": True})
    told = looks.serialize_evaluation("tic-tac-toe", position)
    assert told["state"] == "ready" and told["better"] == (4,)
    assert not looks.has_due_position()
    with pytest.raises(Refused, match="not-allowed"):
        looks.request_evaluation("tic-tac-toe", GAMES["tic-tac-toe"].read("xxxoo...."), "there")
