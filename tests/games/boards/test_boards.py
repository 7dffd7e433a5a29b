"""The drawing of each game fits the rules, is well-formed, and escapes what people wrote."""

import random
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from django.template import Context, Template

from games.boards import BOARDS, Board
from games.boards.drawing import draw
from games.boards.soundness import faults
from games.rules import GAMES, Position

ALL = list(BOARDS.values())


def playout(slug: str, seed: int = 1) -> list[tuple[str, Position]]:
    chance = random.Random(seed)
    position, steps = GAMES[slug].start, []
    while not position.is_over:
        action = chance.choice(position.legal())
        position = position.play(action)
        steps.append((action, position))
    return steps


@pytest.mark.parametrize("board", ALL, ids=lambda board: board.slug)
def test_every_game_has_a_board_that_fits(board: Board) -> None:
    assert set(BOARDS) == set(GAMES)
    assert faults(GAMES[board.slug], board) == []


def test_a_board_that_does_not_fit_is_told() -> None:
    game, board = GAMES["six-in-a-row"], BOARDS["six-in-a-row"]
    assert "elements" in faults(game, replace(board, elements=board.elements[1:]))[0]
    twice = (replace(board.elements[0], place="B1"), *board.elements[1:])
    assert "same name" in faults(game, replace(board, elements=twice))[0]
    named = (*board.buttons, replace(board.buttons[0], action="place 1 2"))
    phrases = {**board.phrases, "place 1 2": board.phrases["pick black"]}
    phrases["place 1 3"] = board.phrases["pick black"]
    assert "same name" in faults(game, replace(board, buttons=named, phrases=phrases))[0]
    assert "pick" in faults(game, replace(board, buttons=()))[0]
    assert "word" in faults(game, replace(board, words={".": "empty"}))[0]
    assert faults(GAMES["dots-and-boxes"], board)


@pytest.mark.parametrize("board", ALL, ids=lambda board: board.slug)
def test_element_i_shows_character_i_along_a_whole_match(board: Board) -> None:
    for action, position in playout(board.slug)[::5]:
        svg = ET.fromstring(draw(board, position.diagram, fresh=board.touched(action)))
        elements = [g for g in svg.iter() if "element" in g.get("class", "")]
        assert "".join(g.get("data-mark", "") for g in elements) == position.diagram
        fresh = {i for i, g in enumerate(elements) if g.get("data-fresh") is not None}
        assert fresh == set(board.touched(action))


@pytest.mark.parametrize("slug", list(GAMES))
def test_the_touched_elements_hold_all_that_an_action_changes(slug: str) -> None:
    """So a page can mark the last move without knowing the position before it."""
    for seed in range(5):
        before = GAMES[slug].start
        for action, after in playout(slug, seed):
            marks = enumerate(zip(before.diagram, after.diagram, strict=True))
            changed = {i for i, (old, new) in marks if old != new}
            touched = set(BOARDS[slug].touched(action))
            assert changed <= touched
            if slug != "dots-and-boxes":
                assert changed == touched
            before = after


