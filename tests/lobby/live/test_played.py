"""Live matches on show: abandoned ones are left out, and people come before the computer."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from games.journal.opening import open_match
from games.match.setup import Setup
from games.models import Attendance, Match
from lobby.accounts.guests import new_guest
from lobby.live import live_matches
from lobby.live.listing import read_lobby
from lobby.live.live_matches import (
    PlayedMatch,
    choose_matches,
    choose_most_watched,
    get_played_matches,
)
from lobby.seeks.computer import play_computer

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SETUP = Setup("tic-tac-toe")


def entry(acted: float, is_people: bool = True, watchers: int = 0) -> PlayedMatch:
    """Return a match that began an hour ago and had its last action this many seconds ago."""
    return PlayedMatch(
        NOW - timedelta(hours=1), NOW - timedelta(seconds=acted), is_people, watchers
    )


@pytest.fixture(autouse=True)
def clear_presence() -> Iterator[None]:
    """Clear the presence that another test has read."""
    live_matches.clear_cache()
    yield
    live_matches.clear_cache()


def test_people_come_before_the_computer_and_keep_their_order() -> None:
    known = {
        "bot": entry(0, is_people=False),
        "shown": entry(30),
        "bot shown": entry(1, is_people=False),
        "people": entry(50),
    }
    before = ["bot shown", "shown"]
    assert choose_matches(before, known, NOW, 9) == ["shown", "people", "bot shown", "bot"]
    assert choose_matches(before, known, NOW, 3) == ["shown", "people", "bot shown"]


def test_the_wall_has_people_and_the_most_watched_first() -> None:
    known = {
        "bot": entry(0, is_people=False, watchers=9),
        "quiet": entry(40),
        "lively": entry(1),
        "watched": entry(50, watchers=2),
    }
    assert choose_most_watched((), known, NOW, 6) == ["watched", "lively", "quiet", "bot"]
    assert choose_most_watched((), known, NOW, 3) == ["watched", "lively", "quiet"]
    # Matches on show keep their places. The first one gives way only to a match with more
    # watchers.
    assert choose_most_watched(["quiet", "lively"], known, NOW, 2) == ["watched", "quiet"]
    known["lively"] = entry(1, watchers=2)
    assert choose_most_watched(["watched", "quiet", "lively"], known, NOW, 3) == [
        "watched",
        "quiet",
        "lively",
    ]
    known["lively"] = entry(1, watchers=3)
    assert choose_most_watched(["watched", "quiet", "lively"], known, NOW, 3)[0] == "lively"


def match(ago: float, ply: int = 0) -> str:
    """Create a match between two guests with its last action this many seconds ago."""
    made = open_match(SETUP, new_guest().pk, new_guest().pk)
    then = timezone.now() - timedelta(seconds=ago)
    created = then if ply == 0 else then - timedelta(hours=1)
    Match.objects.filter(pk=made.pk).update(created_at=created, acted_at=then, ply=ply)
    return made.pk


def seen(match_id: str, first: float | None, second: float | None, watchers: int = 0) -> None:
    """Store when each seat's player was last seen, in seconds ago."""
    now = timezone.now()
    at = [None if ago is None else now - timedelta(seconds=ago) for ago in (first, second)]
    latest = max([moment for moment in at if moment is not None])
    Attendance.objects.create(
        match_id=match_id, server="a", first_at=at[0], second_at=at[1], watchers=watchers,
        seen_at=latest,
    )  # fmt: skip


@pytest.mark.django_db
def test_a_match_is_played_while_both_are_present_or_one_acted_recently() -> None:
    new, unbegun = match(10), match(200)
    lately, left = match(120, ply=4), match(900, ply=4)
    both, one, long_ago = match(900, ply=4), match(900, ply=4), match(900, ply=4)
    seen(lately, 100, 110)
    seen(left, 200, 2)
    seen(both, 1, 3, watchers=2)
    seen(one, 1, 90)
    seen(long_ago, 3000, 3000)
    found = get_played_matches()
    assert set(found) == {new, lately, both}
    assert found[both].watchers == 2
    assert unbegun not in found
    Match.objects.filter(pk=both).update(
        status=Match.Status.OVER, ended="agreement", ended_at=timezone.now()
    )
    live_matches.clear_cache()
    assert both not in get_played_matches()


@pytest.mark.django_db
def test_against_the_computer_one_person_is_both_and_comes_after_people() -> None:
    player = new_guest()
    bot = play_computer(player.pk, SETUP, 1)
    seat = 0 if bot.first_id == player.pk else 1
    seen(bot.pk, *((1, None) if seat == 0 else (None, 1)))
    Match.objects.filter(pk=bot.pk).update(created_at=timezone.now() - timedelta(hours=2))
    people = match(20)
    found = get_played_matches()
    assert not found[bot.pk].is_people
    shown = read_lobby()
    assert list(shown.matches) == [people, bot.pk]
    assert shown.playing == 2


@pytest.mark.django_db
def test_nine_abandoned_games_are_not_listed_and_not_counted() -> None:
    for _ in range(9):
        match(4000, ply=2)
    shown = read_lobby()
    assert shown.matches == {}
    assert shown.playing == 0
