"""Boards of rule sheets fit their games, and their drawings show what the layout says."""

import random
import re
import xml.etree.ElementTree as ET
from functools import cache
from typing import Any

import pytest
from django.template import Context, Template

from games.boards import BOARDS, Board
from games.boards.board import BoardLine, Path, Point, Square
from games.boards.drawing import draw
from games.boards.sheets import make_board
from games.boards.soundness import faults
from games.rules import Game
from tests.builders import board_sheets as sheets

ALL = {
    "line-of-three": sheets.LINE_OF_THREE,
    "drop": sheets.DROP,
    "crossing": sheets.CROSSING,
    "heaps": sheets.HEAPS,
    "triangle": sheets.TRIANGLE,
    "stones": sheets.STONES,
    "choices": sheets.CHOICES,
    "reserve": sheets.RESERVE,
}
SVG = "{http://www.w3.org/2000/svg}"


def make_game(slug: str, **overlay: Any) -> tuple[Game, Board]:
    loaded = sheets.load_sheet(slug, ALL[slug], **overlay)
    return loaded.game, make_board(loaded)


@cache
def get_game(slug: str) -> tuple[Game, Board]:
    return make_game(slug)


def draw_elements(board: Board, diagram: str, **how: Any) -> list[ET.Element]:
    svg = ET.fromstring(draw(board, diagram, **how))
    return [g for g in svg.iter() if (g.get("class") or "").startswith("element")]


@pytest.mark.parametrize("slug", ALL)
def test_the_board_of_a_sheet_fits_its_game(slug: str) -> None:
    assert faults(*get_game(slug)) == []


@pytest.mark.parametrize("slug", ALL)
def test_every_legal_action_can_be_chosen_on_the_page(slug: str) -> None:
    game, board = get_game(slug)
    chance = random.Random(3)
    for _ in range(5):
        position = game.start
        while not position.is_over:
            paths = {path.action for path in board.paths(position)} if board.paths else set()
            single = {element.action for element in board.elements if element.action}
            for action in position.legal():
                assert action in {*paths, *single, *board.list_buttons(position)}
            # Paths that a click does not tell apart have buttons.
            shared = list(board.paths(position)) if board.paths else []
            steps = [path.steps for path in shared]
            buttons = {button.action for button in board.buttons}
            for path in shared:
                assert steps.count(path.steps) == 1 or path.action in buttons
            position = position.play(chance.choice(position.legal()))


@pytest.mark.parametrize("slug", ALL)
@pytest.mark.parametrize("how", [{"live": True}, {"thumbnail": True}, {"sparse": True}], ids=str)
def test_an_element_has_the_glyph_of_its_mark(slug: str, how: dict[str, Any]) -> None:
    game, board = get_game(slug)
    diagram = game.start.diagram
    texts = draw(board, diagram, **how)
    for element in draw_elements(board, diagram, **how):
        mark = element.get("data-mark")
        glyphs = [each for each in element if each.get("data-of")]
        assert mark == "." or mark in {each.get("data-of") for each in glyphs}
        if how.get("sparse"):
            assert len(glyphs) == 1
        for glyph in glyphs:
            href = glyph.get("href")
            assert glyph.text or (href and f'id="{href[1:]}"' in texts)


def test_one_click_on_an_element_sends_its_action() -> None:
    game, board = get_game("line-of-three")
    assert board.paths is None
    assert board.own("mark 1 3") == (0,)
    assert board.targets(game.start) == frozenset(range(9))
    assert 'data-action="mark 1 3"' in draw(board, game.start.diagram, live=True)


