"""`manage.py update`, with a real repository to pull from, and what stops it half-way."""

import os
import re
import signal
import sqlite3
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.hosts import Checkout, Upstream, version_page
from tests.builders.sites import ROOT, until


@pytest.fixture
def upstream(tmp_path: Path) -> Upstream:
    return Upstream(tmp_path / "upstream")


@pytest.fixture
def site(tmp_path: Path, upstream: Upstream) -> Iterator[Checkout]:
    checkout = Checkout(upstream.folder, tmp_path / "parlour")
    yield checkout
    checkout.stop_service()


def migration(operation: str, name: str = "9999_next") -> dict[str, str]:
    """Return a migration of the games after all others."""
    last = max((ROOT / "games" / "migrations").glob("0*.py")).stem
    return {
        f"games/migrations/{name}.py": "from django.db import migrations\n"
        "class Migration(migrations.Migration):\n"
        f"    dependencies = [('games', '{last}')]\n"
        f"    operations = [migrations.RunSQL({operation!r})]\n"
    }


def tables(site: Checkout) -> set[str]:
    with closing(sqlite3.connect(site.data / "site.sqlite3")) as database:
        return {name for (name,) in database.execute("SELECT name FROM sqlite_master")}


def backups(site: Checkout) -> list[Path]:
    return sorted((site.data / "backups").glob("*.backup"))


def follow(site: Checkout, text: str) -> None:
    """Do what the message says that one does to return, except for the restart."""
    lines = re.findall(r"^    (\S.*)$", text.split("Correct the cause")[1], re.MULTILINE)
    done = site.run("sh", "-ec", "\n".join(lines[:3]))
    assert done.returncode == 0, (lines, done.stderr)


def title(site: Checkout) -> str:
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{site.port}/nowhere/", timeout=10)
    except urllib.error.HTTPError as answer:
        return str(re.findall(r"<title>\s*(.*?)\s*<", answer.read().decode(), re.DOTALL)[0])
    raise AssertionError("a page that does not exist")


def test_an_update_backs_up_pulls_migrates_and_restarts_the_service(
    site: Checkout, upstream: Upstream
) -> None:
    former = site.commit_id()
    site.start_service()
    pid = site.service_pid()
    newer = upstream.commit({**version_page("Newer "), **migration("CREATE TABLE newer (x int)")})
    done = site.manage("update")
    assert done.returncode == 0, done.stdout + done.stderr
    assert site.commit_id() == newer
    assert former[:7] in done.stdout
    assert len(backups(site)) == 1
    assert "newer" in tables(site)
    assert (again := site.service_pid()) != pid
    assert title(site).startswith("Newer ")
    assert "Nothing to do" in site.manage("update").stdout
    assert len(backups(site)) == 1
    assert site.service_pid() == again


def test_a_failed_migration_stops_the_update_and_the_site_runs_on(
    site: Checkout, upstream: Upstream
) -> None:
    former = site.commit_id()
    site.skip_pip()
    site.start_service()
    pid = site.service_pid()
    upstream.commit(migration("CREATE TABLE broken (x int); SELECT x FROM nowhere"))
    done = site.manage("update")
    assert done.returncode == 1
    assert "no such table: nowhere" in done.stderr
    assert site.service_pid() == pid
    assert "broken" not in tables(site)
    assert title(site)
    follow(site, done.stderr)
    assert site.commit_id() == former
    (restore,) = re.findall(r"^    (\S.* restore .*)$", done.stderr, re.MULTILINE)
    assert restore == f".venv/bin/python manage.py restore .data/backups/{backups(site)[0].name}"


def test_an_update_begins_again_after_a_return_to_the_former_version(
    site: Checkout, upstream: Upstream
) -> None:
    former = site.commit_id()
    site.skip_pip()
    broken = {"games/checks.py": "raise RuntimeError('unfinished')\n"}
    upstream.commit({**broken, **migration("CREATE TABLE broken (x int)")})
    done = site.manage("update")
    assert done.returncode == 1
    assert "unfinished" in done.stderr
    follow(site, done.stderr)
    assert site.commit_id() == former

    (upstream.folder / "games/migrations/9999_next.py").unlink()
    repaired = {"games/checks.py": (ROOT / "games/checks.py").read_text()}
    upstream.commit({**repaired, **migration("CREATE TABLE sound (x int)", "9999_sound")})
    done = site.manage("update")
    assert done.returncode == 0, done.stderr
    assert "did not finish" not in done.stdout
    assert "sound" in tables(site)
    assert "broken" not in tables(site)


