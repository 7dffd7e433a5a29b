"""Expired sessions are removed in bounded batches, without disturbing players."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from tests.builders.databases import database_of_its_own
from tests.builders.retention import delete_old
from tests.builders.sites import Person, Site, until

ROWS = 600


@pytest.mark.django_db
def test_some_are_removed_at_a_time_the_oldest_first() -> None:
    now = timezone.now()
    Session.objects.bulk_create(
        Session(session_key=f"old{i}", session_data="", expire_date=now - timedelta(minutes=i + 1))
        for i in range(400)
    )
    Session.objects.create(
        session_key="new", session_data="", expire_date=now + timedelta(minutes=1)
    )
    assert delete_old(Session) == 250
    assert set(Session.objects.values_list("pk", flat=True)) == {
        "new",
        *(f"old{i}" for i in range(150)),
    }
    assert delete_old(Session) == 150
    assert delete_old(Session) == 0
    assert Session.objects.count() == 1


@pytest.fixture(params=["sqlite", "postgres"])
def old_site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """A site that starts with many expired sessions in its database."""
    env: dict[str, str] = {"SECRET_KEY": "k" * 50}
    if request.param == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(env)
    site = Site(tmp_path, env)
    site.wait()
    site.stop()
    past = datetime.now(UTC) - timedelta(days=1)
    rows = [(f"old{i}", "", past.strftime("%Y-%m-%d %H:%M:%S")) for i in range(ROWS)]
    if "DATABASE_URL" in env:
        with psycopg.connect(env["DATABASE_URL"]) as connection, connection.cursor() as cursor:
            cursor.executemany("INSERT INTO django_session VALUES (%s, %s, %s)", rows)
    else:
        with closing(sqlite3.connect(tmp_path / "site.sqlite3")) as database, database:
            database.executemany("INSERT INTO django_session VALUES (?, ?, ?)", rows)
    again = Site(tmp_path, env)
    try:
        yield again.wait()
    finally:
        again.stop()


def test_the_referee_removes_them_and_nobody_is_logged_out(old_site: Site) -> None:
    alice = Person(old_site).be_guest()

    def left() -> int:
        if "DATABASE_URL" in old_site.env:
            with psycopg.connect(old_site.env["DATABASE_URL"]) as connection:
                found = connection.execute("SELECT count(*) FROM django_session").fetchone()
        else:
            with closing(sqlite3.connect(old_site.folder / "site.sqlite3")) as database:
                found = database.execute("SELECT count(*) FROM django_session").fetchone()
        assert found is not None
        return int(found[0])

    until(lambda: left() == ROWS - 250 + 1, "a round of the referee")
    assert "You are" in alice.get("/")[1]
    old_site.must_be_calm()
