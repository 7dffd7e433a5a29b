"""The state frame lists the legal actions if one click is not enough to choose one."""

import pytest
from msgspec.structs import replace

from games.live.frames import encode_bytes
from games.live.protocol import MatchPeople, build_shared_state
from tests.builders import board_sheets
from tests.builders.match_states import create_state, play_actions

AROUND = MatchPeople(("Alice", "Bob"))


@pytest.fixture(autouse=True)
def _sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    board_sheets.add_games(
        monkeypatch, crossing=board_sheets.CROSSING, marks=board_sheets.LINE_OF_THREE
    )


def test_moves_are_listed_with_their_names_and_elements() -> None:
    shared = build_shared_state(create_state(game="crossing"), AROUND)
    text = encode_bytes(shared).decode()
    assert '"paths":[["move wp a 1 a 2","A1–A2",[9,6]],' in text  # noqa: RUF001
    assert '"buttons":["resign"]' in text
    assert '"open":"007"' in text


def test_a_board_of_single_clicks_lists_nothing() -> None:
    state = play_actions(create_state(game="marks"), "mark 1 1")
    text = encode_bytes(build_shared_state(state, AROUND)).decode()
    assert "paths" not in text
    assert '"open":"fd8"' in text


def test_a_match_that_is_over_lists_nothing() -> None:
    state = replace(create_state(game="crossing"), status="over")
    assert "paths" not in encode_bytes(build_shared_state(state, AROUND)).decode()
