"""The proof of a stored match: a match as it was played is sound, and every change is found."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from games.match.commands import Abort, Play, Resign
from games.match.state import MatchState, NewMove
from games.rules import GAMES
from games.store.digests import hash_start as first_link
from games.store.digests import update_digests
from games.store.proof import Replay, find_faults, replay_moves
from tests.builders.match_states import ALICE, BOB, START, apply_command, create_state

LINE = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")  # the first role wins by it


def stored(*actions: str, game: str = "tic-tac-toe") -> tuple[MatchState, list[NewMove]]:
    """A match as the journal stores it after these actions."""
    state = create_state(game)
    state = replace(state, chain=first_link(state))
    moves = []
    for action in actions:
        who = (ALICE, BOB)[state.rules.roles.index(state.turn or "")]
        change = apply_command(state, who, Play(state.ply, action))
        assert change.move is not None
        moves.append(change.move)
        state = update_digests(change.state, change.move)
    return state, moves


def resealed(state: MatchState, **parts: Any) -> MatchState:
    """The state with these parts and a digest that fits, so the digest shows no fault."""
    return update_digests(replace(state, **parts), None)


def words_of(state: MatchState, moves: list[NewMove]) -> list[str]:
    return [fault.words for fault in find_faults(state, moves)]


# -- replaying


def test_a_replay_gives_the_position_before_the_first_move_and_after_each() -> None:
    state, moves = stored(*LINE)
    position, expected = GAMES["tic-tac-toe"].start, [GAMES["tic-tac-toe"].start]
    for action in LINE:
        position = position.play(action)
        expected.append(position)
    assert replay_moves(state, moves) == Replay(tuple(expected), None)
    assert replay_moves(state, moves[:2]) == Replay(tuple(expected[:3]), None)


def test_a_replay_without_moves_is_the_start_of_the_game() -> None:
    state, _ = stored()
    assert replay_moves(state, []) == Replay((GAMES["tic-tac-toe"].start,), None)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ply": 3}, "Move 2 is missing: the next is 3."),
        ({"ply": 1}, "Move 2 is missing: the next is 1."),
        ({"role": "oplayer"}, "'oplayer' moved where 'xplayer' was to move."),
        ({"action": "mark 1 1"}, "The rules do not allow 'mark 1 1' there."),
        ({"action": "nonsense"}, "The rules do not allow 'nonsense' there."),
        ({"action": "noop"}, "The rules do not allow 'noop' there."),
    ],
)
def test_a_replay_ends_before_the_first_move_that_is_not_legal(
    change: dict[str, Any], words: str
) -> None:
    state, moves = stored(*LINE)
    moves[2] = replace(moves[2], **change)
    found = replay_moves(state, moves)
    assert len(found.positions) == 3
    assert found.fault is not None
    assert (found.fault.words, found.fault.ply) == (words, 2)


def test_no_move_follows_the_end_of_the_game() -> None:
    state, moves = stored(*LINE)
    found = replay_moves(state, [*moves, replace(moves[0], ply=5, action="mark 3 3")])
    assert len(found.positions) == 6
    assert found.fault is not None
    assert (found.fault.words, found.fault.ply) == ("A move after the end of the game.", 5)


def test_an_unknown_game_is_a_fault_and_no_error() -> None:
    state, moves = stored("mark 1 1")
    state = replace(state, game="chess")
    found = replay_moves(state, moves)
    assert found.positions == ()
    assert found.fault is not None
    assert found.fault.words == "There is no game 'chess'."
    assert "There is no game 'chess'." in words_of(state, moves)


# -- faults


@pytest.mark.parametrize("count", range(6))
def test_a_match_that_the_site_stored_has_no_faults(count: int) -> None:
    assert find_faults(*stored(*LINE[:count])) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_started_match_of_any_game_has_no_faults(game: str) -> None:
    position, actions = GAMES[game].start, []
    for _ in range(4):
        actions.append(position.legal()[-1])
        position = position.play(actions[-1])
    assert find_faults(*stored(*actions, game=game)) == []


def test_a_match_with_any_end_has_no_faults() -> None:
    state, moves = stored(*LINE[:3])
    assert find_faults(update_digests(apply_command(state, BOB, Resign()).state, None), moves) == []
    made, _ = stored()
    assert find_faults(update_digests(apply_command(made, ALICE, Abort()).state, None), []) == []
    over, moves = stored(*LINE)
    assert find_faults(resealed(over, ended="voided", first_goal=0, second_goal=0), moves) == []
    for goals in ((0, 100), (50, 50), (30, 70)):
        one, other = goals
        ruled = resealed(over, ended="adjudicated", first_goal=one, second_goal=other)
        assert find_faults(ruled, moves) == []


def test_an_illegal_move_is_told_and_not_what_follows_from_it() -> None:
    state, moves = stored(*LINE)
    moves[4] = replace(moves[4], action="mark 3 3 3")
    assert words_of(state, moves) == [
        "The rules do not allow 'mark 3 3 3' there.",
        "The moves or the seats are not those that the site stored: the chain differs.",
    ]


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("ply", 4, "4 moves are noted and 3 are stored."),
        ("ply", 2, "2 moves are noted and 3 are stored."),
        ("last", "mark 1 1", "The last action noted is not the last move."),
        ("last", "", "The last action noted is not the last move."),
        ("acted", 1, "Who has acted is noted wrongly."),
        ("acted", 2, "Who has acted is noted wrongly."),
        ("acted", 0, "Who has acted is noted wrongly."),
    ],
)
def test_what_is_noted_of_the_moves_must_fit_them(part: str, value: Any, words: str) -> None:
    state, moves = stored(*LINE[:3])
    assert words_of(replace(state, **{part: value}), moves) == [words]


def test_what_is_noted_of_no_moves_must_fit_them_too() -> None:
    state, _ = stored()
    assert words_of(replace(state, last="mark 1 1"), []) == [
        "The last action noted is not the last move."
    ]
    assert words_of(replace(state, acted=1), []) == ["Who has acted is noted wrongly."]


def test_a_position_that_the_moves_do_not_lead_to_is_told_with_its_ply() -> None:
    state, moves = stored(*LINE[:3])
    other, _ = stored(*LINE[:2])
    (fault,) = find_faults(replace(state, notation=other.notation), moves)
    assert fault.ply == 3
    assert fault.words == (f"The moves lead to {state.notation}, and {other.notation} is stored.")


LIVE_HAS_END = "The match is live and has an end."
NO_RESULT = "The match is over and has no result."


@pytest.mark.parametrize(
    "parts",
    [
        {"ended": "resignation"},
        {"first_goal": 0, "second_goal": 100},
        {"ended_at": START},
    ],
    ids=lambda parts: next(iter(parts)),
)
def test_a_live_match_has_no_end(parts: dict[str, Any]) -> None:
    state, moves = stored(*LINE[:3])
    assert words_of(replace(state, **parts), moves) == [LIVE_HAS_END]


def test_a_match_whose_game_is_over_is_not_live() -> None:
    state, moves = stored(*LINE)
    opened = {"ended": "", "first_goal": None, "second_goal": None, "ended_at": None}
    live = replace(state, status="live", digest="", **opened)  # type: ignore[arg-type]
    assert words_of(live, moves) == [LIVE_HAS_END]


@pytest.mark.parametrize("parts", [{"ended": ""}, {"first_goal": None}, {"ended_at": None}])
def test_a_match_that_is_over_has_a_result(parts: dict[str, Any]) -> None:
    state, moves = stored(*LINE)
    assert words_of(resealed(state, **parts), moves) == [NO_RESULT]


def over_by(ended: str, goals: tuple[int, int], count: int = 3, **parts: Any) -> list[str]:
    """The faults of a match that ended like this after `count` moves."""
    state, moves = stored(*LINE[:count])
    end = {"status": "over", "ended": ended, "first_goal": goals[0], "second_goal": goals[1]}
    ended_at = START + timedelta(seconds=9)
    return words_of(resealed(state, **{**end, "ended_at": ended_at, **parts}), moves)


@pytest.mark.parametrize("goals", [(100, 0), (0, 100), (50, 50), (0, 0)])
@pytest.mark.parametrize(
    ("ended", "possible"),
    [
        ("voided", {(0, 0)}),
        ("agreement", {(50, 50)}),
        ("resignation", {(100, 0), (0, 100)}),
        ("time", {(100, 0), (0, 100)}),
        ("abandoned", {(100, 0), (0, 100), (50, 50)}),
        ("adjudicated", {(100, 0), (0, 100), (50, 50), (0, 0)}),
    ],
)
def test_an_end_allows_certain_goals_only(
    ended: str, possible: set[tuple[int, int]], goals: tuple[int, int]
) -> None:
    one, other = goals
    told = {"xplayer": one, "oplayer": other}
    wrong = f"{told} cannot be the result of a match that ended so: {ended}."
    assert over_by(ended, goals) == ([] if goals in possible else [wrong])


def test_by_the_rules_the_result_is_that_of_the_position() -> None:
    state, moves = stored(*LINE)
    told = {"xplayer": 0, "oplayer": 100}
    assert words_of(resealed(state, first_goal=0, second_goal=100), moves) == [
        f"By the rules the result is {state.goals}, and {told} is stored."
    ]
    told = {"xplayer": 100, "oplayer": 0}
    assert over_by("rules", (100, 0)) == [f"By the rules the result is open, and {told} is stored."]


@pytest.mark.parametrize("ended", ["resignation", "time", "abandoned", "agreement", "aborted"])
def test_a_game_that_the_rules_ended_did_not_end_otherwise(ended: str) -> None:
    assert over_by(ended, (100, 0), len(LINE)) == [
        f"The rules ended the game, and {ended!r} is stored."
    ]


def test_aborted_is_a_status_and_an_end() -> None:
    assert over_by("aborted", (0, 0), 1, status="aborted") == []
    assert over_by("aborted", (0, 0), 1) == ["The status over does not fit the end: aborted."]
    assert over_by("resignation", (0, 100), status="aborted") == [
        "The status aborted does not fit the end: resignation."
    ]


def test_a_match_in_which_both_acted_is_not_aborted() -> None:
    assert over_by("aborted", (0, 0), 2, status="aborted") == [
        "The match was aborted after both had acted."
    ]
