"""The second factor: apps, paper codes, required for staff, removed by two seniors."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from games.messages.refusal import Refused
from lobby.accounts.second_factors import confirm_factor_reset, request_factor_reset
from lobby.models import FactorReset
from tests.builders.players import PASSWORD, confirm_password, create_player, is_logged_in, log_in
from tests.builders.second_factors import SECRET, get_code, give_factor
from tests.builders.sites import ROOT

pytestmark = pytest.mark.django_db


def step(client: Client, given: str) -> bool:
    return client.post("/accounts/2fa/authenticate/", {"code": given}).status_code == 302


def test_a_button_for_a_passkey_waits_for_its_script() -> None:
    """The script enables it. A click before that would be lost."""
    pages = [page.read_text() for page in (ROOT / "templates").rglob("*.html")]
    buttons = re.findall(r"<button[^>]*data-passkey-start[^>]*>", "".join(pages))
    assert len(buttons) >= 4
    assert [button for button in buttons if " disabled" not in button] == []


def test_the_password_alone_opens_nothing() -> None:
    give_factor(create_player("anna"))
    client = log_in("anna")
    assert not is_logged_in(client)
    assert not step(client, "000000")
    assert not is_logged_in(client)
    assert step(client, get_code())
    assert is_logged_in(client)


def test_a_code_is_good_once_and_no_older_one_after_it() -> None:
    give_factor(create_player("anna"))
    used = get_code()
    assert step(log_in("anna"), used)
    for given in (used, get_code(-1)):
        assert not step(log_in("anna"), given)
    assert step(log_in("anna"), get_code(1))


def test_a_guest_comes_by_the_second_step_too() -> None:
    give_factor(create_player("anna"))
    client = Client()
    client.post("/guest/")
    assert step(log_in("anna", client=client), get_code())
    assert is_logged_in(client)


def test_its_secret_is_not_stored_as_it_is() -> None:
    give_factor(create_player("anna"))
    assert SECRET not in str(Authenticator.objects.values())


def test_it_is_set_up_after_the_password_and_codes_are_shown_once(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    create_player("anna")
    here, there = log_in("anna"), log_in("anna")
    assert (
        here.get("/accounts/2fa/totp/activate/")
        .headers["Location"]
        .startswith("/accounts/reauthenticate/")
    )
    confirm_password(here)
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.generate_totp_secret", lambda: SECRET)
    page = here.get("/accounts/2fa/totp/activate/").content.decode()
    assert '<svg class="qr"' in page
    assert "data:" not in page
    assert here.post("/accounts/2fa/totp/activate/", {"code": "123"}).status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        answer = here.post("/accounts/2fa/totp/activate/", {"code": get_code()})
    assert answer.headers["Location"] == "/accounts/2fa/codes/"
    codes = re.findall(r"<code>(\d{12})</code>", here.get("/accounts/2fa/codes/").content.decode())
    assert len(codes) == 10
    assert codes[0] not in here.get("/accounts/2fa/codes/").content.decode()
    assert not is_logged_in(there), "other sessions are over"
    assert is_logged_in(here)
    first, second = log_in("anna"), log_in("anna")
    assert step(first, codes[0])
    assert not step(second, codes[0]), "each once"
    assert step(second, codes[1])
    assert here.post("/accounts/2fa/totp/deactivate/").status_code == 302
    assert is_logged_in(log_in("anna"))
    assert not Authenticator.objects.exists()


def test_staff_are_led_to_it_and_the_admin_is_closed_until_then() -> None:
    call_command("createsuperuser", "--noinput", "--username", "chief", "--email", "a@b.example")
    chief = create_player("clerk", is_staff=True, is_superuser=True)
    client = Client()
    answer = client.post("/accounts/login/?next=/admin/", {"login": "clerk", "password": PASSWORD})
    assert answer.headers["Location"] == "/accounts/2fa/"
    assert "Staff need two-step login" in client.get("/accounts/2fa/").content.decode()
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/accounts/2fa/")
    give_factor(chief)
    assert client.get("/admin/").status_code == 200
    confirm_password(client)
    page = client.post("/accounts/2fa/totp/deactivate/").content.decode()
    assert "Staff need two-step login: add another" in page
    assert Authenticator.objects.count() == 1


def test_the_admin_has_the_door_that_is_everybodys() -> None:
    answer = Client().get("/admin/login/?next=/admin/games/match/")
    assert answer.headers["Location"] == "/accounts/login/?next=/admin/games/match/"
    create_player("anna")
    client = log_in("anna")
    assert client.get("/admin/login/").status_code == 403
    assert client.get("/admin/login/?next=//evil.example/").status_code == 403


@pytest.fixture
def seniors() -> list[Any]:
    return [create_player(name, "senior reviewer") for name in ("sara", "simon")]


def test_two_seniors_together_take_it_away(seniors: list[Any]) -> None:
    sara, simon = seniors
    anna = create_player("anna")
    give_factor(anna)
    client = log_in("anna")
    assert step(client, get_code())
    asked = request_factor_reset(sara, anna, "Her phone fell into the lake.")
    for nobody in (sara, anna, create_player("rita", "reviewer"), create_player("bob")):
        with pytest.raises(Refused):
            confirm_factor_reset(nobody, asked)
    assert Authenticator.objects.filter(user=anna).exists()
    confirm_factor_reset(simon, asked)
    assert not Authenticator.objects.filter(user=anna).exists()
    with pytest.raises(Refused):
        confirm_factor_reset(create_player("third", "senior reviewer"), asked)
    asked.refresh_from_db()
    assert (asked.asked_by, asked.confirmed_by) == (sara, simon)
    assert is_logged_in(log_in("anna"))


def test_nobody_asks_for_themselves_nor_without_a_reason_nor_for_ever(seniors: list[Any]) -> None:
    sara, simon = seniors
    anna = create_player("anna")
    for by, whose, why in ((sara, sara, "So."), (sara, anna, " "), (anna, simon, "So.")):
        with pytest.raises(Refused):
            request_factor_reset(by, whose, why)
    asked = request_factor_reset(sara, anna, "So.")
    FactorReset.objects.update(asked_at=timezone.now() - timedelta(hours=25))
    with pytest.raises(Refused):
        confirm_factor_reset(simon, asked)


def test_it_is_done_in_the_admin(seniors: list[Any]) -> None:
    sara, simon = seniors
    anna = create_player("Anna Berg")
    give_factor(anna)
    first, second = Client(), Client()
    first.force_login(sara)
    second.force_login(simon)
    path = "/admin/lobby/factorreset/"
    answer = first.post(f"{path}add/", {"name": "anna berg", "reason": "Lost."})
    assert answer.status_code == 302, answer.content.decode()
    asked = FactorReset.objects.get()
    assert f"{path}{asked.pk}/confirm/" in second.get(path).content.decode()
    assert first.post(f"{path}{asked.pk}/confirm/", follow=True).status_code == 200
    assert Authenticator.objects.filter(user=anna).exists()
    assert second.get(f"{path}{asked.pk}/confirm/").status_code == 405
    second.post(f"{path}{asked.pk}/confirm/")
    assert not Authenticator.objects.filter(user=anna).exists()


def test_who_runs_the_site_takes_it_away_by_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    give_factor(create_player("anna"))
    call_command("reset_factor", "Anna")
    assert "Removed second factors of anna: 1." in capsys.readouterr().out
    assert is_logged_in(log_in("anna"))
    with pytest.raises(CommandError):
        call_command("reset_factor", "nobody")
