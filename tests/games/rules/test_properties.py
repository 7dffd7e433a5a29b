"""Properties of every position of every game."""

import contextlib
import random
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.rules import GAMES, Game, IllegalAction, Position
from tests.builders.sites import ROOT

ALL = list(GAMES.values())
PICKS = ("pick black", "pick white")
ACTIONS = {game.slug: (*game.start.legal(), *PICKS) for game in ALL}
EVERY_ACTION = sorted({a for actions in ACTIONS.values() for a in actions} | {"noop"})


@st.composite
def positions(draw: st.DrawFn) -> tuple[Game, Position]:
    """A game, and one of its positions after some random actions."""
    game = draw(st.sampled_from(ALL))
    chance = random.Random(draw(st.integers(0, 2**32)))
    position = game.start
    for _ in range(draw(st.integers(0, 240))):
        if position.is_over:
            break
        while not position.may(action := chance.choice(ACTIONS[game.slug])):
            pass  # listing what is legal would take longer
        position = position.play(action)
    return game, position


def near_misses(action: str) -> list[str]:
    """Wrong spellings of an action."""
    return [
        f" {action}", f"{action} ", f"{action}\n", action.replace(" ", "  "), action.upper(),
        action.replace(" ", "\t"), f"{action} 1", action.rsplit(" ", 1)[0], action + "\x00",
        action.replace("1", "01"), action.replace("1", "\u0661"), action.replace(" ", "\u00a0"),
        action.replace("1", "1.0"), action.replace("1", "+1"), action * 1000,
    ]  # fmt: skip


STRINGS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(EVERY_ACTION),
    st.sampled_from(EVERY_ACTION).flatmap(lambda a: st.sampled_from(near_misses(a))),
    st.from_regex(r"(mark|draw|place|pick)( -?\d{1,2}){0,5}", fullmatch=True),
)
relaxed = settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])


@relaxed
@given(positions())
def test_notation_reads_back(found: tuple[Game, Position]) -> None:
    game, position = found
    again = game.read(position.notation)
    assert again == position
    assert hash(again) == hash(position)
    assert again.diagram == position.diagram
    assert again.goals == position.goals
    assert again.legal() == position.legal()
    assert position.notation.isascii()
    assert "\n" not in position.notation
    assert len(position.notation) <= 255


@relaxed
@given(positions(), st.lists(STRINGS, min_size=1, max_size=8))
def test_play_takes_what_is_legal_and_refuses_everything_else(
    found: tuple[Game, Position], strings: list[str]
) -> None:
    _, position = found
    legal = set(position.legal())
    for string in strings:
        assert position.may(string) == (string in legal)
        if string in legal:
            assert position.play(string) != position
        else:
            with pytest.raises(IllegalAction):
                position.play(string)


@relaxed
@given(positions())
def test_of_all_actions_there_are_the_legal_ones_are_taken(found: tuple[Game, Position]) -> None:
    _, position = found
    taken = set()
    for action in EVERY_ACTION:
        with contextlib.suppress(IllegalAction):
            position.play(action)
            taken.add(action)
    assert taken == set(position.legal())
    assert taken == {action for action in EVERY_ACTION if position.may(action)}


@relaxed
@given(positions())
def test_one_role_is_in_control_and_the_other_may_only_wait(found: tuple[Game, Position]) -> None:
    game, position = found
    if position.is_over:
        assert position.turn is None
        assert [position.legal(role) for role in game.roles] == [(), ()]
        return
    assert position.turn in game.roles
    waiting = next(role for role in game.roles if role != position.turn)
    assert position.legal(waiting) == ("noop",)
    assert position.legal(position.turn) == position.legal()
    assert len(set(position.legal())) == len(position.legal()) > 0
    assert "noop" not in position.legal()


@relaxed
@given(positions())
def test_goals_come_at_the_end_and_not_before(found: tuple[Game, Position]) -> None:
    game, position = found
    if not position.is_over:
        assert position.goals is None
        return
    assert position.goals is not None
    assert set(position.goals) == set(game.roles)
    assert all(0 <= goal <= 100 for goal in position.goals.values())


