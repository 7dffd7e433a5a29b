"""Two people at one screen: the second player, names, limits and signs."""

from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Connection, Match, Sign
from games.review.sign_search import search_all
from games.review.signs import find_many_aborts
from games.store.records import read_states
from games.store.seats import get_held_seats
from lobby.accounts.guests import new_guest
from lobby.models import Player
from lobby.seeks.matchmaking import create_seek
from lobby.seeks.one_screen import get_friend, open_one_screen_match

pytestmark = pytest.mark.django_db
GAME = Setup("tic-tac-toe")
written = pytest.mark.django_db(transaction=True)  # another thread also writes


def test_one_friend_sits_beside_each_player() -> None:
    host = new_guest()
    first, second = (
        open_one_screen_match(host.pk, GAME, "mine"),
        open_one_screen_match(host.pk, GAME, "theirs"),
    )
    friend = Player.objects.get(beside=host)
    assert friend.username == f"Friend of {host.username}"
    assert (first.first_id, first.second_id) == (host.pk, friend.pk)
    assert (second.first_id, second.second_id) == (friend.pk, host.pk)
    assert not friend.has_usable_password()
    assert not first.rated
    state = read_states([first.pk])[first.pk]
    assert get_held_seats(state, host.pk) == (0, 1)
    assert get_held_seats(state, new_guest().pk) == ()


def test_a_friend_has_another_name_where_somebody_has_it() -> None:
    host = new_guest()
    Player.objects.create(username=f"friend OF {host.username}")
    assert get_friend(host).username == f"A friend of {host.username}"


def test_a_friend_follows_the_name_of_the_host() -> None:
    host = new_guest()
    friend = get_friend(host)
    host.username = "Kind Otter 2"
    host.save()
    friend.refresh_from_db()
    assert friend.username == "Friend of Kind Otter 2"
    assert get_friend(host) == friend


def test_suspended_or_busy_players_begin_no_match(django_user_model: type[Player]) -> None:
    host = new_guest()
    with override_settings(
        RATE_LIMITS=True, SHARED_SCREEN_MATCHES_PER_PLAYER=2, MATCHES_PER_MINUTE=50
    ):
        for _ in range(2):
            open_one_screen_match(host.pk, GAME)
        with pytest.raises(Refused, match="many-beside"):
            open_one_screen_match(host.pk, GAME)
        assert Match.objects.count() == 2
        Match.objects.update(status="over", ended="rules", ended_at=timezone.now())
        open_one_screen_match(host.pk, GAME)
    with (
        override_settings(RATE_LIMITS=True, MATCHES_PER_MINUTE=3),
        pytest.raises(Refused, match="many-matches"),
    ):
        open_one_screen_match(host.pk, GAME)


@written
def test_a_form_begins_it_and_nonsense_does_not() -> None:
    client = Client()
    sent = {"game": "six-in-a-row", "clock": "3+2", "side": "theirs"}
    answer = client.post("/one-screen/", sent)
    match = Match.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"/match/{match.pk}/")
    assert match.second_id == Player.objects.get(friend__isnull=False).pk
    for wrong in ({"side": "both"}, {"game": "chess"}, {"clock": "soon"}, {"rated": "yes"}):
        assert client.post("/one-screen/", sent | wrong).status_code == 400
    assert client.get("/one-screen/").status_code == 405
    assert Match.objects.count() == 1


@written
def test_beginning_one_ends_the_searches_of_the_host() -> None:
    client = Client()
    client.post("/guest/")
    host = Player.objects.get()
    create_seek(host.pk, GAME)
    client.post("/one-screen/", {"game": "tic-tac-toe"})
    assert not host.seeks.exists()


@written
def test_the_page_shows_both_at_one_screen() -> None:
    client = Client()
    client.post("/one-screen/", {"game": "tic-tac-toe"})
    match = Match.objects.get()
    page = client.get(f"/match/{match.pk}/").content.decode()
    assert "data-one-screen" in page
    assert 'data-role="xplayer"' in page
    assert 'id="report"' not in page
    assert "data-one-screen" not in Client().get(f"/match/{match.pk}/").content.decode()


@written
def test_a_player_cannot_report_the_player_beside_them() -> None:
    client = Client()
    client.post("/one-screen/", {"game": "tic-tac-toe"})
    match, friend = Match.objects.get(), Player.objects.get(beside__isnull=False)
    told = {"player": str(friend.pk), "reason": "insult", "words": ""}
    assert client.post(f"/match/{match.pk}/report/", told).status_code == 302
    assert not match.cases.exists()


def test_games_at_one_screen_give_no_signs() -> None:
    """Both have the same address, and the same player always wins."""
    host, now = new_guest(), timezone.now()
    for _ in range(9):
        match = open_one_screen_match(host.pk, GAME, "mine")
        Match.objects.filter(pk=match.pk).update(
            status="over", ended="resignation", first_goal=100, second_goal=0, ended_at=now
        )
        for seat in (0, 1):
            Connection.objects.create(
                match=match, seat=seat, server="here", address="same", opened_at=now, seen_at=now
            )
    search_all(now - timedelta(days=1))
    assert not Sign.objects.exists()
    Match.objects.update(status="aborted", ended="aborted", ended_by=0)
    assert find_many_aborts(host.pk) is None
