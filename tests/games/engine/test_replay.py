"""Stepping through a match: a step for each position, and where a page leads from one."""

import pytest
from msgspec.structs import replace

from games.engine.replay import Step, build_replay_context, build_steps
from games.engine.verdicts import Verdict
from games.match.state import MatchState, NewMove
from games.messages import build_message
from games.store.records import MatchRecord
from tests.builders.match_states import START, create_state, play_actions

LINE = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


def recorded(count: int) -> MatchRecord:
    """A match of tic-tac-toe after so many moves; five end it."""
    state = play_actions(create_state(), *LINE[:count])
    roles = state.rules.roles
    moves = (NewMove("match", i, roles[i % 2], LINE[i], START, 0) for i in range(count))
    return MatchRecord(state, tuple(moves))


def steps(count: int = 5) -> list[Step]:
    found = recorded(count)
    return build_steps(found.state, found.moves)


def test_the_first_step_is_the_start_of_the_game() -> None:
    assert steps()[0] == Step(
        ply=0, role=None, last=None, said=None, mark="", diagram=".........", fresh=(),
        line=(), turn="xplayer", scores={"xplayer": None, "oplayer": None},
    )  # fmt: skip


def test_each_move_has_a_step_with_who_made_it_and_what_it_led_to() -> None:
    found = steps()
    assert [step.ply for step in found] == [0, 1, 2, 3, 4, 5]
    assert [step.last for step in found[1:]] == list(LINE)
    assert [(step.role, step.mark) for step in found[1:4]] == [
        ("xplayer", "x"), ("oplayer", "o"), ("xplayer", "x"),
    ]  # fmt: skip
    assert found[2].diagram == "x..o....."
    assert found[2].fresh == (3,)
    assert found[2].turn == "xplayer"
    assert found[2].said == build_message("said.action", action="A2")


def test_the_last_step_of_a_game_that_is_over_has_its_line_and_no_turn() -> None:
    *before, last = steps()
    assert (last.line, last.turn) == ((0, 1, 2), None)
    assert all(step.line == () and step.turn for step in before)


def test_what_is_gained_is_counted_where_the_game_counts_it() -> None:
    actions = ["draw 1 1 1 2", "draw 1 1 2 1", "draw 2 1 2 2", "draw 1 2 2 2"]
    state = create_state("dots-and-boxes")
    moves = []
    for ply, action in enumerate(actions):
        moves.append(NewMove("match", ply, state.turn or "", action, START, 0))
        state = play_actions(state, action)
    first, second = state.rules.roles
    found = build_steps(state, moves)
    assert [step.scores[second] for step in found] == [0, 0, 0, 0, 1]
    assert [step.scores[first] for step in found] == [0, 0, 0, 0, 0]
    assert found[-1].turn == found[-1].role == second  # a box keeps the turn


def test_the_steps_end_before_a_move_that_the_rules_do_not_allow() -> None:
    found = recorded(5)
    moves = list(found.moves)
    moves[3] = replace(moves[3], action="mark 1 1")
    assert [step.ply for step in build_steps(found.state, moves)] == [0, 1, 2, 3]


def test_verdicts_are_on_the_moves_and_none_on_the_start() -> None:
    found = recorded(5)
    kinds = [
        Verdict(str(i), build_message("verdict.none"), build_message("verdict.none"), (i,))
        for i in range(5)
    ]
    step = build_steps(found.state, found.moves, kinds)
    assert step[0].verdict is None
    assert [each.verdict for each in step[1:]] == kinds
    assert [each.better for each in step] == [(), (0,), (1,), (2,), (3,), (4,)]
    fewer = build_steps(found.state, found.moves, kinds[:2])
    assert [each.verdict for each in fewer[1:]] == [*kinds[:2], None, None, None]
    short = recorded(2)
    assert len(build_steps(short.state, short.moves, kinds)) == 3  # more verdicts than moves


# -- where a page leads


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("0", 0), ("3", 3), ("5", 5), ("6", 5), ("9999999", 5), ("007", 5), ("01", 1),
        ("", 5), ("-1", 5), ("x", 5), ("1.0", 5), (" 1", 5), ("²", 5), ("00000001", 5),
        ("\N{ARABIC-INDIC DIGIT ONE}", 5),
    ],
)  # fmt: skip
def test_the_step_that_is_asked_for_is_shown_else_the_last(asked: str, shown: int) -> None:
    found = build_replay_context(recorded(5), asked)
    assert found["shown_ply"] == shown == found["frame"].ply
    assert found["previous_ply"] == max(0, shown - 1)
    assert found["next_ply"] == min(5, shown + 1)
    assert found["last_ply"] == 5
    assert [step.ply for step in found["moves"]] == [1, 2, 3, 4, 5]
    assert found["is_live"] is False


def test_a_live_match_is_shown_as_it_stands_unless_all_of_it_may_be_stepped_through() -> None:
    live = recorded(3)
    assert build_replay_context(live, "1")["shown_ply"] == 3
    assert build_replay_context(live, "1")["is_live"] is True
    assert build_replay_context(live, "1", live_too=True)["shown_ply"] == 1
    assert build_replay_context(live, "", live_too=True)["shown_ply"] == 3


def test_the_step_that_is_shown_has_its_verdict() -> None:
    verdict = Verdict("lost", build_message("verdict.none"), build_message("verdict.none"), (8,))
    found = build_replay_context(recorded(5), "1", verdicts=[verdict])
    assert found["frame"].verdict == verdict


def test_a_match_without_moves_has_one_step() -> None:
    state: MatchState = create_state()
    found = build_replay_context(MatchRecord(state, ()), "0")
    assert (found["moves"], found["last_ply"], found["next_ply"]) == ([], 0, 0)


def test_the_stones_of_the_opening_have_their_colours_in_the_list() -> None:
    actions = [f"place {number} 8" for number in range(1, 6)]
    state, moves = create_state("six-in-a-row"), []
    for ply, action in enumerate(actions):
        moves.append(NewMove("match", ply, state.turn or "", action, START, 0))
        state = play_actions(state, action)
    assert [step.mark for step in build_steps(state, moves)] == ["", "b", "w", "b", "w", "b"]
