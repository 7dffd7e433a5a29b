"""The sessions, pages and names of a guest who became an alias."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from games.live.admission import Applicant, look_up_applicants
from games.live.sessions import find_invalid
from games.match.commands import Resign
from games.store.aliases import get_aliases
from games.store.records import find_unsound_matches, read_states
from lobby.accounts.merging import merge_guest
from lobby.accounts.names import find_person, release_alias_names
from lobby.models import Player
from tests.builders.matches import commit_command, create_match
from tests.builders.players import PASSWORD

pytestmark = pytest.mark.django_db


def session_of(who: Player) -> str:
    client = Client()
    client.force_login(who)
    key = client.session.session_key
    assert key
    return key


def test_the_guests_session_is_nobodys_then(guest: Player, anna: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", guest, bob)
    key, own, elsewhere = session_of(guest), session_of(anna), session_of(bob)
    held = [
        (key, guest.pk, frozenset({guest.pk})),
        (own, anna.pk, frozenset({anna.pk})),
        (elsewhere, bob.pk, frozenset({bob.pk})),
    ]
    found = find_invalid(held, {})
    assert (found.sessions, found.players, found.anew) == ([], [], [])
    merge_guest(guest.pk, anna.pk)
    who, account = look_up_applicants([Applicant(key, match.pk), Applicant(own, match.pk)])
    assert (who.player_id, who.acts_as) == (None, frozenset())
    assert account.acts_as == {anna.pk, guest.pk}
    found = find_invalid(held, {})
    assert (found.sessions, found.players) == ([], [])
    assert found.anew == sorted([guest.pk, anna.pk]), "both begin anew; bob is left alone"
    assert find_invalid([(own, anna.pk, account.acts_as)], {}).anew == []


def test_signing_in_by_the_page_merges(guest: Player, anna: Any, bob: Any) -> None:
    match = create_match("tic-tac-toe", guest, bob)
    client, stale = Client(), Client()
    client.force_login(guest)
    stale.cookies = client.cookies.copy()
    form = {"login": "Anna Berg", "password": PASSWORD, "next": "//evil.example/"}
    answer = client.post("/accounts/login/", form)
    assert answer.status_code == 302, answer.content.decode()
    assert answer.headers["Location"].startswith("/"), "no forged way out"
    assert not answer.headers["Location"].startswith("//")
    page = client.get("/").content.decode()
    assert f"The games of {guest.username} are now yours." in page
    assert f"/match/{match.pk}/" in page
    again = stale.post("/accounts/login/", {"login": "Anna Berg", "password": PASSWORD})
    assert again.status_code == 302, "another tab with the old session"
    assert get_aliases(anna.pk) == {anna.pk, guest.pk}


def test_a_wrong_password_merges_nothing(guest: Player, anna: Any) -> None:
    client = Client()
    client.force_login(guest)
    client.post("/accounts/login/", {"login": "Anna Berg", "password": "wrong"})
    guest.refresh_from_db()
    assert guest.alias_of_id is None
    assert client.session["_auth_user_id"] == str(guest.pk)


def test_an_alias_signs_up_as_nobody(guest: Player, anna: Any) -> None:
    client = Client()
    client.force_login(guest)
    merge_guest(guest.pk, anna.pk)
    form = {"username": "Fresh Start", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", form)
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest.alias_of_id == anna.pk
    made = Player.objects.filter(username="Fresh Start").first()
    assert made is not None
    assert made.pk not in (guest.pk, anna.pk)


# -- the guest's name


def test_the_name_is_free_after_a_month(guest: Player, anna: Any) -> None:
    name = guest.username
    merge_guest(guest.pk, anna.pk)
    assert find_person(name) == anna
    release_alias_names()
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(username=name)
    Player.objects.filter(pk=guest.pk).update(name_free_at=timezone.now() - timedelta(days=1))
    release_alias_names()
    release_alias_names()
    assert find_person(name) is None
    made = Player.objects.create(username=name)
    guest.refresh_from_db()
    assert guest.name == "Anna Berg"
    assert get_aliases(anna.pk) == {anna.pk, guest.pk}
    assert find_person(name) == made


def test_a_match_may_end_at_the_same_moment(guest: Player, anna: Any, bob: Any) -> None:
    """A request from before the merge, with the state known then, is stored after it."""
    match = create_match("tic-tac-toe", guest, bob, 2)
    known = read_states([match.pk])[match.pk]
    merge_guest(guest.pk, anna.pk)
    commit_command(match, guest.pk, Resign(), known=known)
    assert find_unsound_matches([match.pk]) == {}
