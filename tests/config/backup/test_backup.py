"""Backups of a running site and their restoration, with the real commands."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from tests.builders.databases import database_of_its_own
from tests.builders.sites import Person, Site, pair
from tests.builders.sockets import play_at

KEY = "a secret of these tests alone " * 2


@pytest.fixture(params=["sqlite", "postgres"])
def env(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """The environment of a site, with each database."""
    found = {"SECRET_KEY": KEY}
    if request.param == "postgres":
        found["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        database_of_its_own(found)
    return found


@contextlib.contextmanager
def running(folder: Path, env: dict[str, str], port: int | None = None) -> Iterator[Site]:
    folder.mkdir(exist_ok=True)
    site = Site(folder, env, port=port)
    try:
        yield site.wait()
    finally:
        site.stop()


class Stopped(NamedTuple):
    """A site on SQLite that has stopped, with one match of three moves and a backup after one."""

    site: Site
    database: Path
    backup: Path


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Stopped:
    """Tests only read what is in it."""
    folder = tmp_path_factory.mktemp("stopped")
    with running(folder / "data", {"SECRET_KEY": KEY}) as site:
        match_id, roles = open_match(site)
        assert site.manage("backup", str(folder / "backup")).returncode == 0
        play_at(roles, match_id, "mark 2 2", "mark 1 2")
    return Stopped(site, folder / "data" / "site.sqlite3", folder / "backup")


def told(done: subprocess.CompletedProcess[str]) -> str:
    """Return the single line in which a command reports why it refuses."""
    assert done.returncode == 1, done
    (line,) = done.stderr.strip().splitlines()
    return line


def open_match(site: Site) -> tuple[str, dict[str, Person]]:
    match_id, roles = pair(Person(site).be_guest(), Person(site).be_guest(), "tic-tac-toe")
    play_at(roles, match_id, "mark 1 1")
    return match_id, roles


def test_a_site_comes_back_as_it_was_when_it_was_backed_up(
    env: dict[str, str], tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    with running(tmp_path / "data", env) as site:
        match_id, roles = open_match(site)
        done = site.manage("backup", str(backup))
        assert done.returncode == 0, done.stderr
        assert str(backup) in done.stdout
        assert backup.stat().st_mode & 0o777 == 0o600
        play_at(roles, match_id, "mark 2 2", "mark 1 2")
        later, _ = open_match(site)
        assert "A site is running" in told(site.manage("restore", str(backup)))
        assert roles["xplayer"].json(f"/match/{match_id}/record.json")["moves"][2:]
    done = site.manage("restore", str(backup))
    assert done.returncode == 0, done.stderr
    assert "1 of 1 matches are sound" in done.stdout
    with running(tmp_path / "data", env, site.port) as again:
        person = roles["xplayer"].at(again)
        assert len(person.json(f"/match/{match_id}/record.json")["moves"]) == 1
        assert person.get(f"/match/{later}/")[0] == 404
        play_at(roles, match_id, "mark 3 3", "mark 1 2")  # the same sessions, the same match
        again.must_be_calm()


def test_with_force_the_players_of_a_running_site_go_on_from_the_past(
    env: dict[str, str], tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    with running(tmp_path / "data", env) as site:
        match_id, roles = open_match(site)
        assert site.manage("backup", str(backup)).returncode == 0
        play_at(roles, match_id, "mark 2 2", "mark 1 2")
        with Person(site).match(match_id) as watcher:
            before = watcher.next("state")
            done = site.manage("restore", "--force", str(backup))
            assert done.returncode == 0, done.stderr
            # An open page receives the new epoch.
            after = watcher.next("state", lambda state: state["ply"] == 1)
            assert after["version"] < before["version"]
            assert after["epoch"] != before["epoch"]
        assert len(roles["xplayer"].json(f"/match/{match_id}/record.json")["moves"]) == 1
        play_at(roles, match_id, "mark 3 3", "mark 1 2")
        assert site.manage("verify_matches").returncode == 0


def test_a_backup_goes_into_a_database_elsewhere_whatever_is_in_it(
    env: dict[str, str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    backup = tmp_path / "backup"
    with running(tmp_path / "data", env) as site:
        match_id, _ = open_match(site)
        assert site.manage("backup", str(backup)).returncode == 0
    elsewhere = dict(env)
    if "DATABASE_URL" in env:
        database_of_its_own(elsewhere, empty=True)
        with psycopg.connect(elsewhere["DATABASE_URL"]) as connection:
            connection.execute("CREATE TABLE games_match (id text PRIMARY KEY)")
            connection.execute("CREATE TABLE of_a_later_one (id text REFERENCES games_match)")
    else:
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "site.sqlite3").write_text("no database at all " * 500)
    other = {**elsewhere, "DATA_DIR": str(tmp_path / "other")}
    done = site.manage("restore", str(backup), **other)
    assert done.returncode == 0, done.stderr
    if "DATABASE_URL" not in env:
        assert "database renamed" in done.stderr
        assert list((tmp_path / "other").glob("site.sqlite3.damaged-*"))
        wrong = site.manage("restore", str(backup), **{**other, "SECRET_KEY": "another one " * 5})
        assert "1 not sound" in told(wrong)
        assert str(tmp_path / "other" / "secret-key") in told(wrong)
        assert "SECRET_KEY_FALLBACKS" in told(wrong)
    with running(tmp_path / "other", elsewhere) as again:
        assert len(Person(again).json(f"/match/{match_id}/record.json")["moves"]) == 1


def test_what_is_no_backup_is_refused_in_one_line(stopped: Stopped, tmp_path: Path) -> None:
    site, database, _ = stopped
    other = tmp_path / "other"
    assert "already exists" in told(site.manage("backup", str(database)))
    nothing = {"DATA_DIR": str(tmp_path / "empty")}
    assert "no site" in told(site.manage("backup", str(tmp_path / "b"), **nothing))
    assert "cannot be written" in told(site.manage("backup", str(tmp_path / "no" / "folder")))
    assert "cannot be read" in told(site.manage("restore", str(tmp_path / "nothing")))
    assert "is the database itself" in told(site.manage("restore", str(database)))
    other.write_bytes(b"something else")
    assert "not a backup" in told(site.manage("restore", str(other)))
    other.write_bytes(b"PGDMP" + b"\0" * 100)
    assert "uses SQLite" in told(site.manage("restore", str(other)))
    with contextlib.closing(sqlite3.connect(tmp_path / "foreign")) as foreign:
        foreign.execute("CREATE TABLE games_match (id)")
    assert "no backup of this site" in told(site.manage("restore", str(tmp_path / "foreign")))


def test_a_backup_that_is_damaged_or_of_a_later_version_changes_nothing(
    env: dict[str, str], tmp_path: Path
) -> None:
    with running(tmp_path, env) as site:
        match_id, _ = open_match(site)
    ahead, damaged = _of_a_later_version(site, tmp_path, env), tmp_path / "damaged"
    assert "0099_later" in told(site.manage("restore", str(ahead)))
    damaged.write_bytes(ahead.read_bytes()[: ahead.stat().st_size * 3 // 4])
    assert told(site.manage("restore", str(damaged)))
    assert "1 of 1" in site.manage("verify_matches", match_id).stdout


def _of_a_later_version(site: Site, folder: Path, env: dict[str, str]) -> Path:
    """Create a backup with a migration that this version does not know."""
    statement = (
        "INSERT INTO django_migrations (app, name, applied)"
        " VALUES ('games', '0099_later', '2026-11-21')"
    )
    undo = "DELETE FROM django_migrations WHERE name = '0099_later'"
    for number, each in enumerate((statement, undo)):
        if "DATABASE_URL" in env:
            with psycopg.connect(env["DATABASE_URL"]) as connection:
                connection.execute(each)
        else:
            with sqlite3.connect(folder / "site.sqlite3") as database:
                database.execute(each)
        if number == 0:
            assert site.manage("backup", str(folder / "ahead")).returncode == 0
    return folder / "ahead"


def test_a_restore_that_is_killed_leaves_one_history_or_the_other(
    stopped: Stopped, tmp_path: Path
) -> None:
    _, database, backup = stopped
    for pages in (1, 20, 60):
        shutil.copy(database, tmp_path / "trial.sqlite3")
        child = os.fork()
        if child == 0:  # like `put_in_place`, but killed halfway
            source = sqlite3.connect(backup)
            target = sqlite3.connect(tmp_path / "trial.sqlite3")
            target.execute("PRAGMA cache_size = 1")
            source.backup(
                target, pages=pages, progress=lambda *_: os.kill(os.getpid(), signal.SIGKILL)
            )
        os.waitpid(child, 0)
        with contextlib.closing(sqlite3.connect(tmp_path / "trial.sqlite3")) as found:
            assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert found.execute("SELECT count(*) FROM games_move").fetchone() == (3,)


def test_the_tools_are_named_when_missing_and_read_no_password_from_their_command_line(
    stopped: Stopped, tmp_path: Path, postgres_url: str
) -> None:
    env = {"DATABASE_URL": postgres_url, "DATA_DIR": str(tmp_path)}
    database_of_its_own(env)
    site = stopped.site
    backup = str(tmp_path / "backup")
    assert "postgresql-client" in told(site.manage("backup", backup, **env, PATH="/nowhere"))
    away = env["DATABASE_URL"].rsplit(":", 1)[0] + ":1/nothing"
    assert "pg_dump" in told(site.manage("backup", backup, **{**env, "DATABASE_URL": away}))
    bare = {**env, "DATABASE_URL": env["DATABASE_URL"].rsplit("/", 1)[0] + "/postgres"}
    assert "no site" in told(site.manage("backup", backup, **bare))
    assert not list(tmp_path.glob("*.partial"))

    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("pg_dump", "pg_restore", "psql"):  # the real tools, with a record of each call
        (tools / name).write_text(
            f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/said\n'
            f'[ "$PGPASSWORD" = "se/cret?" ] && echo given >> {tmp_path}/said\n'
            f'exec {shutil.which(name)} "$@"\n'
        )
        (tools / name).chmod(0o755)
    url = env["DATABASE_URL"].replace("site@", "site:se%2Fcret%3F@") + "?connect_timeout=5"
    path = f"{tools}:{os.environ['PATH']}"
    for command in ("backup", "restore"):
        done = site.manage(command, backup, **{**env, "DATABASE_URL": url, "PATH": path})
        assert done.returncode == 0, done.stderr
    said = (tmp_path / "said").read_text()
    assert "cret" not in said
    assert said.count("given") == 4
    assert "connect_timeout=5" in said


def test_backups_in_the_folder_are_kept_up_to_a_number(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "backups"
    with running(tmp_path / "data", {"SECRET_KEY": KEY}) as site:
        match_id, roles = open_match(site)
        assert "no FILE" in told(site.manage("backup", "--keep", "0"))
        assert "no FILE" in told(site.manage("backup", "--keep", "3", str(tmp_path / "b")))
        assert not folder.exists()
        assert site.manage("backup", "--keep", "2").returncode == 0
        (first,) = folder.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        assert first.stat().st_mode & 0o777 == 0o600
        (folder / "notes.txt").touch()
        left = folder / f"{first.name}.x.partial"  # a killed process's
        left.touch()
        os.utime(left, (0, 0))
        for _ in range(2):
            assert site.manage("backup").returncode == 0
        assert len(list(folder.glob("*.backup"))) == 3, "without --keep nothing is deleted"
        play_at(roles, match_id, "mark 2 2")
        done = site.manage("backup", "--keep", "2")
        assert "Deleted 2 older" in done.stdout
    assert not first.exists()
    assert not left.exists()
    assert (folder / "notes.txt").exists()
    newest = max(folder.glob("*.backup"), key=lambda path: path.stat().st_mtime)
    assert "Restored" in site.manage("restore", str(newest)).stdout
