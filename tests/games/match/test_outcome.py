"""How a match ended, in sentences for its winner, its loser and a watcher."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from games.boards import BOARDS
from games.match.commands import Abort, Resign, Sweep, Void
from games.match.outcome import Outcome, get_outcome, get_outcome_for
from games.match.state import MatchState
from games.messages import render_english
from games.rules import GAMES
from tests.builders.match_states import (
    ALICE,
    DAY,
    SECOND,
    START,
    apply_command,
    create_state,
    play_actions,
)

NAMES = {"xplayer": "Sly Fox", "oplayer": "Kind Otter"}


def said(state: MatchState, viewer: str | None = None) -> str:
    found = get_outcome(state)
    assert found is not None
    return render_english(get_outcome_for(found, NAMES, viewer))


def each(state: MatchState) -> tuple[str, str, str]:
    """The sentences for x, for o and for a watcher."""
    return said(state, "xplayer"), said(state, "oplayer"), said(state)


def all_lines_drawn(x_boxes: int) -> MatchState:
    game = GAMES["dots-and-boxes"]
    boxes = (1 << x_boxes) - 1
    notation = f"{(1 << 60) - 1:x}/{boxes:x}/{(1 << 25) - 1 & ~boxes:x}/-"
    goals = game.read(notation).goals
    assert goals is not None
    first, second = goals.values()
    return replace(
        create_state(game.slug),
        notation=notation,
        ply=60,
        status="over",
        ended="rules",
        first_goal=first,
        second_goal=second,
    )


def test_a_live_match_has_no_outcome() -> None:
    assert get_outcome(create_state()) is None


def test_a_line_is_what_won() -> None:
    state = play_actions(create_state(), "mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")
    assert get_outcome(state) == Outcome("tic-tac-toe.line", "xplayer")
    assert each(state) == (
        "You won: three in a row",
        "You lost: Sly Fox has three in a row",
        "Sly Fox won: three in a row",
    )


def test_a_full_board_is_a_draw_for_everybody() -> None:
    state = create_state()
    for action in "1 1", "1 2", "1 3", "2 2", "2 1", "2 3", "3 2", "3 1", "3 3":
        state = play_actions(state, f"mark {action}")
    assert set(each(state)) == {"Draw: the board is full"}


def test_boxes_are_counted_from_where_one_stands() -> None:
    state = all_lines_drawn(19)
    assert get_outcome(state) == Outcome("end.score", "xplayer", 19, 6)
    dash = "\N{EN DASH}"
    assert each(state) == (f"You won 19{dash}6", f"You lost 6{dash}19", f"Sly Fox won 19{dash}6")
    assert said(all_lines_drawn(6)) == f"Kind Otter won 19{dash}6"


@pytest.mark.parametrize(
    ("one", "other", "goals", "words"),
    [
        (
            "xxxoo....",
            "xxoo.x...",
            (50, 0),
            "Sly Fox won: three in a row. 50 to 0",
        ),
        (
            "xoxxoxoxo",
            "xxxoxooxo",
            (75, 25),
            "Sly Fox won: three in a row. Left: full. 75 to 25",
        ),
        (
            "xxxoo....",
            "xxxoo....",
            (100, 0),
            "Sly Fox won: three in a row twice. 100 to 0",
        ),
        ("xoxxoxoxo", "xoxxoxoxo", (50, 50), "Draw: the grids are full"),
    ],
)
def test_two_grids_say_on_how_many_there_is_a_line(
    one: str, other: str, goals: tuple[int, int], words: str
) -> None:
    state = replace(
        create_state("parallel-tic-tac-toe"),
        notation=f"{one}/{other}",
        status="over",
        ended="rules",
        first_goal=goals[0],
        second_goal=goals[1],
    )
    assert state.position.goals == {"xplayer": goals[0], "oplayer": goals[1]}
    assert said(state) == words


def test_each_reads_of_two_grids_from_where_they_stand() -> None:
    state = replace(
        create_state("parallel-tic-tac-toe"),
        notation="xxxoo..../xxoo.x...",
        status="over",
        ended="rules",
        first_goal=50,
        second_goal=0,
    )
    mine, theirs, _ = each(state)
    assert mine.endswith(": three in a row. 50 to 0")
    assert theirs.endswith(": three in a row. 0 to 50")


def test_a_tie_of_boxes_says_why_it_is_won() -> None:
    """No game on five by five boxes ends so; a board of another size can."""
    code = "dots-and-boxes.tie"
    found = Outcome(code, "oplayer", 12, 12)
    dash = "\N{EN DASH}"
    assert render_english(get_outcome_for(found, NAMES, "oplayer")) == (
        f"You won 12{dash}12: a tie goes to O, who went second"
    )
    position = GAMES["dots-and-boxes"].start
    assert BOARDS["dots-and-boxes"].result(position) == "tie"  # none against none


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (
            lambda: apply_command(create_state(), ALICE, Resign()).state,
            (
                "You lost: you resigned",
                "You won: Sly Fox resigned",
                "Kind Otter won: Sly Fox resigned",
            ),
        ),
        (
            lambda: (
                apply_command(
                    play_actions(create_state(clock="0+5"), "mark 1 1"),
                    None,
                    Sweep(),
                    START + 9 * SECOND,
                ).state
            ),
            ("You won on time", "You lost on time", "Sly Fox won on time"),
        ),
        (
            lambda: apply_command(create_state(), ALICE, Abort()).state,
            ("Game cancelled. It doesn't count.",) * 3,
        ),
        (
            lambda: apply_command(create_state(clock="0+5"), None, Sweep(), START + DAY).state,
            ("Game cancelled before the first move. It doesn't count.",) * 3,
        ),
        (
            lambda: apply_command(create_state(), None, Void()).state,
            ("The moderators voided this game. It doesn't count.",) * 3,
        ),
        (
            lambda: apply_command(create_state(), None, Void(seat=0)).state,
            ("Both players were the same person. The game doesn't count.",) * 3,
        ),
        (
            lambda: ended("abandoned", 100, clock="3+2"),
            (
                "You won: Kind Otter left",
                "You lost: you left the game",
                "Sly Fox won: Kind Otter left",
            ),
        ),
        (
            lambda: ended("abandoned", 100),
            (
                "You won: Kind Otter stopped playing",
                "You lost: you stopped playing",
                "Sly Fox won: Kind Otter stopped playing",
            ),
        ),
        (lambda: ended("abandoned", 50), ("Draw: neither player moved",) * 3),
        (lambda: ended("abandoned", 50, clock="3+2"), ("Draw: both players left",) * 3),
        (lambda: ended("agreement", 50), ("Draw by agreement",) * 3),
        (lambda: ended("adjudicated", 50), ("Draw by moderator decision",) * 3),
        (
            lambda: ended("adjudicated", 100),
            (
                "You won by moderator decision",
                "You lost by moderator decision",
                "Sly Fox won by moderator decision",
            ),
        ),
        (
            lambda: ended("nonsense", 100),
            ("The game is over, but its stored result is damaged.",) * 3,
        ),
        (
            lambda: replace(ended("time", 0), first_goal=None),
            ("The game is over, but its stored result is damaged.",) * 3,
        ),
        (lambda: ended("rules", 100), ("You won", "You lost", "Sly Fox won")),
    ],
)
def test_each_end_has_its_words(end: Callable[[], MatchState], words: tuple[str, str, str]) -> None:
    assert each(end()) == words


def ended(how: str, first: int, clock: str = "") -> MatchState:
    return replace(
        create_state(clock=clock),
        status="over",
        ended=how,
        first_goal=first,
        second_goal=100 - first,
    )


def test_what_counts_for_nobody_is_no_result() -> None:
    for seat in (None, 0):
        found = get_outcome(replace(ended("voided", 0), second_goal=0, ended_by=seat))
        assert found is not None
        assert not found.is_result


def test_what_somebody_won_or_both_drew_is_a_result() -> None:
    for goals in (100, 50, 0):
        found = get_outcome(ended("agreement" if goals == 50 else "resignation", goals))
        assert found is not None
        assert found.is_result is True
