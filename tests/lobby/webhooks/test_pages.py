"""The page of an account's webhooks."""

import re

import pytest
from django.utils import timezone

from lobby.accounts import encryption
from lobby.models import Delivery, Webhook
from lobby.views.webhooks import _FAULTS
from tests.builders.players import confirm_password, create_player, log_in

pytestmark = pytest.mark.django_db
PAGE = "/accounts/webhooks/"


def test_a_secret_is_shown_once() -> None:
    create_player("anna")
    client = log_in("anna")
    confirm_password(client)
    asked = {"address": "https://example.org/in", "told": ["games", "tournaments"]}
    answer = client.post(PAGE, asked)
    found = re.search(r"whsec_[A-Za-z0-9+/=]+", answer.content.decode())
    assert found is not None
    row = Webhook.objects.get()
    assert encryption.decrypt(row.secret) == found[0]
    assert (row.address, row.of_games, row.of_tournaments) == (asked["address"], True, True)
    again = client.get(PAGE)
    assert "https://example.org/in" in again.content.decode()
    assert found[0] not in again.content.decode()
    assert "no-store" in again.headers["Cache-Control"]
    create_player("bert")
    other = log_in("bert")
    for act in ("remove", "on"):
        assert other.post(f"{PAGE}{row.pk}/{act}/").status_code == 404
    client.post(f"{PAGE}{row.pk}/remove/")
    assert not Webhook.objects.exists()


@pytest.mark.parametrize("address", ["https://127.0.0.1/", "http://example.org/", "<script>"])
def test_a_refusal_is_displayed_beside_the_input(address: str) -> None:
    create_player("anna")
    client = log_in("anna")
    confirm_password(client)
    answer = client.post(PAGE, {"address": address, "told": "games"})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert "<script>" not in answer.content.decode()
    assert not Webhook.objects.exists()


def test_dropped_deliveries_are_displayed() -> None:
    anna = create_player("anna")
    client = log_in("anna")
    confirm_password(client)
    client.post(PAGE, {"address": "https://example.org/in", "told": "games"})
    hook, now = Webhook.objects.get(), timezone.now()
    page = client.get(PAGE).content.decode()
    assert "Failed deliveries" not in page and "Enable" not in page
    for number, fault in enumerate([*list(_FAULTS)[:4], "status-404"]):
        Delivery.objects.create(
            hook=hook, event=str(number), kind="match.ended", body="{}", at=now,
            fault=fault, given_up=True,
        )  # fmt: skip
    Webhook.objects.update(off_at=now)
    page = client.get(PAGE).content.decode()
    assert "The address answered with status 404." in page
    assert "Invalid certificate." in page
    client.post(f"{PAGE}{hook.pk}/on/")
    assert Webhook.objects.get(player=anna).off_at is None
