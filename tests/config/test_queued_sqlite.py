"""Writers queue for a lock, and each releases it however it ends. They poll other processes."""

import sqlite3
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, connection, connections, transaction

from config.queued_sqlite.base import _writing
from games.models import Pulse

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def given_back() -> Iterator[None]:
    assert not _writing.locked()
    yield
    assert not _writing.locked()


def test_a_transaction_holds_the_lock_until_it_ends() -> None:
    for error in (None, ValueError):
        try:
            with transaction.atomic():
                assert _writing.locked()
                with transaction.atomic():  # a savepoint
                    assert _writing.locked()
                assert _writing.locked()
                if error:
                    raise error
        except ValueError:
            pass
        assert not _writing.locked()


def test_a_connection_that_is_closed_gives_it_back() -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        connection.close()
        assert not _writing.locked()
        Pulse.objects.exists()


def test_a_commit_that_fails_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OperationalError("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr("django.db.backends.base.base.BaseDatabaseWrapper._commit", fails)
        with pytest.raises(OperationalError), transaction.atomic():
            pass
    assert not _writing.locked()


def test_a_transaction_that_cannot_begin_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    with monkeypatch.context() as broken:
        broken.setattr(connections["default"], "transaction_mode", "NEVER")
        with pytest.raises(OperationalError), transaction.atomic():
            pass
        assert not _writing.locked()


def test_the_second_writer_waits_and_then_writes() -> None:
    order: list[str] = []
    first_is_in, second_asks = threading.Event(), threading.Event()

    def second() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 0")  # SQLite itself does not wait
        first_is_in.wait(30)
        second_asks.set()
        try:
            with transaction.atomic():
                order.append("second")
        except OperationalError as error:
            order.append(str(error))
        connection.close()

    thread = threading.Thread(target=second, daemon=True)
    thread.start()
    with transaction.atomic():
        first_is_in.set()
        second_asks.wait(30)
        thread.join(0.2)
        assert thread.is_alive()
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


def test_a_writer_waits_for_another_process() -> None:
    """A connection of another kind stands in for the process: it does not use the lock."""
    connection.ensure_connection()
    other = sqlite3.connect(connection.settings_dict["NAME"], check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    ended: list[bool] = []

    def end() -> None:
        ended.append(True)
        other.rollback()
        other.close()

    threading.Timer(0.3, end).start()
    with transaction.atomic():
        assert ended
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone() == (1000 * connection.settings_dict["OPTIONS"]["timeout"],)


def test_whoever_waits_in_vain_is_told_that_the_database_is_locked() -> None:
    told: list[str] = []

    def second() -> None:
        connection.settings_dict = {**connection.settings_dict}
        connection.settings_dict["OPTIONS"] = {**connection.settings_dict["OPTIONS"], "timeout": 0}
        try:
            with transaction.atomic():
                told.append("in")
        except OperationalError as error:
            told.append(str(error))
        connection.close()

    with transaction.atomic():
        thread = threading.Thread(target=second, daemon=True)
        thread.start()
        thread.join(30)
        assert _writing.locked()  # of the first one
    assert told == ["database is locked"]


def test_a_query_is_converted_as_django_converts_it() -> None:
    with connection.cursor() as cursor:
        for _ in range(2):  # the second time, the converted query is known
            cursor.execute("SELECT %s, '100 %%', %s", ["a", 1])
            assert cursor.fetchall() == [("a", "100 %", 1)]
        cursor.execute("SELECT %(one)s, %(one)s", {"one": 1})
        assert cursor.fetchall() == [(1, 1)]
        cursor.execute("SELECT '%s'")  # without parameters, nothing is converted
        assert cursor.fetchall() == [("%s",)]


def test_tests_without_the_mark_cannot_use_an_open_connection(django_db_blocker: Any) -> None:
    connection.ensure_connection()
    with django_db_blocker.block(), pytest.raises(RuntimeError, match="not allowed"):
        Pulse.objects.exists()
