"""The environment is parsed strictly, and `serve` reports an error in one line."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import limits
from config.environment import Environment, load_or_create_secret, parse_host
from tests.builders import nursery
from tests.builders.ports import free_port
from tests.builders.sites import ROOT


def read(**variables: str) -> Environment:
    return Environment(variables)


def test_nothing_is_needed(tmp_path: Path) -> None:
    env = read()
    assert env.database(tmp_path)["NAME"] == str(tmp_path / "site.sqlite3")
    assert env.origins(8000)[0] == "http://localhost:8000"
    assert env.redis_url() == ""
    assert len(env.secret_key(tmp_path, embedded=True)) >= 50


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("postgres://site:secret@db.example.org:5433/site", "site"),
        ("postgresql://localhost/other", "other"),
        ("sqlite:////srv/site/data.sqlite3", "/srv/site/data.sqlite3"),
    ],
)
def test_a_database_is_named_by_its_url(tmp_path: Path, url: str, name: str) -> None:
    assert read(DATABASE_URL=url).database(tmp_path)["NAME"] == name


def test_sqlite_queues_writers_commits_for_good_and_stays_connected(tmp_path: Path) -> None:
    found = read().database(tmp_path)
    assert found["CONN_MAX_AGE"] is None
    options = found["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]
    assert "synchronous=FULL" in options["init_command"]


def test_postgresql_has_a_pool_with_checks_and_no_connections_of_its_own(tmp_path: Path) -> None:
    found = read(DATABASE_URL="postgres://localhost/site").database(tmp_path)
    assert (found["CONN_MAX_AGE"], found["CONN_HEALTH_CHECKS"]) == (0, True)
    assert found["OPTIONS"]["pool"]["max_size"] == 11


def test_postgresql_prepares_statements_unless_the_url_says_otherwise(tmp_path: Path) -> None:
    for query, threshold in (("", 5), ("?prepare_threshold=1000000", 1_000_000)):
        found = read(DATABASE_URL=f"postgres://localhost/site{query}").database(tmp_path)
        assert found["OPTIONS"]["prepare_threshold"] == threshold


@pytest.mark.parametrize(
    "variables",
    [
        {"DATABASE_URL": "mysql://localhost/site"},
        {"DATABASE_URL": "nonsense"},
        {"DATABASE_URL": "postgres://"},
        {"REDIS_URL": "localhost:6379"},
        {"DEBUG": "maybe"},
        {"PORT": "eighty"},
        {"PORT": "0"},
        {"SECRET_KEY": "short"},
        {"SQLITE_SYNCHRONOUS": "OFF"},
        {"GUESTS_PER_MINUTE": "-1"},
        {"ALLOWED_ORIGINS": "play.example.org"},
        {"ALLOWED_ORIGINS": "https://play.example.org/"},
        {"ALLOWED_ORIGINS": "https://*.example.org"},
        {"ALLOWED_ORIGINS": "*"},
        {"ALLOWED_ORIGINS": "https://play.example.org:port"},
        {"DATABASE_URL": "postgres://localhost/site", "SECRET_KEY": ""},
    ],
)
def test_a_senseless_value_is_one_clear_line(variables: dict[str, str], tmp_path: Path) -> None:
    env = {**os.environ, "DATA_DIR": str(tmp_path), **variables}
    done = nursery.run(["manage.py", "check"], env)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("Cannot start: ")
    (name, *_) = [name for name in variables if name in line]
    assert name


def test_a_limit_is_not_read_from_the_environment_but_by_the_tests_settings() -> None:
    """The tests may change a server's limits in its settings; an administrator cannot."""
    read_by = {
        module: subprocess.run(
            [sys.executable, "-c", f"from {module} import *; print(DB_POLL_SECONDS)"],
            cwd=ROOT,
            env={**os.environ, "DB_POLL_SECONDS": "77"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for module in ("config.settings", "tests.settings")
    }
    assert read_by == {"config.settings": str(limits.DB_POLL_SECONDS), "tests.settings": "77"}


def test_the_environment_has_few_variables_and_the_readme_of_config_names_each() -> None:
    texts = [(ROOT / "config" / name).read_text() for name in ("settings.py", "environment.py")]
    call = re.compile(r"""\.(?:text|flag|number|one_of|email_url)\(\s*"([A-Z_]+)\"""")
    names = {name for text in texts for name in call.findall(text)}
    assert {"DATABASE_URL", "RATE_LIMITS", "GUEST_DAYS"} <= names
    assert len(names) <= 35
    readme = (ROOT / "config" / "README.md").read_text()
    assert [name for name in sorted(names) if f"`{name}`" not in readme] == []


def test_a_secret_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "secret-key"
    key = load_or_create_secret(path)
    assert load_or_create_secret(path) == key
    assert path.stat().st_mode & 0o077 == 0
    path.write_text("")
    with pytest.raises(ImproperlyConfigured, match="secret-key"):
        load_or_create_secret(path)


def test_hosts_are_those_of_the_origins() -> None:
    assert parse_host("https://play.example.org:8443") == "play.example.org"
    assert parse_host("http://[::1]:8000") == "[::1]"


def test_a_port_that_is_taken_is_told_in_words(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = serve(tmp_path, str(taken.getsockname()[1]))
    assert "Cannot listen" in done.stderr
    assert "Traceback" not in done.stderr
    assert "1 to 65535" in serve(tmp_path, "99999").stderr


def serve(folder: Path, port: str) -> subprocess.CompletedProcess[str]:
    return nursery.run(
        ["manage.py", "serve", "--port", port], {**os.environ, "DATA_DIR": str(folder)}
    )


def test_daphne_alone_says_what_is_missing_in_one_line(tmp_path: Path) -> None:
    words = ["-m", "daphne", "-p", str(free_port()), "config.asgi:application"]
    done = nursery.run(words, {**os.environ, "DATA_DIR": str(tmp_path), "REDIS_URL": "nonsense"})
    assert done.returncode != 0
    assert done.stderr.strip().splitlines()[-1].startswith("Cannot start: REDIS_URL")
    assert "Traceback" not in done.stderr


def test_the_seed_that_signs_records_follows_from_the_secret_or_is_given() -> None:
    followed = read().signing_seed("k" * 50)
    assert len(followed) == 32 and followed == read().signing_seed("k" * 50)
    assert followed != read().signing_seed("l" * 50)
    given = read(SIGNING_KEY="AQ" * 21 + "A=").signing_seed("k" * 50)
    assert len(given) == 32 and given != followed
    for wrong in ("x", "AAAA", "AQ" * 40, "!" * 44):
        with pytest.raises(ImproperlyConfigured, match="SIGNING_KEY"):
            read(SIGNING_KEY=wrong).signing_seed("k" * 50)