def test_a_column_is_open_everywhere_and_shows_where_a_piece_lands() -> None:
    game, board = get_game("drop")
    position = game.start.play("drop 2").play("drop 2")
    assert position.diagram == ".....y...r.."
    assert board.paths is not None
    assert Path("drop 2", "B", ((9, 5, 1),)) in board.paths(position)
    assert Path("drop 1", "A", ((8, 4, 0),)) in board.paths(position)
    assert {(8, 8), (4, 8), (0, 8), (9, 1)} <= set(board.closing(position))
    assert board.find_fresh(position, "drop 2") == (5,)
    assert board.mark_of(position) == "r"


def test_a_move_lists_its_source_and_its_target() -> None:
    game, board = get_game("crossing")
    assert board.paths is not None
    assert Path("move wp a 1 a 2", "A1–A2", (9, 6)) in board.paths(game.start)  # noqa: RUF001
    assert board.targets(game.start) == {9, 10, 11}
    assert board.find_fresh(game.start.play("move wp a 1 a 2"), "move wp a 1 a 2") == (9, 6)
    assert board.list_buttons(game.start) == ["resign"]
    live = draw(board, game.start.diagram, live=True)
    assert live.count('data-step=""') == 12
    assert "data-action" not in live


def test_the_marks_have_names() -> None:
    _, board = get_game("crossing")
    assert board.words["P"] == "white pawn"
    _, named = make_game("crossing", glyphs={"wp": {"glyph": "white pawn", "name": "a|b"}})
    assert named.words["P"] == "a/b"


def test_hexagons_and_crossings_are_drawn() -> None:
    game, board = make_game("line-of-three", cells="hexagon")
    text = draw(board, game.start.diagram)
    assert text.count('<polygon class="ground"') == 9
    (fields,) = re.findall(r'<path class="field" d="([^"]+)"', text)
    assert fields.count("M") == 9
    # The outline of a hexagon goes around the same corners as its element.
    (points,) = set(re.findall(r'<polygon class="ground"[^>]* points="([^"]+)"', text))
    corners = [complex(*map(float, each.split(","))) for each in points.split(" ")]
    steps = re.findall(r"([Mlv])(-?[\d.]+) ?(-?[\d.]+)?", fields.split("z")[0])
    at, outline = 0j, []
    for kind, x, y in steps:
        at += complex(0, float(x)) if kind == "v" else complex(float(x), float(y))
        outline.append(at - complex(board.elements[0].x, board.elements[0].y))
    assert [abs(a - b) < 0.1 for a, b in zip(outline, corners, strict=True)] == 6 * [True]
    game, board = make_game("line-of-three", cells="crossing")
    text = draw(board, game.start.diagram)
    assert text.count("<line") == 6
    assert text.count('<rect class="ground"') == 9


def test_the_square_in_the_lower_left_corner_of_a_checkered_board_is_dark() -> None:
    _, board = make_game("crossing", checkered=True)
    dark = [(each.x, each.y) for each in board.below if isinstance(each, Square) and each.is_dark]
    lower_left = min(board.elements, key=lambda each: (each.x, -each.y))
    assert len(dark) == 6
    assert (lower_left.x, lower_left.y) in dark


def test_the_sides_of_a_rhombus_are_coloured_all_around() -> None:
    sides = {"top": "red", "bottom": "red", "left": "blue", "right": "blue"}
    _, board = make_game("line-of-three", cells="hexagon", sides=sides)
    kinds = [each.kind for each in board.above if isinstance(each, BoardLine)]
    # A rhombus of three by three hexagons has 22 outer edges, of which its ends have two more.
    assert (kinds.count("side red"), kinds.count("side blue")) == (12, 10)
    _, square = make_game("line-of-three", sides={"top": "red", "left": "blue"})
    kinds = [each.kind for each in square.above if isinstance(each, BoardLine)]
    assert kinds == ["side red", "side blue", "side red", "side red", "side blue", "side blue"]


