"""The responses of /readyz, and access to it."""

import contextlib
import json
import re
import urllib.request
from pathlib import Path

import psycopg
import pytest

from games.runtime.addresses import is_local
from tests.bench.drills.trouble import no_room, small_disk
from tests.builders.api import send_request
from tests.builders.databases import postgres
from tests.builders.sites import Person, Site, until


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1", True),
        ("10.1.2.3", True),
        ("192.168.0.9", True),
        ("172.31.0.1", True),
        ("172.32.0.1", False),
        ("::1", True),
        ("fd00::1", True),
        ("fe80::1%eth0", True),
        ("::ffff:10.0.0.1", True),
        ("::ffff:203.0.113.5", False),
        ("203.0.113.5", False),
        ("2001:db8::1", False),
        ("somewhere", False),
        ("", False),
    ],
)
def test_which_addresses_are_local(address: str, local: bool) -> None:
    assert is_local(address) is local


def test_others_are_told_the_status_alone(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("ready")
    site = Site(folder, {"BEHIND_PROXY": "on"})
    try:
        site.wait()
        for address in ("203.0.113.5", "2001:db8::7"):
            request = urllib.request.Request(f"{site.url}/readyz")
            request.add_header("X-Forwarded-For", address)
            with urllib.request.urlopen(request, timeout=10) as answer:
                assert json.load(answer) == {"ready": True}
    finally:
        site.stop()


def test_a_missing_referee_is_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("unwatched")
    with postgres(folder) as url:
        env = {"DATABASE_URL": url, "SECRET_KEY": "k" * 50}
        whole = Site(folder, env)  # it creates the tables, and runs a referee
        try:
            person = Person(whole.wait())
            until(lambda: person.json("/readyz")["referee"] == "ok", "the referee seen")
        finally:
            whole.stop()
        server = Site(folder, env, command="listen")
        try:
            person = Person(server.wait())
            assert person.json("/readyz")["referee"] == "ok", "a moment is not long"
            moved = server.manage(
                "shell", "-c",
                "from games.models import Watch; from datetime import timedelta;"
                "from django.utils import timezone;"
                "Watch.objects.update(at=timezone.now() - timedelta(seconds=900))",
            )  # fmt: skip
            assert moved.returncode == 0, moved.stderr
            said = person.json("/readyz")
            assert said["database"] == said["channel_layer"] == "ok"
            assert re.fullmatch(r"not seen for 9\d\d s", said["referee"])
            server.manage(
                "shell", "-c", "from games.models import Watch; Watch.objects.all().delete()"
            )
            assert person.json("/readyz")["referee"] == "never seen"
        finally:
            server.stop()


def test_a_full_disk_is_unavailable_and_no_fault(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        disk = stack.enter_context(small_disk(tmp_path / "disk", 64))
        site = Site(disk, {"SECRET_KEY": "k" * 50}).wait()
        stack.callback(site.stop)
        text = site.manage("token", "alice", "--create", "--scope", "challenges").stdout.strip()
        member, newcomer = Person(site).be_guest(), Person(site)
        newcomer.get("/")  # it contains a CSRF token
        invitation = b"game=tic-tac-toe"
        with no_room(site):
            status, page = until(lambda: refused(newcomer), "a newcomer refused")
            assert (status, "was not saved" in page) == (503, True)
            until(lambda: member.form("/seek/", invitation)[0] == 503, "an invitation refused")
            until(lambda: newcomer.get("/readyz")[0] == 503, "not ready")
            assert '"database": "OperationalError"' in newcomer.get("/readyz")[1]
            status, answer, _ = send_request(site, "POST", "/api/challenge/open", text, invitation)
            assert (status, answer["error"]["code"]) == (503, "unavailable")
            # Requests without writes still work.
            assert [member.get(path)[0] for path in ("/", "/rules/", "/healthz")] == [200] * 3
        until(lambda: newcomer.get("/readyz")[0] == 200, "ready again")
        assert newcomer.form("/guest/", b"")[0] == 204
        assert member.form("/seek/", invitation)[0] == 200
        site.must_be_calm()


def refused(person: Person) -> tuple[int, str] | None:
    """Return the response to a visitor who wants to become a guest, if it is a refusal."""
    status, page = person.form("/guest/", b"")
    assert status in {204, 503}, status
    if status == 204:
        person.cookies.clear()
        person.get("/")
    return None if status == 204 else (status, page)


def test_a_database_of_postgresql_that_takes_no_writes(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("standby")
    with postgres(folder) as url:
        site = Site(folder, {"DATABASE_URL": url, "SECRET_KEY": "k" * 50}, command="serve")
        try:
            person = Person(site.wait())
            person.get("/")
            _set_read_only(url, True)
            until(lambda: person.get("/readyz")[0] == 503, "not ready")
            status, page = person.form("/guest/", b"")
            assert (status, "was not saved" in page) == (503, True)
            assert '"database": "InternalError"' in person.get("/readyz")[1]
            _set_read_only(url, False)
            until(lambda: person.get("/readyz")[0] == 200, "ready again")
            assert person.form("/guest/", b"")[0] == 204
        finally:
            site.stop()
        site.must_be_calm()


def test_a_full_disk_under_postgresql(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("full")
    with small_disk(folder / "disk", 150) as disk:
        assert disk.is_mount(), "a small disk could not be mounted: run the tests as root"
        (disk / "postgres").mkdir()
        with postgres(disk / "postgres") as url:
            site = Site(folder, {"DATABASE_URL": url, "SECRET_KEY": "k" * 50}).wait()
            try:
                person = Person(site)
                person.get("/")
                with (
                    (disk / "filler").open("wb", buffering=0) as file,
                    contextlib.suppress(OSError),
                ):
                    while file.write(bytes(4096)):
                        pass
                until(lambda: person.get("/readyz")[0] == 503, "not ready")
                until(lambda: refused(person), "a newcomer refused")
                (disk / "filler").unlink()
                until(lambda: person.get("/readyz")[0] == 200, "ready again")
                assert person.form("/guest/", b"")[0] == 204
            finally:
                site.stop()
            site.must_be_calm()


def _set_read_only(url: str, read_only: bool) -> None:
    """Make all future transactions read-only, as on a standby."""
    with psycopg.connect(url, autocommit=True) as connection:
        value = "on" if read_only else "off"
        connection.execute(f"ALTER SYSTEM SET default_transaction_read_only = {value}")
        connection.execute("SELECT pg_reload_conf()")
