"""`/match/<id>/record.json?format=…`: stored matches in other formats."""

from typing import Any

import pytest
from django.test import Client

from games.formats import read_record
from games.models import Move
from tests.builders.matches import create_finished_match, create_match


@pytest.mark.django_db
@pytest.mark.parametrize(("game", "name"), [("six-in-a-row", "sgf"), ("dots-and-boxes", "golem")])
def test_a_match_is_had_in_its_format_while_it_is_live_and_after(
    alice: Any, bob: Any, game: str, name: str
) -> None:
    for match in (create_match(game, alice, bob, plies=4), create_finished_match(game, alice, bob)):
        answer = Client().get(f"/match/{match.pk}/record.json?format={name}")
        assert answer.status_code == 200, answer.content
        assert not answer.headers["Content-Type"].startswith("application/json")
        assert match.pk in answer.headers["Content-Disposition"]
        stored = Move.objects.filter(match=match).order_by("ply").values_list("action", flat=True)
        assert read_record(answer.content).actions == tuple(stored)
        plain = Client().get(f"/match/{match.pk}/record.json").content
        assert read_record(plain).actions == tuple(stored)


@pytest.mark.django_db
def test_a_format_that_a_game_has_not_is_refused(alice: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", alice, bob, plies=1)
    for name, code in (("sgf", "record-game"), ("pgn", "record-format"), ("", "record-format")):
        answer = Client().get(f"/match/{match.pk}/record.json?format={name}")
        assert answer.status_code == 400
        error = answer.json()["error"]
        assert error["code"] == code and error["detail"] and isinstance(error["params"], dict)
    assert Client().get("/match/nosuch/record.json?format=sgf").status_code == 404


@pytest.mark.django_db
def test_a_record_with_an_illegal_move_is_refused_elsewhere(alice: Any, bob: Any) -> None:
    match = create_match("six-in-a-row", alice, bob, plies=3)
    Move.objects.filter(match=match, ply=2).update(action="place 1 1")
    answer = Client().get(f"/match/{match.pk}/record.json?format=sgf")
    assert answer.status_code == 400 and answer.json()["error"]["code"] == "record-move"
    assert Client().get(f"/match/{match.pk}/record.json").status_code == 200
