"""A match in one line, however it ended."""

# ruff: noqa: RUF001  # a score is written with a dash

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from games.match.commands import Abort, Resign, Void
from games.match.state import MatchState
from games.previews.titles import render_headline, render_title
from games.rules import GAMES
from tests.builders.match_states import ALICE, BOB, apply_command, create_state, play_actions

NAMES = ("Sly Fox", "Kind Otter")
LINE = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


def ended(state: MatchState, how: str, first: int, second: int) -> MatchState:
    return replace(state, status="over", ended=how, first_goal=first, second_goal=second)


def boxes(of_x: int) -> MatchState:
    """Dots and Boxes with every line drawn; X has so many boxes, O the others."""
    game = GAMES["dots-and-boxes"]
    owned = (1 << of_x) - 1
    notation = f"{(1 << 60) - 1:x}/{owned:x}/{(1 << 25) - 1 & ~owned:x}/-"
    first, second = (game.read(notation).goals or {}).values()
    return ended(
        replace(create_state(game.slug), notation=notation, ply=60), "rules", first, second
    )


def grids(one: str, other: str, first: int, second: int) -> MatchState:
    begins = create_state("parallel-tic-tac-toe")
    return ended(replace(begins, notation=f"{one}/{other}"), "rules", first, second)


@pytest.mark.parametrize(
    ("match", "said"),
    [
        (create_state, "Sly Fox against Kind Otter"),
        (lambda: play_actions(create_state(), *LINE), "Sly Fox beat Kind Otter"),
        (lambda: apply_command(create_state(), ALICE, Resign()).state, "Kind Otter beat Sly Fox"),
        (lambda: apply_command(create_state(), BOB, Resign()).state, "Sly Fox beat Kind Otter"),
        (lambda: ended(create_state(), "agreement", 50, 50), "Sly Fox and Kind Otter drew"),
        (lambda: ended(create_state(), "adjudicated", 70, 30), "Sly Fox beat Kind Otter"),
        (lambda: apply_command(create_state(), ALICE, Abort()).state, "Sly Fox against Kind Otter"),
        (lambda: apply_command(create_state(), None, Void()).state, "Sly Fox against Kind Otter"),
        (
            lambda: apply_command(play_actions(create_state(), *LINE), None, Void()).state,
            "Sly Fox against Kind Otter",
        ),
        (
            lambda: replace(play_actions(create_state(), *LINE), first_goal=None),
            "Sly Fox against Kind Otter",
        ),
        (lambda: boxes(19), "Sly Fox beat Kind Otter 19–6"),
        (lambda: boxes(6), "Kind Otter beat Sly Fox 19–6"),
        (lambda: grids("xxxoo....", "xxoo.x...", 50, 0), "Sly Fox beat Kind Otter 50–0"),
        (lambda: grids("xoxxoxoxo", "xxxoxooxo", 75, 25), "Sly Fox beat Kind Otter 75–25"),
        (lambda: grids("xxxoo....", "xxxoo....", 100, 0), "Sly Fox beat Kind Otter"),
        (lambda: grids("xoxxoxoxo", "xoxxoxoxo", 50, 50), "Sly Fox and Kind Otter drew"),
    ],
)
def test_a_match_in_one_line(match: Callable[[], MatchState], said: str) -> None:
    assert render_headline(match(), NAMES) == said


def test_the_title_names_the_game_as_well() -> None:
    assert render_title(create_state(), NAMES) == "Sly Fox against Kind Otter · Tic-Tac-Toe"


def test_a_name_that_is_written_from_right_to_left_stays_apart() -> None:
    won = play_actions(create_state(), *LINE)
    assert render_headline(won, ("דנה", "Sly Fox")) == "\u2068דנה\u2069 beat Sly Fox"
