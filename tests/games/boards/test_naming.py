"""An action has one name, by the captions of its board, wherever people read or hear of it."""

import random
import xml.etree.ElementTree as ET

import pytest
from django.test import Client

from games.boards import BOARDS
from games.boards.board import Caption
from games.boards.drawing import draw
from games.engine.replay import build_steps
from games.engine.verdicts import judge_moves
from games.formats.addresses import encode_actions
from games.live.protocol import MatchPeople, build_shared_state
from games.match.state import NewMove
from games.messages import render_english
from games.review.signs import explain_lead
from games.rules import GAMES, Position
from tests.builders.match_states import START, create_state, play_actions

DASH = "\N{EN DASH}"


def name(slug: str, action: str) -> str:
    return render_english(BOARDS[slug].say(action))


def play_out(slug: str, seed: int = 1) -> list[tuple[Position, str]]:
    """Return each position of a random game with the action that was played in it."""
    chance = random.Random(seed)
    position, steps = GAMES[slug].start, []
    while not position.is_over:
        action = chance.choice(position.legal())
        steps.append((position, action))
        position = position.play(action)
    return steps


def test_actions_are_named_by_columns_and_rows() -> None:
    for slug, action, said in (
        ("tic-tac-toe", "mark 3 2", "B3"),
        ("parallel-tic-tac-toe", "mark 2 2 3 2", "B2 + F2"),
        ("dots-and-boxes", "draw 2 3 3 3", f"B3{DASH}C3"),
        ("six-in-a-row", "place 15 8", "O8"),
        ("six-in-a-row", "pick black", "picks black"),
        ("six-in-a-row", "what is this", "what is this"),
    ):
        assert name(slug, action) == said


@pytest.mark.parametrize("slug", list(GAMES))
def test_every_action_of_a_position_has_a_name_of_its_own(slug: str) -> None:
    for seed in range(3):
        for position, _ in play_out(slug, seed):
            names = {name(slug, action) for action in position.legal()}
            assert len(names) == len(position.legal())
            assert not names & set(position.legal())


@pytest.mark.parametrize("slug", list(GAMES))
def test_the_names_are_what_the_captions_say(slug: str) -> None:
    """The letter stands above the element's column, and the number beside its row."""
    board = BOARDS[slug]
    captions = [d for d in board.below if isinstance(d, Caption) and isinstance(d.text, str)]
    columns = {str(each.text): each.x for each in captions if str(each.text).isalpha()}
    assert len(columns) == sum(str(each.text).isalpha() for each in captions)
    for element in board.elements:
        points = [(columns[text[0]], text[1:]) for text in element.place.split(DASH)]
        middle = sum(x for x, _ in points) / len(points)
        assert middle == pytest.approx(element.x)
        heights = [next(c.y for c in captions if c.text == row) for _, row in points]
        assert sum(heights) / len(heights) == pytest.approx(element.y)


@pytest.mark.parametrize("slug", list(GAMES))
def test_the_drawing_names_elements_as_the_board_does(slug: str) -> None:
    """Scripts and screen readers take the names from the drawing."""
    board = BOARDS[slug]
    svg = ET.fromstring(draw(board, GAMES[slug].start.diagram, live=True))
    elements = [g for g in svg.iter() if "element" in g.get("class", "")]
    for position, action in play_out(slug):
        own = board.own(action)
        if own:
            joint = svg.get("data-joint", "")
            assert name(slug, action) == joint.join(str(elements[i].get("data-name")) for i in own)
        for index in own:
            label = str(elements[index].get("aria-label"))
            assert label == f"{elements[index].get('data-name')}, empty"
        assert position.turn


@pytest.mark.parametrize("slug", list(GAMES))
def test_frames_replay_and_review_name_actions_as_the_board_does(slug: str) -> None:
    steps, state, moves = play_out(slug), create_state(slug), []
    for ply, (position, action) in enumerate(steps):
        moves.append(NewMove("match", ply, position.turn or "", action, START, 0))
        state = play_actions(state, action)
        frame = build_shared_state(state, MatchPeople(("Alice", "Bob")))
        assert frame.said is not None and render_english(frame.said) == name(slug, action)
    for step, (_, action) in zip(build_steps(state, moves)[1:], steps, strict=True):
        assert step.said is not None and render_english(step.said) == name(slug, action)


@pytest.mark.parametrize("slug", list(GAMES))
def test_the_analysis_names_the_better_action_as_the_board_does(slug: str) -> None:
    position = GAMES[slug].start
    for best in position.legal()[:3]:
        look = {"best": best, "value": 100, "after": 0, "standing": 50, "proved": True}
        (found,) = judge_moves(create_state(slug), [], [look])
        assert name(slug, best) in render_english(found.words)


def test_a_sign_names_the_winning_action_as_the_board_does() -> None:
    position = GAMES["tic-tac-toe"].read("xx.oo....")
    why = explain_lead("tic-tac-toe", position, "xplayer")
    assert why is not None and render_english(why["action"]) == "C1"


@pytest.mark.django_db
@pytest.mark.parametrize("slug", list(GAMES))
def test_the_list_of_an_imported_game_names_actions_as_the_board_does(
    client: Client, slug: str
) -> None:
    actions = [action for _, action in play_out(slug)][:8]
    page = client.get(f"/analysis/{slug}/game/{encode_actions(slug, actions)}/").content.decode()
    rest = page[page.index('<ol class="moves"') : page.index("</ol>", page.index("<ol"))]
    for action in actions:
        assert f"<span>{name(slug, action)}</span>" in rest
