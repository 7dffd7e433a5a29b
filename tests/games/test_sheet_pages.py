"""The analysis board of a game from a rule sheet."""

import json
import re

import pytest
from django.test import Client

from tests.builders import board_sheets


@pytest.mark.django_db
def test_without_scripts_every_action_is_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    board_sheets.add_games(monkeypatch, crossing=board_sheets.CROSSING)
    page = Client().get("/analysis/crossing/", follow=True).content.decode()
    assert re.search(r"A1–A2\s*</a>", page)  # noqa: RUF001
    address = re.search(r'"([^"]+play=move%20wp%20a%201%20a%202)"', page)
    assert address
    after = Client().get(address[1], follow=True).content.decode()
    assert json.loads(re.findall(r'id="state"[^>]*>(.*?)</script>', after)[0])["diagram"] == (
        "ppp...P...PP"
    )
    assert "<h1>Crossing</h1>" in after


@pytest.mark.django_db
def test_its_page_has_the_moves_of_both_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    board_sheets.add_games(monkeypatch, crossing=board_sheets.CROSSING)
    page = Client().get("/analysis/crossing/", follow=True).content.decode()
    state = json.loads(re.findall(r'id="state"[^>]*>(.*?)</script>', page)[0])
    assert state["buttons"] == ["resign"]
    assert [path[2] for path in state["paths"]] == [[9, 6], [10, 7], [11, 8]]
