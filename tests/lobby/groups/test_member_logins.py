"""Cards and picture passwords: how organisers print and revoke them."""

import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from games.messages.refusal import Refused
from lobby.groups.class_login import PICTURES
from lobby.groups.member_logins import (
    compute_card,
    compute_pictures,
    create_form_token,
    revoke_logins,
)
from lobby.groups.membership import join_group
from lobby.models import Group, MemberLogin, Player
from tests.builders.class_logins import create_class, give_logins, open_class, scan_card
from tests.builders.pages import get_text
from tests.builders.players import client_for, create_organiser, create_player, is_logged_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return create_player("Anna 7b")


@pytest.fixture
def ben() -> Player:
    return create_player("Ben 7b")


@pytest.fixture
def group(anna: Player, ben: Player) -> Group:
    return create_class(anna, ben)


def post(group: Group, do: str, *pupils: Player, client: Client | None = None, **form: Any) -> Any:
    form = {"token": create_form_token(), "do": do, "player": [each.pk for each in pupils], **form}
    return (client or client_for(group.organiser)).post(f"/groups/{group.pk}/cards/", form)


def get_codes(page: str) -> list[str]:
    return [code.replace("-", "") for code in re.findall(r'card-code"[^>]*>([A-Z0-9-]+)<', page)]


def test_the_sheet_has_a_card_for_each_ticked_member(
    group: Group, anna: Player, ben: Player
) -> None:
    answer = post(group, "both", anna, ben)
    page = get_text(answer)
    assert answer.status_code == 200 and "no-store" in answer.headers["Cache-Control"]
    assert page.count('class="qr"') == 2 and page.count("picture-drawing") == 6
    codes = get_codes(page)
    assert len(set(codes)) == 2 and all(len(code) == 20 for code in codes)
    open_class(group)
    for code in codes:
        client = Client()
        assert scan_card(group, code, client).status_code == 302 and is_logged_in(client)
    page = get_text(client_for(group.organiser).get(f"/groups/{group.pk}/cards/"))
    assert page.count("has a card and pictures") == 2 and codes[0] not in page.replace("-", "")


def test_cards_that_no_phone_can_open_are_not_for_printing(group: Group, anna: Player) -> None:
    client = client_for(group.organiser)
    assert "Other devices cannot open" not in get_text(post(group, "cards", anna, client=client))
    client.defaults["HTTP_HOST"] = "localhost:8000"
    shown = get_text(post(group, "cards", anna, client=client))
    assert "Other devices cannot open localhost:8000" in shown


def test_the_sheet_of_pictures_has_no_code(group: Group, anna: Player) -> None:
    page = get_text(post(group, "pictures", anna))
    assert 'class="qr"' not in page and not get_codes(page) and "picture-drawing" in page
    assert MemberLogin.objects.get().card_hash is None


def test_a_new_card_replaces_the_old_one_and_logs_its_owner_out(group: Group, anna: Player) -> None:
    (old,) = give_logins(group, anna)
    open_class(group)
    client = Client()
    scan_card(group, old.card, client)
    (code,) = get_codes(get_text(post(group, "cards", anna)))
    assert not is_logged_in(client)
    assert scan_card(group, old.card).status_code == 400
    assert scan_card(group, code).status_code == 302


def test_a_revoked_card_and_its_sessions_end(group: Group, anna: Player, ben: Player) -> None:
    login, other = give_logins(group, anna, ben)
    open_class(group)
    client, still = Client(), Client()
    scan_card(group, login.card, client)
    scan_card(group, other.card, still)
    assert post(group, "revoke", anna).status_code == 302
    assert not is_logged_in(client) and is_logged_in(still)
    assert scan_card(group, login.card).status_code == 400


def test_a_form_that_is_sent_twice_gives_the_same_sheet(group: Group, anna: Player) -> None:
    token = create_form_token()
    sheets = [get_text(post(group, "both", anna, token=token)) for _ in range(2)]
    assert get_codes(sheets[0]) == get_codes(sheets[1]) != []


def test_an_old_form_does_not_bring_a_revoked_card_back(group: Group, anna: Player) -> None:
    token = create_form_token()
    (code,) = get_codes(get_text(post(group, "cards", anna, token=token)))
    post(group, "revoke", anna)
    answer = post(group, "cards", anna, token=token)
    assert answer.status_code == 400 and "have changed since" in get_text(answer)
    open_class(group)
    assert scan_card(group, code).status_code == 400


@pytest.mark.parametrize("token", ["", "x", "a" * 5000])
def test_a_forged_form_makes_nothing(group: Group, anna: Player, token: str) -> None:
    assert post(group, "cards", anna, token=token).status_code == 400
    assert not MemberLogin.objects.exclude(card_hash=None).exists()


def test_nobody_else_makes_or_sees_cards(group: Group, anna: Player) -> None:
    for who, status in ((anna, 403), (create_player("Otto Cole"), 404)):
        assert post(group, "cards", anna, client=client_for(who)).status_code == status
        assert client_for(who).get(f"/groups/{group.pk}/cards/").status_code == status
    other = create_organiser("Otto Brook")
    with pytest.raises(Refused, match="not-allowed"):
        revoke_logins(group, other, [anna.pk])
    assert not MemberLogin.objects.exists()


def test_only_members_whose_passwords_the_organiser_may_set_get_cards(
    group: Group, anna: Player
) -> None:
    organiser = create_organiser("Otto Brook")
    join_group(organiser, group.code or "")
    for who in (organiser, group.organiser, create_player("Otto Cole")):
        assert who and post(group, "cards", anna, who).status_code == 400
    assert not MemberLogin.objects.exclude(card_hash=None).exists()
    page = get_text(client_for(group.organiser).get(f"/groups/{group.pk}/cards/"))
    assert "Anna 7b" in page and "Otto" not in page


@pytest.mark.parametrize("form", [{}, {"player": "x"}, {"player": "9" * 40}, {"do": "nothing"}])
def test_a_form_without_members_or_action_is_refused(group: Group, form: dict[str, str]) -> None:
    client = client_for(group.organiser)
    form = {"token": create_form_token(), "do": "cards", **form}
    assert client.post(f"/groups/{group.pk}/cards/", form).status_code == 400


def test_secrets_are_spread_evenly_and_differ_by_member_and_form() -> None:
    tokens = [create_form_token() for _ in range(20)]
    cards = {compute_card(token, member) for token in tokens for member in range(50)}
    assert len(cards) == 1000 and len(set("".join(cards))) == 31
    counts = Counter(
        picture
        for token in tokens
        for member in range(150)
        for picture in compute_pictures(token, member)
    )
    assert set(counts) == set(PICTURES)
    assert all(450 < count < 750 for count in counts.values())  # 600 expected, 6 deviations
