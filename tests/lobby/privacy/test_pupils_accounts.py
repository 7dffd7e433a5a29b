"""What a protected account is not offered, and where a pupil who logs in arrives."""

from typing import Any

import pytest

from games.messages.refusal import Refused
from lobby.accounts import tokens
from lobby.accounts.tokens import SCOPES
from lobby.groups import membership
from lobby.models import AuthorizationCode, Group, Player, Token, Webhook
from lobby.privacy.account_deletion import close_account
from lobby.webhooks import registration
from tests.builders.groups import create_group, post_accounts
from tests.builders.oauth import get_address
from tests.builders.pages import get_text
from tests.builders.players import PASSWORD, client_for, create_organiser, create_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def group(db: None) -> Group:
    return create_group(create_organiser(), create_player("Anna Berg"), for_minors=True)


@pytest.fixture
def anna(group: Group) -> Player:
    return Player.objects.get(username="Anna Berg")


def make_class_account(group: Group) -> Player:
    assert group.organiser is not None
    post_accounts(client_for(group.organiser), group, how="list", names="Dora 7b").getvalue()
    return Player.objects.get(username="Dora 7b")


def test_a_pupil_is_offered_no_way_in_for_programs(anna: Player) -> None:
    client = client_for(anna)
    page = client.get("/accounts/").content.decode()
    for path in ("/accounts/tokens/", "/accounts/webhooks/", "/accounts/applications/"):
        assert path not in page
    assert "/accounts/tokens/" not in client.get("/api/docs/").content.decode()
    grown = client_for(create_player("Stan Ger")).get("/accounts/").content.decode()
    assert "/accounts/tokens/" in grown and "/accounts/webhooks/" in grown


@pytest.mark.parametrize("path", ["/accounts/tokens/", "/accounts/webhooks/"])
def test_who_asks_for_them_anyway_reads_where_to_go(anna: Player, path: str) -> None:
    form = {
        "name": "mine",
        "scope": "games:read",
        "address": "https://example.com/",
        "told": "games",
    }
    for answer in (
        client_for(anna).get(path, follow=True),
        client_for(anna).post(path, form, follow=True),
    ):
        assert "no program can use it" in get_text(answer)
        assert answer.redirect_chain[-1][0] == "/accounts/"
    assert not Token.objects.exists() and not Webhook.objects.exists()


def test_nothing_below_the_pages_makes_them_either(anna: Player) -> None:
    with pytest.raises(Refused, match="minors-no-programs"):
        tokens.create_token(anna.pk, "mine", SCOPES)
    with pytest.raises(Refused, match="minors-no-programs"):
        registration.register_webhook(anna.pk, "https://example.com/", True, True)
    client = client_for(anna)
    answer = client.post(get_address(), {"answer": "allow"})
    if answer.status_code == 302:  # the password first
        client.post(answer.headers["Location"], {"password": PASSWORD})
        answer = client.post(get_address(), {"answer": "allow"})
    assert answer.status_code == 403 and not AuthorizationCode.objects.exists()


def test_what_programs_have_ends_when_protection_begins(group: Group) -> None:
    dora, stan = create_player("Dora Dean"), create_player("Stan Ger")
    for who in (dora, stan):
        tokens.create_token(who.pk, "mine", SCOPES)
        tokens.create_token(who.pk, "app", SCOPES, application="https://app.example")
        registration.register_webhook(who.pk, "https://example.com/", True, True)
    membership.join_group(dora, group.code or "")
    assert set(Token.objects.values_list("player", flat=True)) == {stan.pk}
    assert set(Webhook.objects.values_list("player", flat=True)) == {stan.pk}


def test_a_pupil_does_not_close_an_account_that_the_class_made(group: Group, anna: Player) -> None:
    dora = make_class_account(group)
    client = client_for(dora)
    assert "/accounts/close/" not in client.get("/accounts/").content.decode()
    for answer in (
        client.get("/accounts/close/", follow=True),
        client.post("/accounts/close/", {"password": PASSWORD}, follow=True),
    ):
        assert "Ask its organiser to close it" in get_text(answer)
    assert not close_account(dora.pk)
    dora.refresh_from_db()
    assert dora.closing_at is None
    membership.remove_member(group.pk, dora.pk)  # also outside of the class
    assert not close_account(dora.pk)
    Player.objects.filter(pk=dora.pk).update(is_protected=False)  # of age
    assert close_account(dora.pk) and close_account(anna.pk)


def log_in(name: str, **form: str) -> str:
    answer: Any = client_for(None).post(
        "/accounts/login/", {"login": name, "password": PASSWORD, **form}
    )
    return str(answer.headers["Location"])


def test_pupils_arrive_at_their_class(group: Group, anna: Player) -> None:
    assert log_in("Anna Berg") == f"/groups/{group.pk}/"
    assert log_in("Anna Berg", next="/games/") == "/games/"
    later = create_group(create_organiser("Otto Brook"), anna, for_minors=True)
    assert log_in("Anna Berg") == f"/groups/{later.pk}/"
    for each in (group, later):
        membership.remove_member(each.pk, anna.pk)
    assert log_in("Anna Berg") == "/groups/"
    create_player("Stan Ger")
    assert log_in("Stan Ger") == "/"
