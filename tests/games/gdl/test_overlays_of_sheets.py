"""The overlays in `games/gdl/sheets` fit their sheets."""

from math import dist

import pytest

from games.boards.sheets import make_board
from games.boards.soundness import faults
from games.gdl.checks import read_sheet
from games.gdl.layout import infer_layout
from games.gdl.overlay import parse_overlay
from games.gdl.sheet_position import LoadedSheet
from tests.builders.gdl_sheets import SHIPPED, get_network


def load_drawn(slug: str) -> LoadedSheet:
    path = SHIPPED[slug]
    overlay = parse_overlay(path.with_suffix(".json").read_bytes())
    network = get_network(slug)
    layout = infer_layout(read_sheet(path.read_bytes()), network, overlay)
    return LoadedSheet(slug, overlay.title, "0" * 64, network, layout)


@pytest.mark.parametrize("slug", SHIPPED)
def test_the_board_fits_the_game(slug: str) -> None:
    sheet = load_drawn(slug)
    assert sheet.name
    assert faults(sheet.game, make_board(sheet)) == []


@pytest.mark.parametrize("slug", ["hex-7", "hex-11"])
def test_hexagons_touch_those_that_the_rules_connect(slug: str) -> None:
    elements = make_board(load_drawn(slug)).elements
    places = {
        tuple(map(int, element.action.split(" ")[1:])): (element.x, element.y)
        for element in elements
    }
    size = elements[0].size
    touching = {
        (one[0] - other[0], one[1] - other[1])
        for one in places
        for other in places
        if one != other and dist(places[one], places[other]) < 1.2 * size
    }
    assert touching == {(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)}
