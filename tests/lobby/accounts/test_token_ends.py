"""Every way to change an account's password revokes its tokens."""

from collections.abc import Callable

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from lobby.accounts import tokens
from lobby.accounts.recovery import create_words
from lobby.groups import member_passwords
from lobby.models import Making, Player
from tests.builders.groups import create_group
from tests.builders.players import client_for, create_organiser, create_player
from tests.builders.second_factors import give_factor

pytestmark = pytest.mark.django_db

NEW = "brand new thing 88"


def by_recovery_words(account: Player) -> None:
    words = create_words(account)
    form = {"name": account.username, "words": words, "password1": NEW, "password2": NEW}
    Client().post("/accounts/recovery/", form)


def by_the_classes_organiser(account: Player) -> None:
    olga = create_organiser()
    group = create_group(olga, account)
    made = Making.objects.create(group=group, key="key", shown_until=timezone.now())
    group.members.filter(player=account).update(making=made)
    member_passwords.store_passwords(group, olga, [(account, make_password(NEW))])


def by_the_staff(account: Player) -> None:
    berta = create_player("Berta Bell")
    Player.objects.filter(pk=berta.pk).update(is_staff=True, is_superuser=True)
    berta.refresh_from_db()
    give_factor(berta)
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    client_for(berta).post(f"/admin/lobby/player/{account.pk}/password/", form)


@pytest.mark.parametrize("change", [by_recovery_words, by_the_classes_organiser, by_the_staff])
def test_no_token_and_no_session_outlives_the_password(change: Callable[[Player], None]) -> None:
    anna = create_player("Anna Berg")
    anna.set_password("old pass word 77")
    anna.save()
    token = tokens.create_token(anna.pk, "A bot", ["games:play"])
    assert tokens.get_token(token.text) is not None
    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": anna.username, "password": "old pass word 77"})
    assert UserSession.objects.filter(user=anna).count() == 1
    change(anna)
    keys = [elsewhere.session.session_key]
    assert not UserSession.objects.filter(user=anna, session_key__in=keys).exists()
    anna.refresh_from_db()
    assert anna.check_password(NEW)
    assert tokens.get_token(token.text) is None
