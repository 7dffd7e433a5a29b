"""The status page for staff, and what the processes report for it."""

import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.test import Client
from django.utils import timezone

from config import failures, monitoring
from config import status as page
from config.retention import rules
from games.models import FailureCount, LastBackup, ProcessBeat, SignSearch, Watch
from lobby.models import Player
from tests.builders.matches import create_match
from tests.builders.players import client_for
from tests.builders.sites import Site

log = structlog.get_logger("config.test")


@pytest.fixture(autouse=True)
def no_failures() -> None:
    failures.take_all()


def report(command: str = "serve", bots: int = 2) -> None:
    """Report once, as a process does, in the transaction of the test."""
    beat = ProcessBeat(
        id=command, command=command, machine="here", version="1", bots=bots,
        began_at=timezone.now(),
    )  # fmt: skip
    monitoring._store(beat)


def read_page(client: Client) -> dict[str, Any]:
    """Return the lines of the page by name: whether each is fine, and its text."""
    answer = client.get("/admin/status/")
    assert answer.status_code == 200
    rows = [*answer.context["checks"], *answer.context["queues"]]
    found = {str(row.name): (row.is_fine, row.value) for row in rows}
    text = answer.content.decode()
    for _, value in found.values():
        assert str(value)[:20] in text
    return found


@pytest.mark.django_db
def test_only_staff_with_a_second_factor_see_it(
    alice: Player, admin_client: Client, client: Client
) -> None:
    assert admin_client.get("/admin/status/").status_code == 200
    assert 'href="/admin/status/"' in admin_client.get("/admin/").content.decode()
    assert client.get("/admin/status/").status_code == 302
    assert client_for(alice).get("/admin/status/").status_code != 200
    assert admin_client.post("/admin/status/").status_code == 405


@pytest.mark.django_db
def test_what_is_missing_needs_a_look_and_what_runs_is_in_order(admin_client: Client) -> None:
    before = read_page(admin_client)
    for name in ("Last backup", "Referee", "The computer"):
        assert not before[name][0], name
    assert "needs a look" in admin_client.get("/admin/status/").content.decode().lower()
    now = timezone.now()
    Watch.objects.update_or_create(pk=1, defaults={"at": now})
    LastBackup.objects.create(pk=1, at=now, machine="here", file="/b/x.backup", bytes=1_500_000)
    report()
    after = read_page(admin_client)
    for name in ("Version", "Last backup", "Disk", "Referee", "The computer", "Redis"):
        assert after[name][0], (name, after[name])
    assert "1.5 MB, on here: /b/x.backup" in after["Last backup"][1]
    LastBackup.objects.update(at=now - timedelta(hours=37))
    ProcessBeat.objects.update(at=now - timedelta(seconds=46))
    Watch.objects.update(at=now - timedelta(minutes=5))
    late = read_page(admin_client)
    for name in ("Last backup", "Referee", "The computer"):
        assert not late[name][0], name


@pytest.mark.django_db
def test_a_full_disk_and_another_version_on_it_need_a_look(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "_LEAST_FREE", 10**18)
    monkeypatch.setattr(page, "read_version", lambda: "9.9 (abcdef0)")
    found = read_page(admin_client)
    assert not found["Disk"][0]
    assert not found["Version"][0]
    assert "9.9 (abcdef0)" in found["Version"][1]


@pytest.mark.django_db
def test_a_queue_needs_a_look_when_its_first_row_is_long_due(
    admin_client: Client, alice: Player, bob: Player
) -> None:
    name = "Games to search for signs"
    SignSearch.objects.all().delete()
    assert read_page(admin_client)[name] == (True, "empty")
    match = create_match("tic-tac-toe", alice, bob)
    now = timezone.now()
    search = SignSearch.objects.create(match=match, at=now, due_at=now)
    assert read_page(admin_client)[name] == (True, "1")
    search.due_at = now - timedelta(minutes=6)
    search.save()
    is_fine, text = read_page(admin_client)[name]
    assert not is_fine
    assert text.startswith("1; the oldest has been waiting for")
    assert len(page.QUEUES) == 5


@pytest.mark.django_db
def test_errors_are_counted_by_kind_and_day_without_what_people_wrote(
    admin_client: Client,
) -> None:
    for name in ("Alice", "Bob"):
        try:
            raise ValueError(f"a secret of {name}")
        except ValueError:
            log.exception("round failed", player=name)
    logging.getLogger("config.test").error("%s is broken", "Alice's thing")
    logging.getLogger("config.test").warning("not an error")
    report()
    report()
    rows = FailureCount.objects.order_by("-times")
    assert [(row.event, row.error, row.times) for row in rows] == [
        ("round failed", "ValueError", 2),
        ("%s is broken", "", 1),
    ]
    assert rows[0].place.startswith("tests/config/test_status.py:")
    text = admin_client.get("/admin/status/").content.decode()
    assert "round failed" in text
    assert "secret" not in text
    FailureCount.objects.update(day=timezone.now().date() - timedelta(days=1))
    assert "round failed" not in admin_client.get("/admin/status/").content.decode()


@pytest.mark.django_db
def test_a_flood_of_different_errors_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3 * failures._MOST):
        logging.getLogger("config.test").error(f"error {number}")
    waiting = failures.take_all()
    assert len(waiting) == failures._MOST + 1
    assert sum(waiting.values()) == 3 * failures._MOST
    failures.add(waiting)
    monkeypatch.setattr(monitoring, "_MOST_KINDS", 10)
    report()
    assert FailureCount.objects.count() <= 11
    assert sum(FailureCount.objects.values_list("times", flat=True)) == 3 * failures._MOST


@pytest.mark.django_db
def test_errors_wait_while_the_database_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    logging.getLogger("config.test").error("broken")

    def fail(*_: object) -> None:
        raise OSError

    with monkeypatch.context() as failing:
        failing.setattr(monitoring, "_count", fail)
        with pytest.raises(OSError):
            report()
    report()
    assert FailureCount.objects.get().times == 1


@pytest.mark.django_db
def test_processes_and_errors_are_deleted_in_time() -> None:
    report()
    logging.getLogger("config.test").error("broken")
    report()
    old = timezone.now() - timedelta(days=9)
    FailureCount.objects.update(day=old.date())
    ProcessBeat.objects.update(at=old)
    for rule in rules():
        if rule.rows.model in (FailureCount, ProcessBeat):
            assert rule.delete_batch() == 1
    assert not FailureCount.objects.exists()
    assert not ProcessBeat.objects.exists()


def test_a_running_site_and_its_backup_are_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    site = Site(tmp_path / "data", {"BOT_PROCESSES": "1"}).wait()
    try:
        assert site.manage("backup").returncode == 0
        made = site.manage("shell", "-c", (
            "from games.models import *; import json;"
            "print(json.dumps([LastBackup.objects.get().file,"
            "list(ProcessBeat.objects.values_list('command', 'bots'))]))"
        ))  # fmt: skip
        assert str(tmp_path / "data" / "backups") in made.stdout
        assert '["serve", 1]' in made.stdout
    finally:
        site.stop()
