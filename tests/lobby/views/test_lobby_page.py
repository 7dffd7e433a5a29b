"""The lobby's page as the server draws it: what it remembers, and what empty lists offer."""

import re
from typing import Any
from unittest.mock import AsyncMock
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.lessons import LESSONS
from games.models import Match
from games.rules import GAMES
from lobby.accounts.guests import new_guest
from lobby.models import Player, Preferences
from lobby.views import lobby
from lobby.views.suggestions import get_last_good_game, get_puzzle
from tests.builders.matches import create_finished_match, create_rated_win
from tests.builders.players import client_for
from tests.builders.query_plans import get_query_plan

pytestmark = pytest.mark.django_db


def page(client: Client, **remembered: str) -> str:
    client.cookies["lobby"] = urlencode(remembered)
    return client.get("/").content.decode()


def card_order(html: str) -> list[str]:
    return re.findall(r'class="game panel"\s+data-game="([a-z-]+)"', html)


def chosen(html: str) -> list[str]:
    fields = re.findall(r'<input\s+type="radio"\s+name="control"[^>]*>', html)
    return [re.findall('value="(.*?)"', field)[0] for field in fields if "checked" in field]


def test_games_that_were_played_last_come_first_and_favourites_before_them() -> None:
    usual = list(GAMES)
    assert card_order(page(Client())) == usual
    recent = card_order(page(Client(), recent="six-in-a-row dots-and-boxes chess"))
    assert recent == ["six-in-a-row", "dots-and-boxes", *usual[:2]]
    both = page(Client(), recent="six-in-a-row", favourites="dots-and-boxes")
    assert card_order(both)[:2] == ["dots-and-boxes", "six-in-a-row"]


@pytest.mark.parametrize(
    ("clock", "radio"),
    [("", ""), ("3+2", "3+2"), ("15+10", "other"), ("999+1", ""), ("<script>", "")],
)
def test_the_last_clock_is_chosen_before_a_script_runs(clock: str, radio: str) -> None:
    html = page(Client(), clock=clock)
    assert chosen(html) == [radio]
    assert "<script>" not in re.sub(r"<script[^>]+>", "", html)
    assert ('id="other-control" hidden' in html) == (radio != "other")


def test_rated_is_not_lit_where_it_cannot_apply(alice: Any) -> None:
    Preferences.objects.create(player=alice, rated=True)
    for client, clock, is_lit, is_enabled in (
        (client_for(alice), "3+2", True, True),
        (client_for(alice), "", False, False),
        (client_for(new_guest()), "3+2", False, False),
    ):
        (box,) = re.findall(r'<input[^>]*id="wants-rated"[^>]*>', page(client, clock=clock))
        assert ("checked" in box, "disabled" not in box) == (is_lit, is_enabled)


def test_a_few_games_need_no_filter_and_no_favourites() -> None:
    html = page(Client())
    assert len(GAMES) < 8
    assert 'id="find-game"' not in html and 'class="favourite' not in html


@pytest.mark.parametrize(("level", "is_plain"), [(1, True), (2, True), (3, False), (5, False)])
def test_the_first_levels_play_six_in_a_row_without_its_opening(
    monkeypatch: pytest.MonkeyPatch, level: int, is_plain: bool
) -> None:
    monkeypatch.setattr(lobby, "_end_searches", AsyncMock())  # it uses a thread of its own
    form = {"game": "six-in-a-row", "clock": "", "level": level, "side": "mine"}
    Client().post("/computer/", form)
    match = Match.objects.get()
    assert (match.options == "plain") == is_plain
    assert match.notation == GAMES["six-in-a-row"].get_start(match.options).notation
    Client().post("/computer/", {**form, "game": "tic-tac-toe"})
    assert Match.objects.exclude(pk=match.pk).get().options == ""


def test_the_puzzle_is_won_by_one_move() -> None:
    puzzle = get_puzzle()
    assert puzzle is not None
    notation = puzzle["url"].split("/", 3)[3].rstrip("/")
    position = GAMES[puzzle["game"]].read(notation)
    assert puzzle["game"] in LESSONS and position.diagram == puzzle["diagram"]
    assert any(
        goals[position.turn] > 50
        for action in position.legal()
        if (goals := position.play(action).goals) and position.turn
    )
    assert Client().get(puzzle["url"]).status_code == 200
    assert puzzle["url"] in page(Client())


def test_the_last_good_game_is_one_that_everybody_may_see(alice: Any, bob: Any) -> None:
    create_rated_win(alice, bob)  # by resignation, which is nothing to watch
    assert get_last_good_game() is None
    played = create_finished_match("dots-and-boxes", alice, bob)
    found = get_last_good_game()
    assert found is not None and found["match"] == played.pk
    assert f"/match/{played.pk}/" in page(Client())
    with CaptureQueriesContext(connection) as queries:
        get_last_good_game()
    assert "match_by_end_time" in get_query_plan(queries[0]["sql"])  # the newest rows alone
    Player.objects.filter(pk=bob.pk).update(is_protected=True)
    assert get_last_good_game() is None