def test_pieces_beside_a_board_have_elements_of_their_own() -> None:
    overlay = {"board": "(cell ?column ?row ?symbol)", "actions": {"(take ?place)": ""}}
    beside = {"(hand ?symbol)": "In hand", "(pool ?place)": ""}
    game, board = make_game("reserve", cells="crossing", beside=beside, **overlay)
    assert faults(game, board) == []
    assert [element.kind for element in board.elements] == ["crossing"] * 4 + ["square"] * 4
    assert board.own("take tall") == (7,)
    assert all(0 < each.x < board.width and 0 < each.y < board.height for each in board.elements)


def test_a_board_is_never_higher_than_wide() -> None:
    _, board = get_game("crossing")
    assert board.width == board.height
    middle = [element.x for element in board.elements if element.place.startswith("B")]
    assert abs(middle[0] - board.width / 2) < 30


def test_a_board_with_hints_says_so_in_its_classes() -> None:
    assert make_game("drop", hints=True)[1].traits == "sheet hints"
    assert make_game("drop")[1].traits == "sheet"


def test_blocks_have_heavier_lines_and_points_are_dots() -> None:
    _, board = make_game("line-of-three", blocks=3, points=["2 2"])
    assert [each.kind for each in board.above if isinstance(each, BoardLine)] == ["block"] * 4
    assert sum(isinstance(each, Point) for each in board.below) == 1


def test_the_area_of_an_action_is_highlighted_after_it() -> None:
    overlay = {"actions": {"(put ?area ?y)": ""}, "areas": {"2": ["2 1", "2 2"]}}
    game, board = make_game("stones", **overlay)
    position = game.start.play("put 2 3")
    assert [board.elements[i].place for i in board.find_fresh(position, "put 2 3")] == ["B1", "B2"]
    assert "put 2 3" in board.list_buttons(game.start)


def test_lines_of_a_colour_are_below_the_places() -> None:
    lines = [["top", "far"], ["top", "west", "red"]]
    _, board = make_game("triangle", board="(at ?place ?symbol)", lines=lines)
    kinds = [each.kind for each in board.below if isinstance(each, BoardLine)]
    assert sorted(kinds) == ["", "side red"]


def test_a_button_for_a_symbol_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    _, board = make_game("crossing", glyphs={"wp": "white pawn"}, actions={"(crown ?a ?b)": ""})
    assert {button.symbol for button in board.buttons} == {None}
    _, board = make_game("triangle", actions={"(go ?from ?to)": "{from} to {to}"})
    assert {button.label for button in board.buttons} >= {"Stay", "Top to east"}
    glyphs = {"hare": "green king", "hunter": "black queen"}
    text = sheets.TRIANGLE.replace("stay", "(take hare)")
    loaded = sheets.load_sheet("triangle", text, glyphs=glyphs)
    (button,) = (b for b in make_board(loaded).buttons if b.action == "take hare")
    assert button.symbol
    assert button.symbol.glyph.words == "green king"
    monkeypatch.setattr(BOARDS, "_entries", {**BOARDS, "triangle": make_board(loaded)})
    drawn = Template("{% load boards %}{% board_buttons 'triangle' %}").render(Context())
    assert 'href="#glyph-king"' in drawn
    assert 'class="glyph green"' in drawn


def test_a_text_of_an_overlay_is_escaped() -> None:
    game, board = make_game("crossing", glyphs={"wp": "letter"}, words={"wp": '<"&'}, title="<b>")
    assert '<"' not in draw(board, game.start.diagram, live=True).replace('=""', "")
    ET.fromstring(draw(board, game.start.diagram, live=True))


def test_a_prompt_says_what_is_asked_if_all_actions_are_of_one_kind() -> None:
    game, board = make_game("line-of-three", prompts={"mark": "A cell to mark"})
    assert board.prompt(game.start, "") == {"code": "line-of-three.prompt-mark"}
    sides = {f"prompt-mark.{side}": "A cell to mark" for side in ("mine", "theirs", "seen")}
    assert sides.items() <= board.sentences.items()
    game, board = make_game("line-of-three")
    assert board.prompt(game.start, "") is None
