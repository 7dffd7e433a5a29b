"""Notices and signs are codes with parameters; the reader's page makes the sentence."""

from collections.abc import Callable
from typing import Any

from games.messages import build_message
from games.models import Match, Notice
from games.review import decisions
from games.review.notices import list_notices, notify_player
from games.review.sentences import SENTENCES
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
