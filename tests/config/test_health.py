"""What /readyz says, and to whom."""

import json
import urllib.request

import pytest

from games.runtime.addresses import is_local
from tests.databases import postgres
from tests.live import Person, Site, until


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
        whole = Site(folder, env)  # it makes the tables, and runs a referee
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
                "w = Watch.objects.get(); w.at -= timedelta(seconds=90); w.save()",
            )  # fmt: skip
            assert moved.returncode == 0, moved.stderr
            said = person.json("/readyz")
            assert said["database"] == said["channel_layer"] == "ok"
            assert said["referee"].startswith("not seen for 9")
            server.manage(
                "shell", "-c", "from games.models import Watch; Watch.objects.all().delete()"
            )
            assert person.json("/readyz")["referee"] == "never seen"
        finally:
            server.stop()
