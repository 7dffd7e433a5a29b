"""Notices and signs are codes with parameters; the reader's page makes the sentence."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from games.messages import build_message
from games.models import Match, Notice, Sign
from games.review import decisions
from games.review.notices import list_notices, notify_player
from games.review.sentences import SENTENCES
from tests.builders.migrations import load_originals, use_empty_database
from tests.builders.pseudo_language import activate_pseudo_language, get_unmarked_text


def test_what_players_are_told_is_stored_without_any_sentence(
    finished: Callable[..., Match], alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    match = finished()
    for number, made in enumerate(
        (
            decisions.void_match(rita, match.pk, "R1", 0),
            decisions.warn_player(rita, alice.pk, "R2", 0),
            decisions.suspend_player(rita, alice.pk, "R3", 1, 3),
            decisions.rename_player(rita, alice.pk, "R4", 2, "Polite Otter"),
        )
    ):
        decisions.reverse_decision(sara, made.pk, f"S{number}")
    stored = list(Notice.objects.filter(player=alice))
    assert [notice.words for notice in stored] == [""] * len(stored)
    assert {notice.said["code"] for notice in stored} == {
        "notice.void", "notice.warning", "notice.renamed", "notice.reversed",
        "notice.undone.warn", "notice.undone.suspend", "notice.undone.rename",
    }  # fmt: skip
    for notice in stored:
        assert notice.said["code"] in SENTENCES
        assert notice.said["reason"] in notice.sentence
    with activate_pseudo_language():
        for notice in stored:
            assert not any(letter.isalpha() for letter in get_unmarked_text(notice.sentence))
    assert str(stored[-1]).startswith("Your former name was restored.")


def test_a_text_of_an_older_release_is_shown_as_it_is(alice: Any) -> None:
    Notice.objects.create(player=alice, words="The staff warns you: {reason}.")
    notify_player(alice.pk, build_message("notice.warning", reason="{name}"))
    assert [each["words"] for each in list_notices(alice.pk)] == [
        "The staff warns you: {reason}.", "Warning from the moderators: {name}",
    ]  # fmt: skip


def test_the_migration_keeps_notices_signs_and_cases(
    django_db_setup: None,
    django_db_blocker: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The squashed migrations have no step between what is put in here and what is made of it.
    monkeypatch.setattr(MigrationLoader, "load_disk", load_originals)
    # To migrate back would take longer.
    with django_db_blocker.unblock(), use_empty_database(tmp_path):
        executor = MigrationExecutor(connection)
        executor.migrate([("games", "0017_sign_searches"), ("lobby", "0006_another_name")])
        old = executor.loader.project_state([("games", "0017_sign_searches")]).apps
        now = timezone.now()
        one, two = (old.get_model("lobby", "Player").objects.create(username=n) for n in "ab")
        match = old.get_model("games", "Match").objects.create(
            game="tic-tac-toe", first=one, second=two, created_at=now, acted_at=now, notation="x"
        )
        about = {"match": match, "player": one}
        old.get_model("games", "Notice").objects.create(
            player=one, words="An old notice.", match=match
        )
        old.get_model("games", "Sign").objects.create(
            key="k", kind="pair", words="An old sign.", at=now, **about
        )
        old.get_model("games", "Case").objects.create(
            opened_at=now, taken_by=two, taken_at=now, **about
        )
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
        assert [each["words"] for each in list_notices(one.pk)] == ["An old notice."]
        assert Sign.objects.get().sentence == "An old sign."
        assert [case.pk for case in Match.objects.get().cases.all()]
        with connection.cursor() as cursor:  # no release still needs it
            columns = connection.introspection.get_table_description(cursor, "games_case")
        assert not {"taken_at", "taken_by_id"} & {column.name for column in columns}
