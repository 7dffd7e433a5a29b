"""Responses to people and programs while the database is read-only."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from config.middleware import health
from games.models import WriteProbe
from games.runtime.db import Unavailable
from games.store.sessions import SessionStore
from lobby.accounts import tokens
from lobby.models import Player
from lobby.views import lobby

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client() -> Client:
    """A client that receives error pages, as browsers do."""
    return Client(raise_request_exception=False)


@pytest.fixture
def read_only() -> Iterator[None]:
    """Make SQLite refuse every write, as it does when the file is read-only."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = OFF")


def test_a_form_that_cannot_be_stored_is_503_in_words(client: Client, read_only: None) -> None:
    answer = client.post("/guest/")
    assert answer.status_code == 503
    assert "was not saved" in answer.content.decode()
    assert answer.headers["Retry-After"] == "5"


def test_the_api_gives_its_code(client: Client, request: pytest.FixtureRequest) -> None:
    alice = Player.objects.create_user("alice")
    text = tokens.create_token(alice.pk, "a script", ("challenges", "account:read")).text
    bearer = {"Authorization": f"Bearer {text}"}
    request.getfixturevalue("read_only")
    answer = client.post("/api/challenge/open", {"game": "tic-tac-toe"}, headers=bearer)
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "unavailable"
    assert "Retry-After" in answer.headers
    # Reading still works, although the use of the token cannot be recorded.
    assert client.get("/api/account", headers=bearer).status_code == 200


def test_pages_are_shown_although_a_session_cannot_be_renewed(
    client: Client, request: pytest.FixtureRequest
) -> None:
    client.force_login(Player.objects.create_user("alice"))
    Session.objects.update(expire_date=timezone.now() + timedelta(hours=1))
    request.getfixturevalue("read_only")
    answer = client.get("/rules/")
    assert answer.status_code == 200
    assert Session.objects.get().expire_date < timezone.now() + timedelta(hours=2)


def test_a_session_that_cannot_be_changed_is_503_and_not_a_deleted_one(
    client: Client, request: pytest.FixtureRequest
) -> None:
    client.force_login(Player.objects.create_user("alice"))
    request.getfixturevalue("read_only")
    assert client.post("/accounts/logout/").status_code == 503
    session = SessionStore(Session.objects.get().session_key)
    session["something"] = "new"
    with pytest.raises(OperationalError):  # not UpdateError, which Django turns into a 400
        session.save()


def test_readyz_writes_a_row(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_writes", health._Writes())
    assert client.get("/readyz").json()["database"] == "ok"
    first = WriteProbe.objects.get().at
    # It tries occasionally, even if it is called often.
    assert client.get("/readyz").status_code == 200
    assert WriteProbe.objects.get().at == first
    monkeypatch.setattr(health, "_writes", health._Writes())
    assert client.get("/readyz").status_code == 200
    assert WriteProbe.objects.get().at > first


def test_readyz_is_503_if_that_row_cannot_be_written(
    client: Client, monkeypatch: pytest.MonkeyPatch, read_only: None
) -> None:
    monkeypatch.setattr(health, "_writes", health._Writes())
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "OperationalError"


def test_an_error_of_ours_stays_a_500(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(lobby, "get_or_create_player", fail)
    assert client.post("/guest/").status_code == 500


def test_a_page_whose_work_on_the_event_loop_is_unavailable_is_503(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> None:
        raise Unavailable

    monkeypatch.setattr(lobby, "get_or_create_player", fail)
    assert client.post("/guest/").status_code == 503