@pytest.mark.parametrize("slug", list(GAMES))
def test_what_is_open_is_what_the_rules_allow(slug: str) -> None:
    board = BOARDS[slug]
    for seed in range(3):
        for _, position in [("", GAMES[slug].start), *playout(slug, seed)]:
            wanted = {i for action in position.legal() for i in board.own(action)}
            assert set(board.targets(position)) == wanted
            packed = board.packed_targets(position)
            bits = "".join(f"{int(digit, 16):04b}" for digit in packed)
            assert {i for i, bit in enumerate(bits) if bit == "1"} == wanted
            assert len(packed) == -(-len(board.elements) // 4)


def test_nothing_is_open_while_only_a_colour_may_be_picked() -> None:
    board, position = BOARDS["six-in-a-row"], GAMES["six-in-a-row"].start
    for column in range(1, 6):
        position = position.play(f"place {column} {column}")
    assert position.legal() == ("pick black", "pick white")
    assert board.targets(position) == frozenset()
    assert set(board.packed_targets(position)) == {"0"}
    assert "data-open" not in draw(board, position.diagram, targets=board.targets(position))


def test_grids_that_depend_on_each_other_are_told() -> None:
    """A page lets people choose a cell on each grid independently."""

    class Dependent(type(GAMES["parallel-tic-tac-toe"].start)):  # type: ignore[misc]
        def actions(self) -> tuple[str, ...]:
            return super().actions()[:-1]

    game = GAMES["parallel-tic-tac-toe"]
    dependent = replace(game, start=Dependent("." * 9, "." * 9))
    assert "depends" in faults(dependent, BOARDS[game.slug])[0]


def test_a_position_that_says_wrongly_what_is_open_is_told() -> None:
    class Wrong(type(GAMES["tic-tac-toe"].start)):  # type: ignore[misc]
        open = "111111110"

    game = GAMES["tic-tac-toe"]
    assert "open" in faults(replace(game, start=Wrong("." * 9)), BOARDS[game.slug])[0]


@pytest.mark.parametrize("slug", list(GAMES))
def test_a_live_board_names_its_elements_and_is_a_picture_until_a_script_takes_it(
    slug: str,
) -> None:
    text = Template("{% load boards %}{% board slug live=True %}").render(Context({"slug": slug}))
    svg = ET.fromstring(text)
    targets = [g for g in svg.iter() if g.get("data-action") or g.get("data-grid")]
    assert all(g.get("role") == "img" and g.get("tabindex") is None for g in targets)
    names = [g.get("aria-label", "") for g in targets]
    assert len(set(names)) == len(names)
    assert all(name.endswith(", empty") for name in names)


def test_the_cells_of_parallel_tic_tac_toe_carry_their_grid_and_cell() -> None:
    text = draw(BOARDS["parallel-tic-tac-toe"], "." * 18, live=True)
    assert 'data-grid="1" data-cell="2 3"' in text
    assert 'data-grid="2" data-cell="3 1"' in text
    assert "data-action" not in text


def test_a_script_knows_the_grids_of_a_thumbnail_apart() -> None:
    text = draw(BOARDS["parallel-tic-tac-toe"], "." * 18, thumbnail=True)
    assert text.count('data-grid="1"') == text.count('data-grid="2"') == 9


def test_a_thumbnail_is_a_picture_and_nothing_else() -> None:
    text = draw(BOARDS["tic-tac-toe"], "x........", thumbnail=True, label="Tic-Tac-Toe")
    assert "data-action" not in text
    assert "tabindex" not in text
    assert 'role="img" aria-label="Tic-Tac-Toe"' in text


def test_names_that_try_html_stay_words() -> None:
    text = draw(BOARDS["tic-tac-toe"], '"><script>', label='"><script>alert(1)</script>')
    assert "<script" not in text
    ET.fromstring(text)


def test_colours_are_shown_once_they_are_settled() -> None:
    board, position = BOARDS["six-in-a-row"], GAMES["six-in-a-row"].start
    assert board.prompt(position, "") == {"code": "six-in-a-row.opening-1"}
    for action in ("place 1 1", "place 2 2", "place 3 3"):
        position = position.play(action)
    assert board.badge(position, "player1") == "."
    assert board.prompt(position, "place 3 3") == {"code": "six-in-a-row.opening-4"}
    position = position.play("pick white")
    assert (board.badge(position, "player2"), board.badge(position, "player1")) == ("w", "b")
    assert board.prompt(position, "pick white") == {"code": "six-in-a-row.chose-white"}
    position = position.play("place 4 4")
    assert board.prompt(position, "place 4 4") is None


def test_the_mark_that_would_be_made_is_told() -> None:
    board, position = BOARDS["six-in-a-row"], GAMES["six-in-a-row"].start
    marks = []
    for column in range(1, 6):
        marks.append(board.mark_of(position))
        position = position.play(f"place {column} {column}")
    assert (marks, board.mark_of(position)) == (["b", "w", "b", "w", "b"], ".")
    assert BOARDS["tic-tac-toe"].mark_of(GAMES["tic-tac-toe"].start) == "x"


def test_what_a_line_would_close_is_told_and_what_it_closed_is_said() -> None:
    board, slug = BOARDS["dots-and-boxes"], "dots-and-boxes"
    for seed in range(3):
        before = GAMES[slug].start
        for action, after in playout(slug, seed):
            closing: dict[int, set[int]] = {}
            for line, box in board.closing(before):
                closing.setdefault(line, set()).add(box)
            (line,) = board.own(action)
            closed = {i for i in range(25) if after.diagram[i] != before.diagram[i]}
            assert closing.get(line, set()) == closed
            asked = board.prompt(after, action)
            said = asked and asked["code"]
            more = {0: None, 1: f"{slug}.box-closed", 2: f"{slug}.boxes-closed"}[len(closed)]
            assert said == (None if after.is_over else more)
            before = after