def test_an_installation_or_a_version_that_fails_stops_before_the_database_is_touched(
    site: Checkout, upstream: Upstream
) -> None:
    former = site.commit_id()
    lock = (upstream.folder / "requirements.lock").read_text()
    upstream.commit(
        {"requirements.lock": "nowhere==1 --hash=sha256:" + "0" * 64 + "\n" + lock}
        | migration("CREATE TABLE newer (x int)")
    )
    done = site.manage("update")
    assert done.returncode == 1
    assert "nowhere" in done.stderr
    assert "the database has not been migrated" in done.stderr
    assert "restore" not in done.stderr
    assert "newer" not in tables(site)
    upstream.commit(
        {"requirements.lock": lock, "games/checks.py": "raise RuntimeError('unfinished')\n"}
    )
    done = site.manage("update")  # it continues, and still knows where it began
    assert done.returncode == 1
    assert "did not finish" in done.stdout
    assert "unfinished" in done.stderr
    assert f"git reset --keep {former}" in done.stderr
    assert "the database has not been migrated" in done.stderr
    assert "newer" not in tables(site)


def test_an_update_that_is_killed_is_continued_by_the_next(
    site: Checkout, upstream: Upstream
) -> None:
    former = site.commit_id()
    site.skip_pip()
    reached = site.data / "migration"
    changed = migration("CREATE TABLE newer (x int)")
    (name,) = changed
    pause = f"import pathlib, time; pathlib.Path({str(reached)!r}).touch(); time.sleep(600)"
    first = f"import os\nif not os.path.exists({str(reached)!r}):\n    {pause}\n"
    upstream.commit({name: first + changed[name]})

    update = site.start("update")
    until(reached.exists, "the migration")
    children = (Path(f"/proc/{update.pid}/task/{update.pid}/children")).read_text().split()
    update.kill()
    update.wait()
    busy = site.manage("update")  # what the killed process started goes on
    assert busy.returncode == 1
    assert "Another update is running" in busy.stderr
    for child in map(int, children):
        os.kill(child, signal.SIGKILL)
        until(lambda child=child: not Path(f"/proc/{child}").exists(), "its end")
    done = site.manage("update")
    assert done.returncode == 0, done.stderr
    assert "did not finish" in done.stdout
    assert f"Updated from {site.describe(former)}" in done.stdout
    assert "newer" in tables(site)


def test_a_service_that_does_not_start_again_is_reported_with_the_way_back(
    site: Checkout, upstream: Upstream
) -> None:
    former = site.commit_id()
    site.skip_pip()
    site.start_service()
    serve = (ROOT / "config/management/commands/serve.py").read_text()
    upstream.commit({"config/management/commands/serve.py": serve + "\nraise SystemExit(3)\n"})
    done = site.manage("update")
    assert done.returncode == 1
    assert "parlour-serve.service does not run" in done.stderr
    assert "journalctl -u parlour-serve.service" in done.stderr
    assert f"git reset --keep {former}" in done.stderr
    assert "sudo systemctl restart parlour-serve.service" in done.stderr


def test_an_update_starts_a_service_that_had_failed(site: Checkout, upstream: Upstream) -> None:
    site.skip_pip()
    site.start_service()
    serve = (ROOT / "config/management/commands/serve.py").read_text()
    failed = upstream.commit(
        {"config/management/commands/serve.py": serve + "\nraise SystemExit(3)\n"}
    )
    assert site.run("git", "pull", "--quiet").returncode == 0
    assert site.run("systemctl", "restart", "parlour-serve").returncode != 0
    upstream.commit({"config/management/commands/serve.py": serve, **version_page("Repaired ")})
    done = site.manage("update")
    assert done.returncode == 0, done.stderr
    assert f"Updated from {site.describe(failed)}" in done.stdout
    assert title(site).startswith("Repaired ")


def test_local_changes_and_other_branches_are_refused_before_anything_changes(
    site: Checkout, upstream: Upstream
) -> None:
    upstream.commit(version_page("Newer "))
    page = site.folder / "templates" / "404.html"
    page.write_text(page.read_text() + "mine")
    before = site.commit_id()
    done = site.manage("update")
    assert done.returncode == 1
    assert "Nothing has changed" in done.stderr
    assert site.commit_id() == before
    assert page.read_text().endswith("mine")
    site.run("git", "checkout", "--quiet", "--force", "--detach")
    assert "not on a branch" in site.manage("update").stderr