@relaxed
@given(positions())
def test_a_position_does_not_change(found: tuple[Game, Position]) -> None:
    _, position = found
    before = (position.notation, position.diagram, position.turn)
    if position.legal():
        position.play(position.legal()[-1])
    for name in ("turn", "notation", "lines", "anything"):
        with pytest.raises(AttributeError):
            setattr(position, name, "xplayer")
        with pytest.raises(AttributeError):
            delattr(position, name)
    assert not hasattr(position, "__dict__")
    if position.goals:
        position.goals.clear()
        assert position.goals
    assert before == (position.notation, position.diagram, position.turn)


@relaxed
@given(positions(), st.data())
def test_a_changed_notation_is_refused_or_another_position(
    found: tuple[Game, Position], data: st.DataObject
) -> None:
    game, position = found
    text = position.notation
    at = data.draw(st.integers(0, len(text)))
    some = data.draw(st.sampled_from(["", "x", "o", ".", "/", "0", "f", "-", "1", "\n", " ", "é"]))
    changed = text[:at] + some + text[at + data.draw(st.integers(0, 2)) :]
    with contextlib.suppress(ValueError):
        assert game.read(changed).notation == changed


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.slug)
@pytest.mark.parametrize("text", ["", "x" * 10**6, "/" * 10**5, "\x00", "noop", "é" * 9, "1/1/1"])
def test_what_is_no_notation_is_a_value_error(game: Game, text: str) -> None:
    with pytest.raises(ValueError, match="no position"):
        game.read(text)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.slug)
@pytest.mark.parametrize("value", [None, 7, b".........", [], {}, ("x",), float("nan")])
def test_what_is_no_string_is_no_notation(game: Game, value: object) -> None:
    with pytest.raises(ValueError, match="no position"):
        game.read(value)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.slug)
def test_what_is_no_string_is_no_action(game: Game) -> None:
    for nonsense in (None, 7, ("mark", 1, 1), b"mark 1 1", ["mark 1 1"]):
        with pytest.raises(IllegalAction):
            game.start.play(nonsense)  # type: ignore[arg-type]  # on purpose


def test_a_role_of_another_game_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="player1"):
        GAMES["tic-tac-toe"].start.legal("player1")


def test_the_games_are_the_four_of_the_contract() -> None:
    assert {slug: (game.name, game.roles) for slug, game in GAMES.items()} == {
        "tic-tac-toe": ("Tic-Tac-Toe", ("xplayer", "oplayer")),
        "parallel-tic-tac-toe": ("Parallel Tic-Tac-Toe", ("xplayer", "oplayer")),
        "dots-and-boxes": ("Dots and Boxes", ("xplayer", "oplayer")),
        "six-in-a-row": ("Six in a Row", ("player1", "player2")),
    }


def test_the_rules_need_no_django() -> None:
    code = "import games.rules, sys; print([m for m in sys.modules if 'django' in m])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("slug", "action", "elements"),
    [
        ("tic-tac-toe", "mark 1 3", {2: "x"}),  # row, column
        ("parallel-tic-tac-toe", "mark 3 1 1 2", {2: "x", 12: "x"}),  # column, row of each grid
        ("dots-and-boxes", "draw 2 1 3 1", {25 + 2: "-"}),  # along the upper edge
        ("dots-and-boxes", "draw 1 2 1 3", {25 + 12: "-"}),  # along the left edge
        ("six-in-a-row", "place 3 1", {2: "b"}),  # column, row
    ],
)
def test_an_action_marks_the_elements_that_it_names(
    slug: str, action: str, elements: dict[int, str]
) -> None:
    diagram = GAMES[slug].start.play(action).diagram
    assert {i: mark for i, mark in enumerate(diagram) if mark != "."} == elements


def test_legal_actions_of_lines_are_in_the_order_of_the_diagram() -> None:
    start = GAMES["dots-and-boxes"].start
    assert len(start.legal()) == 60
    for place, action in enumerate(start.legal()):
        assert start.play(action).diagram[25:].index("-") == place
