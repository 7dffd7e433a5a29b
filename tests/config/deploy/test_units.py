"""The unit files, as parsed by systemd itself."""

import io
import re
import subprocess
import sys
from pathlib import Path

from django.core.management import call_command

from tests.builders.production import DEPLOY, Unit
from tests.builders.sites import ROOT


def verify(folder: Path) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, folder.iterdir())],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    about_us = [line for line in done.stderr.splitlines() if "parlour" in line]
    assert about_us == []
    assert done.returncode == 0, done.stderr


def test_systemd_finds_no_fault_with_the_units(tmp_path: Path) -> None:
    for path in (DEPLOY / "systemd").iterdir():
        text = path.read_text().replace("/srv/parlour/.venv/bin/python", sys.executable)
        (tmp_path / path.name).write_text(text.replace("/srv/parlour", str(ROOT)))
    verify(tmp_path)
    servers = Unit("parlour@.service", "8001")
    assert servers.one("EnvironmentFile") == "/etc/parlour.env"
    assert servers.one("Description").endswith("port 8001")


def test_systemd_finds_no_fault_with_the_units_that_are_installed(tmp_path: Path) -> None:
    output = io.StringIO()
    call_command("install_service", "--show", stdout=output, stderr=io.StringIO())
    for part in re.split(r"^# /etc/systemd/system/", output.getvalue(), flags=re.MULTILINE)[1:]:
        name, text = part.split("\n", 1)
        (tmp_path / name).write_text(text)
    assert len(list(tmp_path.iterdir())) == 3
    verify(tmp_path)
