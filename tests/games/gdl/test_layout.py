"""The drawing of a sheet follows from its facts, and an overlay corrects it."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from games.gdl import relations
from games.gdl.checks import read_sheet
from games.gdl.errors import SheetError
from games.gdl.grounding import build_network
from games.gdl.layout import Layout, infer_layout
from games.gdl.overlay import check_overlay
from tests.builders import board_sheets as sheets

CAPTION = 0.21
"""Half the height of a caption: 34 px of text, and an outline of 4 px that hides lines below it."""


def make_layout(text: str, **overlay: Any) -> Layout:
    sheet = read_sheet(text)
    return infer_layout(sheet, build_network(sheet), check_overlay(overlay))


def state_of(text: str, **facts: bool) -> bytes:
    """Return the initial state of a sheet, with the named facts added or removed."""
    network = build_network(read_sheet(text))
    bits = network.initial.copy()
    for fact, holds in facts.items():
        bits[network.fluents.index(f"({fact.replace('_', ' ')})")] = holds
    return np.packbits(bits).tobytes()


def look_of(layout: Layout) -> Mapping[str, str]:
    return {symbol.mark: symbol.glyph.words for symbol in layout.symbols}


def places_of(layout: Layout, action: str) -> str:
    """Return the labels of the places to click for an action: "A1 B2", or "A1/A2" for a group."""
    steps = layout.acts[action].path
    return " ".join("/".join(layout.spots[i].label for i in step) for step in steps)


def test_a_grid_of_marks_is_found() -> None:
    layout = make_layout(sheets.LINE_OF_THREE)
    assert layout.is_grid
    assert [spot.label for spot in layout.spots] == [
        "A3", "B3", "C3", "A2", "B2", "C2", "A1", "B1", "C1"
    ]  # fmt: skip
    assert look_of(layout) == {"x": "cross", "o": "ring"}
    assert layout.badges == {"xplayer": "x", "oplayer": "o"}
    assert places_of(layout, "mark 2 1") == "B1"
    assert layout.acts["mark 2 1"].label == "B1"
    assert layout.acts["pass"].path == ()
    assert "noop" not in layout.acts


def test_a_state_becomes_a_diagram() -> None:
    layout = make_layout(sheets.LINE_OF_THREE)
    assert layout.read_diagram(state_of(sheets.LINE_OF_THREE)) == "." * 9
    marked = state_of(sheets.LINE_OF_THREE, cell_1_3_b=False, cell_1_3_x=True, cell_3_1_o=True)
    assert layout.read_diagram(marked) == "x.......o"


def test_a_column_is_chosen_by_any_of_its_places() -> None:
    layout = make_layout(sheets.DROP)
    assert len(layout.spots) == 12
    assert look_of(layout) == {"r": "red disc", "y": "yellow disc"}
    assert places_of(layout, "drop 2") == "B1/B2/B3"
    assert layout.acts["drop 2"].label == "B"


def test_a_move_has_two_places_even_if_other_arguments_come_first() -> None:
    layout = make_layout(sheets.CROSSING)
    assert look_of(layout) == {"P": "white pawn", "p": "black pawn"}
    assert layout.read_diagram(state_of(sheets.CROSSING)) == "ppp......PPP"
    assert places_of(layout, "move wp a 1 a 2") == "A1 A2"
    assert places_of(layout, "move bp c 4 b 3") == "C4 B3"
    assert layout.acts["move wp a 1 a 2"].label == "A1–A2"  # noqa: RUF001
    assert layout.acts["resign"].choice == "Resign"


def test_actions_with_the_same_places_have_buttons_that_tell_them_apart() -> None:
    layout = make_layout(sheets.CROSSING)
    assert places_of(layout, "crown a queen") == places_of(layout, "crown a knight")
    assert layout.acts["crown a queen"].choice == "Queen"
    assert layout.acts["crown a knight"].choice == "Knight"
    assert layout.acts["crown a queen"].label == "A queen"


def test_numbers_of_things_are_a_list_of_places() -> None:
    layout = make_layout(sheets.HEAPS)
    assert not layout.is_grid
    assert [spot.label for spot in layout.spots] == ["1", "2", "3"]
    assert layout.read_diagram(state_of(sheets.HEAPS)) == "231"
    assert set(look_of(layout).values()) == {"number"}
    assert places_of(layout, "leave 2 0") == "2"
    assert layout.acts["leave 2 0"].choice == "0"
    assert layout.lines == ()  # the successor of a number is no neighbour


def test_places_with_neighbours_are_a_graph() -> None:
    layout = make_layout(sheets.TRIANGLE)
    assert [spot.key for spot in layout.spots] == ["east", "far", "top", "west"]
    assert len(layout.lines) == 4
    assert layout.read_diagram(state_of(sheets.TRIANGLE)) == ".ur."
    assert places_of(layout, "go east far") == "east far"
    assert layout.acts["stay"].path == ()


def test_facts_of_several_arguments_are_stones_of_their_roles() -> None:
    layout = make_layout(sheets.STONES)
    assert look_of(layout) == {"b": "black stone", "w": "white stone"}
    assert len(layout.spots) == 9
    assert layout.read_diagram(state_of(sheets.STONES, stone_white_1_1=True)) == "......w.."


def test_a_direction_leads_to_the_neighbour_or_is_a_choice_at_the_edge() -> None:
    layout = make_layout(sheets.STONES)
    assert places_of(layout, "push 1 1 north") == "A1 A2"
    assert places_of(layout, "push 1 1 east") == "A1 B1"
    assert places_of(layout, "push 1 3 north") == "A3"
    assert layout.acts["push 1 3 north"].choice == "North"


def test_an_area_is_highlighted_and_not_clicked() -> None:
    actions, places = {"(push ?column ?y ?area)": ""}, ["1 3", "2 3"]
    layout = make_layout(sheets.STONES, actions=actions, areas={"north": places})
    act = layout.acts["push 2 1 north"]
    assert [layout.spots[i].label for i in act.area] == ["A3", "B3"]
    assert places_of(layout, "push 2 1 north") == "B1/B2/B3"
    assert layout.acts["push 2 1 east"].area == ()
    with pytest.raises(SheetError, match="areas: '9 9' is no place of the board"):
        make_layout(sheets.STONES, actions=actions, areas={"north": ["9 9"]})


def test_scores_are_numbers_of_roles() -> None:
    layout = make_layout(sheets.STONES)
    state = state_of(sheets.STONES, score_black_0=False, score_black_1=True)
    assert layout.get_score(state, "", "black") == 1
    assert layout.get_score(state, "", "white") == 0
    assert make_layout(sheets.DROP).get_score(state, "", "red") is None


def test_scores_can_be_numbers_of_symbols() -> None:
    layout = make_layout(sheets.DROP, scores={"red": {"count": ["red"]}})
    assert layout.get_score(b"", "rry.", "red") == 2


def test_every_action_of_any_sheet_can_be_chosen() -> None:
    for text in (sheets.CHOICES, sheets.STONES, sheets.TRIANGLE, sheets.HEAPS, sheets.CROSSING):
        network = build_network(read_sheet(text))
        layout = make_layout(text)
        for action in {*network.actions[0], *network.actions[1]} - {"noop"}:
            assert layout.acts[action].path or layout.acts[action].choice, action
        labels = [act.label for act in layout.acts.values()]
        assert len(set(labels)) == len(labels)


NESTED = """
(role a) (role b)
(init (at (square 1 1) nobody)) (init (at (square 1 2) a)) (init (at (square 2 1) b))
(init (at (square 2 2) nobody)) (init (control a)) (init day)
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)))
(<= (next (at ?s ?w)) (true (at ?s ?w)) (not (true (control ?w))))
(<= (next (at ?t ?w)) (does ?w (go ?s ?t)))
(<= (legal ?w (go ?s ?t)) (true (control ?w)) (true (at ?s ?w)) (true (at ?t nobody)))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= terminal (not (true day)))
(<= (goal ?w 50) (role ?w))
"""


def test_a_sheet_without_a_recognizable_board_is_played_with_buttons() -> None:
    layout = make_layout(NESTED)
    assert len(layout.spots) == 1
    assert layout.read_diagram(state_of(NESTED)) == "."
    assert layout.acts["go (square 1 2) (square 1 1)"].path == ()
    assert layout.acts["go (square 1 2) (square 1 1)"].choice == "Go (square 1 2) (square 1 1)"


def test_an_overlay_finds_places_inside_other_terms() -> None:
    layout = make_layout(
        NESTED,
        board="(at (square ?column ?row) ?symbol)",
        actions={"(go (square ?column ?row) (square ?column2 ?row2))": ""},
    )
    assert layout.read_diagram(state_of(NESTED)) == "r..u"
    assert places_of(layout, "go (square 1 2) (square 1 1)") == "A2 A1"


def test_a_board_that_is_too_large_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relations, "MOST_PLACES", 8)
    assert len(make_layout(sheets.LINE_OF_THREE).spots) == 1


def test_a_line_of_equal_symbols_is_found() -> None:
    layout = make_layout(sheets.LINE_OF_THREE, line=3)
    assert layout.find_line("x.ox.oxo.") == (0, 3, 6)
    assert layout.find_line("x.o.x.o.x") == (0, 4, 8)
    assert layout.find_line("xxo......") == ()
    assert make_layout(sheets.LINE_OF_THREE).find_line("xxx......") == ()


def test_a_line_within_a_block_does_not_leave_it() -> None:
    text = sheets.LINE_OF_THREE.replace("(number 1)", "(number 0) (number 4) (number 5) (number 1)")
    whole = make_layout(text, line=3)
    blocks = make_layout(text, line=3, blocks=3)
    assert whole.find_line("..xxx." + 30 * ".") == (2, 3, 4)
    assert blocks.find_line("..xxx." + 30 * ".") == ()
    assert blocks.find_line("xxxx.." + 30 * ".") == (0, 1, 2)


def test_an_overlay_turns_the_board_and_names_its_parts() -> None:
    layout = make_layout(
        sheets.CROSSING,
        columns={"from": "right", "labels": "values"},
        rows={"from": "top", "labels": "letters"},
        glyphs={"wp": "red man", "bp": {"glyph": "small blue disc", "name": "the other"}},
        roles={"white": "red"},
        actions={"(move ?piece ?column ?row ?column2 ?row2)": "{piece} to {places}"},
        words={"wp": "Red"},
        checkered=True,
    )
    assert layout.spots[0].label == "CA"
    assert layout.read_diagram(state_of(sheets.CROSSING)) == "rrr......AAA"
    assert layout.badges == {"white": "r", "black": "b"}
    assert layout.symbols[0].name == "the other"
    assert layout.acts["move wp a 1 a 2"].label == "Red to AA–AB"  # noqa: RUF001
    assert layout.is_checkered


def test_hexagons_are_shifted_row_by_row() -> None:
    layout = make_layout(sheets.LINE_OF_THREE, cells="hexagon", rows={"from": "top"})
    assert [spot.x for spot in layout.spots] == [0.5, 1.5, 2.5, 1, 2, 3, 1.5, 2.5, 3.5]
    odd = make_layout(sheets.LINE_OF_THREE, cells="hexagon", rows={"shift": "odd"})
    assert [spot.x for spot in odd.spots[::3]] == [1, 0.5, 1]
    assert layout.spots[3].y - layout.spots[0].y == pytest.approx(0.866, abs=0.001)


def test_an_overlay_places_a_list_and_draws_its_lines() -> None:
    layout = make_layout(
        sheets.TRIANGLE,
        board="(at ?place ?symbol)",
        places={"top": [2, 0], "west": [1, 1], "east": [3, 1], "far": [4, 2]},
        lines=[["top", "far"], ["top", "west", "red"]],
    )
    assert [(spot.x, spot.y) for spot in layout.spots] == [
        (2.5, 1.5), (3.5, 2.5), (1.5, 0.5), (0.5, 1.5)
    ]  # fmt: skip
    assert layout.lines == ((2, 1, ""), (2, 3, "red"))
    for spot, caption in zip(layout.spots, layout.captions, strict=True):
        assert caption.x == spot.x and caption.y - CAPTION > spot.y + 0.45


def test_pieces_beside_a_grid_are_places_too() -> None:
    layout = make_layout(
        sheets.RESERVE,
        board="(cell ?column ?row ?symbol)",
        beside={"(hand ?symbol)": "In hand", "(pool ?place)": ""},
        glyphs={"tall": "red king", "short": "red pawn", "flat": "red disc", "nothing": "empty"},
        actions={"(take ?place)": ""},
        words={"tall": "the king"},
        cells="crossing",
        line=3,
    )
    assert [spot.label for spot in layout.spots] == [
        "A2", "B2", "A1", "B1", "In hand", "flat", "short", "the king"
    ]  # fmt: skip
    assert [spot.is_beside for spot in layout.spots] == [False] * 4 + [True] * 4
    marks = {symbol.glyph.shape: symbol.mark for symbol in layout.symbols}
    king, pawn, disc = marks["king"], marks["pawn"], marks["disc"]
    assert layout.read_diagram(state_of(sheets.RESERVE)) == "....." + disc + pawn + king
    taken = state_of(sheets.RESERVE, pool_tall=False, hand_nothing=False, hand_tall=True)
    assert layout.read_diagram(taken) == "...." + king + disc + pawn + "."
    assert places_of(layout, "take tall") == "the king"
    assert places_of(layout, "put 2 1") == "B1"
    assert len(layout.lines) == 4
    assert layout.find_line("rr..rrrr") == ()
    (caption,) = [each for each in layout.captions if each.text == "In hand"]
    hand = layout.spots[4]
    assert caption.x == hand.x and caption.y - CAPTION > hand.y + 0.5


def test_crossings_are_connected_with_their_neighbours() -> None:
    layout = make_layout(sheets.LINE_OF_THREE, cells="crossing")
    assert len(layout.lines) == 12


@pytest.mark.parametrize(
    ("overlay", "said"),
    [
        ({"roles": {"green": "green"}}, "'green', which is no role"),
        ({"scores": {"nobody": "(score ?n)"}}, "'nobody', which is no role"),
        ({"scores": {"white": "(points white ?n)"}}, "no fact of the sheet matches"),
        ({"scores": {"white": {"count": ["zz"]}}}, "'zz' is on no place"),
        ({"board": "(field ?column ?row ?symbol)"}, "no fact of the sheet matches"),
        ({"glyphs": {"zz": "cross"}}, "'zz' is on no place"),
        ({"actions": {"(jump ?column ?row)": ""}}, "(jump ?column ?row) is no action"),
        ({"prompts": {"jump": "A man to jump"}}, "'jump' is no action"),
        ({"columns": {"values": ["a", "b"]}}, "the values do not have 'c'"),
        ({"lines": [["a 1", "z 9"]]}, "lines: 'z 9' is no place"),
        ({"board": ["(cell ?column ?row bp)", "(cell ?place 1 wp)"]}, "others ?column and ?row"),
        ({"points": ["z 9"]}, "points: 'z 9' is no place"),
    ],
    ids=str,
)
def test_an_overlay_that_does_not_fit_the_sheet_is_refused(
    overlay: dict[str, Any], said: str
) -> None:
    with pytest.raises(SheetError) as raised:
        make_layout(sheets.CROSSING, **overlay)
    assert said in str(raised.value)


def test_an_overlay_of_a_graph_places_every_place_and_no_other() -> None:
    with pytest.raises(SheetError, match="'far' has no position"):
        make_layout(sheets.TRIANGLE, places={"top": [0, 0], "west": [1, 0], "east": [2, 0]})
    with pytest.raises(SheetError, match="beside: the board is no grid"):
        make_layout(sheets.TRIANGLE, beside={"(moves ?symbol)": ""})
    with pytest.raises(SheetError, match="'moon' is no place"):
        make_layout(sheets.TRIANGLE, places={"moon": [0, 0]})
