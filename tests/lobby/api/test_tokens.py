"""Tokens: created once, shown once, and gone when they should be."""

from datetime import timedelta
from hashlib import sha256
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from games.messages.refusal import Refused
from lobby.accounts import tokens
from lobby.accounts.guests import new_guest
from lobby.accounts.merging import merge_guest
from lobby.accounts.names import change_name
from lobby.models import Player, Token
from lobby.privacy import personal_data
from lobby.privacy.account_deletion import delete_due_accounts, schedule_deletion
from tests.builders.api import is_accepted
from tests.builders.players import NEW_PASSWORD, PASSWORD, confirm_password, create_player, log_in
from tests.builders.retention import delete_old

pytestmark = pytest.mark.django_db

READS = ("games:read",)


def test_only_the_hash_is_stored(alice: Player) -> None:
    made = tokens.create_token(alice.pk, "a script", READS)
    assert tokens.PATTERN.fullmatch(made.text)
    row = Token.objects.get()
    assert row.hash == sha256(made.text.encode()).hexdigest()
    assert made.text not in str(Token.objects.values())
    assert is_accepted(made.text)
    assert not is_accepted(made.text[:-1])
    assert not is_accepted(made.text + "x")


def test_nobody_reads_it_in_a_trace(alice: Player) -> None:
    made = tokens.create_token(alice.pk, "a script", READS)
    assert made.text not in f"{made!r} {made} {Token.objects.get()!r} {[made]}"


def test_use_is_noted_now_and_then(alice: Player) -> None:
    made = tokens.create_token(alice.pk, "a script", READS)
    assert is_accepted(made.text)
    first = Token.objects.get().used_at
    assert first is not None
    assert is_accepted(made.text)
    assert Token.objects.get().used_at == first
    Token.objects.update(used_at=first - timedelta(minutes=11))
    assert is_accepted(made.text)
    assert Token.objects.get().used_at >= first


def test_bounds(alice: Player, settings: Any) -> None:
    settings.TOKENS_PER_ACCOUNT = 2
    for _ in range(2):
        tokens.create_token(alice.pk, "a script", READS)
    with pytest.raises(Refused, match="too-many-tokens"):
        tokens.create_token(alice.pk, "a script", READS)
    for name, scopes, code in (("", READS, "token-name"), ("x" * 61, READS, "token-name"),
                               ("x", (), "scopes"), ("x", ("root",), "scopes")):  # fmt: skip
        with pytest.raises(Refused, match=code):
            tokens.create_token(alice.pk, name, scopes)
    with pytest.raises(Refused, match="not-allowed"):
        tokens.create_token(new_guest().pk, "a script", READS)


def test_expired_ones_are_swept(alice: Player) -> None:
    late = tokens.create_token(alice.pk, "old", READS, timezone.now() - timedelta(seconds=1))
    good = tokens.create_token(alice.pk, "new", READS, timezone.now() + timedelta(days=1))
    assert not is_accepted(late.text)
    delete_old(Token)
    assert list(Token.objects.values_list("pk", flat=True)) == [good.id]


def test_a_renamed_account_keeps_its_tokens(alice: Player) -> None:
    made = tokens.create_token(alice.pk, "a script", READS)
    change_name(alice.pk, "Alicia")
    answer = Client().get("/api/account", headers={"Authorization": f"Bearer {made.text}"})
    assert answer.json()["id"] == "alicia"
    assert Client().get("/api/user/alice").json()["id"] == "alicia"


def test_an_account_that_adopts_a_guest_keeps_its_tokens(alice: Player) -> None:
    made, guest = tokens.create_token(alice.pk, "a script", READS), new_guest()
    merge_guest(guest.pk, alice.pk)
    assert is_accepted(made.text)
    answer = Client().get(f"/api/user/{guest.username}")
    assert answer.json()["id"] == "alice"


def test_a_closed_account_has_none(alice: Player) -> None:
    made = tokens.create_token(alice.pk, "a script", READS)
    schedule_deletion(alice.pk)
    Player.objects.update(closing_at=timezone.now())
    delete_due_accounts()
    assert not Token.objects.exists()
    assert not is_accepted(made.text)
    assert Client().get("/api/user/alice").status_code == 404


def test_another_password_ends_them(alice: Player) -> None:
    made = tokens.create_token(alice.pk, "a script", READS)
    client = log_in("alice")
    confirm_password(client)
    client.post(
        "/accounts/password/",
        {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
    )
    alice.refresh_from_db()
    assert alice.check_password(NEW_PASSWORD)
    assert not is_accepted(made.text)


def test_one_can_test_revoke_and_report_them(alice: Player) -> None:
    one, other = (tokens.create_token(alice.pk, "a script", READS).text for _ in range(2))
    found = Client().post("/api/token/test", f"{one},prl_no", content_type="text/plain").json()
    assert found == {
        one: {"userId": "alice", "scopes": "games:read", "expires": None},
        "prl_no": None,
    }
    headers = {"Authorization": f"Bearer {one}"}
    assert Client().delete("/api/token", headers=headers).status_code == 204
    assert not is_accepted(one)
    body = f"https://example.org/?key={other}\n{other}"
    answer = Client().post("/api/token/found", body, content_type="text/plain")
    assert answer.json() == {"revoked": 1}
    assert not is_accepted(other)


def test_the_page(alice: Player) -> None:
    client = log_in("alice")
    page = client.get("/accounts/tokens/")
    if page.status_code == 302:  # it asks for the password again
        confirm_password(client)
        page = client.get("/accounts/tokens/")
    assert "API tokens" in page.content.decode()
    asked = {"name": "my script", "scope": ["games:read", "bot"], "days": "30"}
    made = client.post("/accounts/tokens/", asked).content.decode()
    found = tokens.PATTERN.search(made)
    assert found is not None
    assert is_accepted(found[0])
    row = Token.objects.get()
    assert row.scopes == "games:read bot"
    assert row.expires_at is not None
    again = client.get("/accounts/tokens/")
    assert "my script" in again.content.decode()
    assert found[0] not in again.content.decode()
    assert "no-store" in again.headers["Cache-Control"]
    for forged in ({"days": "7"}, {"days": "-1"}, {}):  # none of them means no expiry
        asked = {"name": "x", "scope": "games:read", **forged}
        assert client.post("/accounts/tokens/", asked).status_code == 400
    refused = client.post("/accounts/tokens/", {"name": "x", "days": ""})
    assert refused.status_code == 400
    assert "Choose at least one scope." in refused.content.decode()
    create_player("bob")
    assert log_in("bob").post(f"/accounts/tokens/{row.pk}/revoke/").status_code == 404
    client.post(f"/accounts/tokens/{row.pk}/revoke/")
    assert not Token.objects.exists()


def test_the_command(capsys: Any) -> None:
    call_command("token", "Robin", "--create", "--scope", "bot", "--days", "3")
    text = capsys.readouterr().out.strip()
    assert is_accepted(text)
    assert Token.objects.get().scopes == "bot"
    call_command("token", "robin")
    assert Player.objects.count() == 1
    with pytest.raises(CommandError, match="--create"):
        call_command("token", "nobody here")
    with pytest.raises(CommandError, match="at least 3"):
        call_command("token", "x", "--create")


def test_a_copy_of_ones_data_has_no_text_of_a_token(alice: Player) -> None:
    tokens.create_token(alice.pk, "a script", READS)
    rows = personal_data.tokens(frozenset({alice.pk}))
    (row,) = rows
    assert row["name"] == "a script"
    assert "hash" not in row
