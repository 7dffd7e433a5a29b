"""Rated games on pages without scripts: options, refusals and remembered choices."""

from typing import Any

import pytest

from games.match.setup import Setup
from lobby.accounts.guests import new_guest
from lobby.live.listing import read_lobby
from lobby.models import Challenge, Preferences, Seek
from lobby.seeks import matchmaking
from lobby.seeks.rated import build_rating_range
from tests.builders.players import client_for

pytestmark = pytest.mark.django_db

RATED = {"game": "dots-and-boxes", "clock": "3+2", "rated": "yes"}


def test_an_account_invites_to_a_rated_match_and_a_guest_is_sent_to_sign_up(alice: Any) -> None:
    answer = client_for(alice).post("/seek/", RATED)
    made = Seek.objects.get()
    assert answer["Location"] == made.get_absolute_url() and made.rated
    guest = client_for(new_guest())
    for path, form in (("/seek/", RATED), (f"/seek/{made.pk}/accept/", {})):
        answer = guest.post(path, form)
        assert answer["Location"].startswith("/accounts/signup/?next=/"), answer["Location"]
    page = guest.get(made.get_absolute_url()).content.decode()
    assert "Rated games need an account" in page and 'id="accept"' not in page
    assert Seek.objects.count() == 1


@pytest.mark.parametrize("change", [{"game": "tic-tac-toe"}, {"clock": ""}])
def test_what_cannot_be_rated_is_told(alice: Any, change: dict[str, str]) -> None:
    client = client_for(alice)
    assert client.post("/seek/", {**RATED, **change})["Location"] == "/"
    said = client.get("/").content.decode()
    assert ("cannot be rated" if "game" in change else "without a time limit") in said
    assert not Seek.objects.exists()


def test_nothing_rated_at_one_screen_or_against_the_computer(alice: Any) -> None:
    client = client_for(alice)
    for path in ("/one-screen/", "/computer/"):
        assert client.post(path, {**RATED, "level": "1", "side": "lot"}).status_code == 400


def test_a_challenge_is_kept_when_refused_and_remembered_when_made(alice: Any, bob: Any) -> None:
    client = client_for(alice)
    path = "/player/bob/challenge/"
    assert "checked" not in client.get(path).content.decode()
    answer = client.post(path, {**RATED, "clock": ""})
    assert "game=dots-and-boxes" in answer["Location"]
    page = " ".join(client.get(answer["Location"]).content.decode().split())
    assert 'value="dots-and-boxes" required checked' in page
    assert 'name="rated" value="yes" checked' in page
    client.post(path, RATED)
    assert Challenge.objects.get().setup.rated
    assert Preferences.objects.get(player=alice).rated
    page = " ".join(client.get(path).content.decode().split())
    assert 'name="rated" value="yes" checked' in page and 'value="3+2" selected' in page
    guest = new_guest()
    assert "is a guest" in client.get(f"/player/{guest.username}/challenge/").content.decode()
    assert "need an account" in client_for(guest).get("/player/bob/challenge/").content.decode()


def test_the_list_of_seeks_says_what_is_rated(alice: Any, bob: Any) -> None:
    setup = Setup("dots-and-boxes", "3+2", rated=True)
    one = matchmaking.create_seek(alice.pk, setup, wanted=build_rating_range(1400, None))
    other = matchmaking.create_seek(bob.pk, Setup("dots-and-boxes"))
    listed = read_lobby().seeks
    assert (listed[one.pk].rated, listed[one.pk].lowest, listed[one.pk].highest) == (
        True, 1400, None,
    )  # fmt: skip
    assert (listed[other.pk].rated, listed[other.pk].lowest) == (False, None)
