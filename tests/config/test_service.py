"""The site's systemd services on this machine, as an update finds them."""

import subprocess
from pathlib import Path

import pytest

from config import service
from config.service import Service, list_services

LISTED = """\
parlour@8002.service loaded active running Parlour, the server on port 8002
parlour@8001.service loaded failed failed Parlour, the server on port 8001
parlour-bots.service loaded active running Parlour, the computer
parlour-elsewhere.service loaded active running Another site
parlour-migrate.service loaded active exited Parlour, migrations and static files
parlour-referee.service loaded active running Parlour, the referee
"""
SHOWN = "User=parlour\nEnvironmentFiles=/etc/parlour.env (ignore_errors=no)\n"


def test_services_restart_in_the_order_of_an_update(monkeypatch: pytest.MonkeyPatch) -> None:
    def systemctl(*words: str) -> "subprocess.CompletedProcess[str]":
        output = LISTED if words[0] == "list-units" else SHOWN
        return subprocess.CompletedProcess(words, 0, output, "")

    monkeypatch.setattr(service, "_systemctl", systemctl)
    found = list_services()
    assert [each.name.removesuffix(".service") for each in found] == [
        "parlour-migrate",
        "parlour-referee",
        "parlour-bots",
        "parlour@8001",
        "parlour@8002",
    ]
    name = "parlour@8001.service"
    assert found[3] == Service(name, "parlour", (Path("/etc/parlour.env"),))
