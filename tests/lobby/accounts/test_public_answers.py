"""Public responses depend at most on the visitor's language, so caches may store them."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from games.messages.script import address
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db

PUBLIC = (
    "/log/2/checkpoint",
    "/.well-known/parlour-keys.json",
    "/manifest.webmanifest",
    "/service-worker.js",
    "/tournaments/feed.atom",
    "/tournaments/calendar.ics",
    "/api/tournament",
)


TRANSLATED = {"/tournaments/feed.atom", "/tournaments/calendar.ics"}
"""Those whose language is that of the cookie, or of the browser."""


@pytest.mark.parametrize("must_rename", [False, True])
def test_it_is_given_to_a_player_as_to_nobody(must_rename: bool) -> None:
    client, anna = Client(), create_player("Anna Berg")
    anna.must_rename = must_rename
    anna.save()
    client.force_login(anna)
    for path in (address(), *PUBLIC):
        half = timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE / 2)
        Session.objects.update(expire_date=half)  # a session that is renewed on use
        mine, nobodys = client.get(path), Client().get(path)
        assert mine.status_code == nobodys.status_code == 200, path
        assert kept(mine) == kept(nobodys), path
        assert ("Cookie" in mine.headers.get("Vary", "")) == (path in TRANSLATED), path
        assert not mine.cookies, path
    assert "immutable" in kept(client.get(address()))


def kept(answer: Any) -> str:
    return str(answer.headers.get("Cache-Control", ""))
