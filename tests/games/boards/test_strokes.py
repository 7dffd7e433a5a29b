"""A stroke goes through the whole width of the line that ended a game, in every drawing."""

import re
from math import hypot

import pytest

from games.boards import BOARDS
from games.boards.drawing import draw, find_strokes
from games.lessons import LESSONS
from games.lessons.lesson import play_actions
from games.previews.pictures import Scene, render_animation, render_board_svg, render_svg
from games.rules import GAMES, Position

ENDED = [
    (slug, picture.actions)
    for slug, lesson in LESSONS.items()
    for picture in lesson.pictures
    if play_actions(slug, picture.actions).is_over
]
STROKE = re.compile(r'<line class="core" x1="(.+?)" y1="(.+?)" x2="(.+?)" y2="(.+?)"')


def strokes(svg: str) -> list[tuple[float, ...]]:
    return [tuple(map(float, found)) for found in STROKE.findall(svg)]


def test_the_lessons_show_each_number_of_strokes() -> None:
    count = {len(strokes(draw(BOARDS[s], play_actions(s, a).diagram, line=play_actions(s, a).line)))
             for s, a in ENDED}  # fmt: skip
    assert count == {0, 1, 2}


@pytest.mark.parametrize(("slug", "actions"), ENDED)
def test_strokes_cover_all_marks_of_the_line_and_end_beyond_them(
    slug: str, actions: tuple[str, ...]
) -> None:
    board, position = BOARDS[slug], play_actions(slug, actions)
    line = [board.elements[index] for index in position.line]
    found = find_strokes(line)
    assert bool(found) == bool(line)
    for element in line:
        assert any(is_on(element.x, element.y, stroke) for stroke in found)
    for x1, y1, x2, y2 in found:
        ends = [min(line, key=lambda e: hypot(e.x - x, e.y - y)) for x, y in ((x1, y1), (x2, y2))]
        for element, (x, y) in zip(ends, ((x1, y1), (x2, y2)), strict=True):
            mark = (
                0.45 * element.size if element.kind == "stone" else 0.46 * element.size
            )  # a cross
            width = 0.17 * element.size if element.kind == "stone" else 0.07 * element.size
            assert mark <= hypot(x - element.x, y - element.y) + width / 2 <= 0.54 * element.size
            assert width / 2 <= x <= board.width - width / 2
            assert width / 2 <= y <= board.height - width / 2


def is_on(x: float, y: float, stroke: tuple[float, ...]) -> bool:
    x1, y1, x2, y2 = stroke
    long = hypot(x2 - x1, y2 - y1)
    return abs(hypot(x - x1, y - y1) + hypot(x - x2, y - y2) - long) < 0.2


def test_strokes_are_where_the_script_draws_them() -> None:
    """tests/static/js/board/geometry.test.js has the same numbers."""
    cells, grids = BOARDS["tic-tac-toe"].elements, BOARDS["parallel-tic-tac-toe"].elements
    assert find_strokes([cells[i] for i in (0, 1, 2, 4)]) == [(31, 76, 321, 76)]
    both = [cells[i] for i in (0, 4, 8, 2, 6)]
    assert sorted(find_strokes(both)) == [(44.2, 44.2, 307.8, 307.8), (307.8, 44.2, 44.2, 307.8)]
    found = find_strokes([grids[i] for i in (0, 3, 6, 9, 10, 11)])
    down = grids[0].y - 76  # this board is lower on its page
    assert found == [(76, 31 + down, 76, 321 + down), (375, 76 + down, 665, 76 + down)]
    assert find_strokes([cells[0], cells[1]]) == find_strokes([]) == []


@pytest.mark.parametrize(("slug", "actions"), ENDED)
def test_every_picture_has_the_strokes_above_all_marks(slug: str, actions: tuple[str, ...]) -> None:
    position = play_actions(slug, actions)
    wanted = strokes(draw(BOARDS[slug], position.diagram, line=position.line))
    scene = Scene(slug, position.diagram, "Anne beat Bob", line=tuple(position.line))
    positions = positions_of(slug, actions)
    for svg in (
        draw(BOARDS[slug], position.diagram, line=position.line, live=True),
        draw(BOARDS[slug], position.diagram, line=position.line, thumbnail=True, sparse=True),
        render_svg(scene),
        render_board_svg(scene),
        render_animation(slug, positions, "A game"),
    ):
        assert strokes(svg) == wanted
        if wanted:
            assert svg.rindex("data-mark") < svg.index('data-of="')


def positions_of(slug: str, actions: tuple[str, ...]) -> list[Position]:
    found = [GAMES[slug].start]
    for action in actions:
        found.append(found[-1].play(action))
    return found


def test_the_animation_shows_the_stroke_with_the_last_position_only() -> None:
    slug, actions = next((s, a) for s, a in ENDED if play_actions(s, a).line)
    svg = render_animation(slug, positions_of(slug, actions), "A game")
    group = svg[svg.index('<g class="last strokes"') :]
    start = float(group[group.index('keyTimes="0.0000;') :].split(";")[1].split('"')[0])
    marks = [float(found) for found in re.findall(r'keyTimes="0\.0000;([\d.]+)', svg)]
    assert start == max(marks) > 0
    before = render_animation(slug, positions_of(slug, actions)[:-1], "A game")
    assert "strokes" not in before[before.index("</style>") :]
