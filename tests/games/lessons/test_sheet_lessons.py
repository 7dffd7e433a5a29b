"""Lessons of rule sheets come from their overlays."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from games.gdl.errors import SheetError
from games.gdl.overlay import check_overlay
from games.lessons import LESSONS
from games.rule_sheets import storage
from games.rule_sheets.preparing import prepare_new_sheet
from tests.builders.board_sheets import keep_catalogue
from tests.builders.gdl_sheets import RACE, SHIPPED


@pytest.fixture(autouse=True)
def catalogue() -> Iterator[None]:
    with keep_catalogue():
        yield


@pytest.mark.django_db
@pytest.mark.parametrize("slug", sorted(SHIPPED))
def test_each_game_has_a_lesson_that_ends_with_a_win(slug: str) -> None:
    storage.store_sheet(storage.prepare_shipped_sheet(slug), is_settled=True)
    lesson = LESSONS[slug]
    assert 4 <= len(lesson.pictures) <= 12
    assert lesson.typical.goals is not None
    assert max(lesson.typical.goals.values()) == 100
    page = Client().get(f"/rules/{slug}/").content.decode()
    assert page.count("<figure") == len(lesson.pictures) + 1
    assert Client().get("/rules/").status_code == 200
    assert Client().get("/").status_code == 200


def test_an_action_of_a_lesson_must_be_legal() -> None:
    overlay = (
        b'{"title": "Race", "lesson": [{"text": "So."}, {"text": "So.", "after": ["take 3"]}]}'
    )
    with pytest.raises(SheetError, match="picture 2 of the lesson: 'take 3' is not legal there"):
        prepare_new_sheet(RACE.encode(), overlay, "race")


@pytest.mark.parametrize(
    "lesson",
    [
        "text",
        [{"text": ""}],
        [{"after": []}],
        [{"text": "So.", "before": []}],
        [{"text": "So.", "after": [1]}],
        [{"text": "x" * 201}],
        [{"text": "So."}] * 13,
    ],
)
def test_a_lesson_has_a_form(lesson: Any) -> None:
    with pytest.raises(SheetError, match=r"lesson|after"):
        check_overlay({"lesson": lesson})
