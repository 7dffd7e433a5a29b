"""The ratings at the seats of a match: current values, and changes caused by the match."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from msgspec import UNSET

from games.live.room import Room
from games.models import Event, Match
from games.store.ratings import RATED_WITHIN, SeatRating, get_seat_ratings
from games.store.records import read_states
from lobby.live.listing import read_lobby
from lobby.models import Seek
from lobby.ratings.standing import get_displayed_ratings
from tests.builders.matches import create_rated_match, create_rated_win, deliver_events

pytestmark = pytest.mark.django_db


def ratings(match: Match) -> Any:
    return get_seat_ratings(read_states([match.pk]).values()).get(match.pk)


def test_what_a_match_made_of_both(alice: Any, bob: Any) -> None:
    match = create_rated_win(alice, bob)
    assert ratings(match) == (SeatRating("1500?"), SeatRating("1500?"))
    deliver_events()
    assert ratings(match) == (SeatRating("1500?", "1741?"), SeatRating("1500?", "1259?"))
    later = create_rated_match(bob, alice)
    assert ratings(later) == (SeatRating("1259?"), SeatRating("1741?"))
    assert ratings(create_rated_match(bob, alice, rated=False)) is None


def test_the_page_says_it_without_scripts(alice: Any, bob: Any, client: Client) -> None:
    match = create_rated_win(alice, bob)
    assert ">1500?</span>" in client.get(f"/match/{match.pk}/").content.decode()
    deliver_events()
    text = client.get(f"/match/{match.pk}/").content.decode()
    for change in ("+241", "−241"):  # noqa: RUF001  # a minus sign
        assert f">1500? {change}</span>" in text
    plain = client.get(f"/match/{create_rated_win(alice, bob, rated=False).pk}/").content.decode()
    assert re.search(r'class="rating"[^>]* hidden></span>', plain)


def test_the_page_says_when_a_game_to_be_rated_has_changed_no_rating(
    alice: Any, bob: Any, client: Client
) -> None:
    def says_so(match: Match) -> bool:
        text = client.get(f"/match/{match.pk}/").content.decode()
        return (
            re.search(
                r' id="unrated" data-wait="60000">\s*This game did not change any rating', text
            )
            is not None
        )

    fresh, counted = create_rated_win(alice, bob), create_rated_win(alice, bob)
    never, casual = create_rated_win(alice, bob, plies=0), create_rated_win(alice, bob, rated=False)
    deliver_events()
    assert not any(map(says_so, (fresh, counted, never, casual, create_rated_match(alice, bob))))
    before = timezone.now() - timedelta(seconds=RATED_WITHIN + 1)
    Match.objects.filter(pk__in=[counted.pk, never.pk, casual.pk]).update(ended_at=before)
    assert list(map(says_so, (counted, never, casual))) == [False, True, False]


def test_a_room_looks_for_ratings_until_it_has_them(alice: Any, bob: Any) -> None:
    match = create_rated_match(alice, bob)
    room = Room(read_states([match.pk])[match.pk], ("alice", "bob"), "")
    assert room.lacks_ratings()
    room.ratings = ratings(match)
    assert not room.lacks_ratings() and room.frame()
    ended = create_rated_win(alice, bob)
    over = Room(read_states([ended.pk])[ended.pk], ("alice", "bob"), "")
    over.ratings = ratings(ended)
    assert over.lacks_ratings()
    deliver_events()
    over.ratings = ratings(ended)
    assert not over.lacks_ratings() and not Event.objects.exclude(due_at=None).exists()
    casual = create_rated_match(alice, bob, rated=False)
    assert not Room(read_states([casual.pk])[casual.pk], ("alice", "bob"), "").lacks_ratings()


def test_the_lobby_lists_ratings_with_one_query(
    alice: Any, bob: Any, django_assert_num_queries: Any
) -> None:
    create_rated_win(alice, bob)
    deliver_events()
    seek = Seek(player=bob, game="six-in-a-row", clock="3+2", rated=True)
    seek.created_at = seek.seen_at = timezone.now()
    seek.save()
    rated = create_rated_match(bob, alice)
    casual = create_rated_match(alice, bob, rated=False)
    shown = read_lobby()
    assert [each.rating for each in shown.seeks.values()] == ["1259?"]
    found = {
        pk: [seat.rating for seat in match.seats.values()] for pk, match in shown.matches.items()
    }
    assert found == {rated.pk: ["1259?", "1741?"], casual.pk: [UNSET, UNSET]}
    with django_assert_num_queries(1):
        get_displayed_ratings({(alice.pk, "six-in-a-row"), (bob.pk, "dots-and-boxes")})
    with django_assert_num_queries(0):
        get_displayed_ratings(set())
