"""The agreed setup of a match, which nobody can change afterwards."""

from typing import Any

import pytest
from django.db import connection

from games.journal.opening import open_match
from games.match.setup import RATED_GAMES, Setup, checked
from games.messages.refusal import Refused
from games.models import Match
from games.store.records import find_unsound_matches, read_states
from lobby.accounts.guests import new_guest
from tests.builders.matches import create_guest_match


def test_a_setup_is_checked() -> None:
    assert checked("dots-and-boxes", "3+2") == Setup("dots-and-boxes", "3+2")
    assert checked("dots-and-boxes") == Setup("dots-and-boxes", "", "", False)


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "chess"},
        {"game": "tic-tac-toe", "clock": "3"},
        {"game": "tic-tac-toe", "options": "4x4"},
        {"game": "chess", "rated": True},
    ],
)
def test_what_cannot_be_played_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        checked(**asked)


def test_a_small_solved_game_and_an_untimed_one_are_not_rated() -> None:
    assert set(RATED_GAMES) == {"dots-and-boxes", "parallel-tic-tac-toe", "six-in-a-row"}
    for slug in RATED_GAMES:
        assert checked(slug, "3+2", rated=True) == Setup(slug, "3+2", "", True)
        with pytest.raises(Refused, match="unrated-untimed"):
            checked(slug, rated=True)
    with pytest.raises(Refused, match="unrated-game"):
        checked("tic-tac-toe", "3+2", rated=True)


@pytest.mark.django_db
def test_a_match_carries_its_setup_and_proves_it() -> None:
    setup = Setup("tic-tac-toe", "3+2", "misere", True)
    match = open_match(setup, new_guest().pk, new_guest().pk)
    assert read_states([match.pk])[match.pk].setup == setup
    assert find_unsound_matches([match.pk]) == {}


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"options": "misere"}, {"rated": True}, {"clock": "1+0"}])
def test_a_setup_that_is_changed_behind_the_sites_back_shows(change: dict[str, Any]) -> None:
    match = create_guest_match()
    assert find_unsound_matches([match.pk]) == {}
    Match.objects.filter(pk=match.pk).update(**change)
    assert list(find_unsound_matches([match.pk])) == [match.pk]


@pytest.mark.django_db
def test_the_server_before_can_still_store_a_match() -> None:
    """During an update, a server of the previous release stores matches without these columns."""
    match = create_guest_match()
    fields = [f.column for f in Match._meta.fields if f.column not in {"options", "rated"}]
    columns = ", ".join(fields)
    chosen = ", ".join("'other'" if name == "id" else name for name in fields)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO games_match ({columns}) SELECT {chosen} FROM games_match WHERE id = %s",
            [match.pk],
        )
    assert read_states(["other"])["other"].setup == Setup("tic-tac-toe")
