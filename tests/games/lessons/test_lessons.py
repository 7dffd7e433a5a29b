"""The lessons are true: every picture is a position that play leads to."""

import re

import pytest

from games.lessons import LESSONS
from games.lessons.lesson import Picture, play_actions
from games.rules import GAMES, Position
from tests.builders.sites import Person, pair


def last(slug: str, words: str) -> tuple[Picture, Position]:
    """The picture whose sentence has these words, and its position."""
    (found,) = [each for each in LESSONS[slug].pictures if words in str(each.sentence)]
    return found, play_actions(slug, found.actions)


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_pictures_that_were_really_played(slug: str) -> None:
    lesson = LESSONS[slug]
    assert len(lesson.pictures) >= 3
    for picture in lesson.pictures:
        play_actions(slug, picture.actions)  # raises for an action that the rules do not allow
    for _, drawn in lesson.drawn():
        for picture in drawn:
            assert picture.svg.startswith("<svg")
            assert picture.sentence.endswith((".", "!"))


def test_the_ends_that_are_told_are_the_ends_that_are_shown() -> None:
    for slug, words, goals in (
        ("tic-tac-toe", "three in a line", [100, 0]),
        ("tic-tac-toe", "a draw", [50, 50]),
        ("six-in-a-row", "a draw", [50, 50]),
        ("parallel-tic-tac-toe", "50 to 0", [50, 0]),
        ("parallel-tic-tac-toe", "100 to 0", [100, 0]),
        ("parallel-tic-tac-toe", "75 to 25", [75, 25]),
    ):
        _, position = last(slug, words)
        assert position.goals is not None
        assert list(position.goals.values()) == goals
    _, boxes = last("dots-and-boxes", "O has 19, X has 6")
    assert boxes.is_over
    assert [boxes.diagram[:25].count(mark) for mark in "ox"] == [19, 6]


@pytest.mark.parametrize("slug", GAMES)
def test_a_lesson_begins_with_the_goal(slug: str) -> None:
    (heading, pictures), *rest = LESSONS[slug].drawn()
    assert heading == "The goal"
    assert [picture.sentence for picture in pictures] == [str(LESSONS[slug].goal)]
    assert all(heading for heading, _ in rest)


def test_a_threat_a_box_and_a_chain_are_what_they_are_called() -> None:
    _, position = last("tic-tac-toe", "threatens")
    assert position.turn == "oplayer"
    assert any(position.play(a).play("mark 3 3").goals for a in position.legal() if a != "mark 3 3")
    _, position = last("dots-and-boxes", "fourth side")
    assert position.turn == "oplayer"
    assert position.diagram[:25].count("o") == 1
    picture, position = last("dots-and-boxes", "third side away")
    assert position.turn == "oplayer"
    assert any(position.play(action).turn == "oplayer" for action in position.legal())
    before = play_actions("dots-and-boxes", picture.actions[:-1])
    closing = [a for a in before.legal() if before.play(a).turn == before.turn]
    assert closing == []  # X gave the first one away


def test_the_opening_is_told_in_six_pictures_in_order() -> None:
    story = LESSONS["six-in-a-row"].parts[0].pictures
    assert [str(each.sentence)[:2] for each in story] == [f"{i}." for i in range(1, 7)]
    positions = [play_actions("six-in-a-row", each.actions) for each in story]
    assert [position.diagram.count("b") for position in positions[:3]] == [1, 1, 2]
    assert {"pick black", "pick white"} <= set(positions[2].legal())
    assert positions[2].turn == "player2"
    assert story[3].actions[3] == "pick white"
    assert {"pick black", "pick white"} == set(positions[4].legal())
    assert positions[4].turn == "player1"
    assert story[5].actions[5] == "pick black"
    assert all(positions[i].diagram.count("w") == 2 for i in (3, 4))


def test_a_six_is_one_where_the_lesson_says_yes_and_none_where_it_says_no() -> None:
    verdicts = [p for p in LESSONS["six-in-a-row"].pictures if p.verdict]
    assert [picture.verdict for picture in verdicts] == ["yes", "yes", "no", "no"]
    for picture in verdicts:
        position = play_actions("six-in-a-row", picture.actions)
        assert position.is_over == (picture.verdict == "yes")
        rows = [position.diagram[i : i + 15] for i in range(0, 225, 15)]
        assert any(re.search("b{6}", row) for row in rows)


def test_the_pages_teach_and_are_linked(
    alice_online: Person, bob_online: Person, charlie_online: Person
) -> None:
    index = charlie_online.get("/rules/")[1]
    lobby = charlie_online.get("/")[1]
    for slug, game in GAMES.items():
        assert f'href="/rules/{slug}/"' in index
        assert f'href="/rules/{slug}/"' in lobby
        status, page = charlie_online.get(f"/rules/{slug}/")
        assert status == 200
        assert f"How to play {game.name}" in page
        assert page.count("<figure") == 1 + len(LESSONS[slug].pictures)  # the first is the goal
        headings = re.findall(r"<h2>(.+?)</h2>", page)
        assert headings[0] == "The goal"
        assert str(LESSONS[slug].goal) in page
    assert charlie_online.get("/rules/chess/")[0] == 404
    match_id, _ = pair(alice_online, bob_online, "six-in-a-row")
    page = charlie_online.get(f"/match/{match_id}/")[1]
    assert page.count("<figure") == 1 + len(LESSONS["six-in-a-row"].pictures)
    address = alice_online.post("/seek/", b"game=dots-and-boxes")[1].removeprefix(
        alice_online.site.url
    )
    assert 'href="/rules/dots-and-boxes/"' in charlie_online.get(address)[1]
