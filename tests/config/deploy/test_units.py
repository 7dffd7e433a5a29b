"""The unit files, as parsed by systemd itself."""

import subprocess
import sys
from pathlib import Path

from tests.builders.production import DEPLOY, Unit, changed
from tests.builders.sites import ROOT


def test_systemd_finds_no_fault_with_the_units(tmp_path: Path) -> None:
    for path in (DEPLOY / "systemd").iterdir():
        text = changed(path.read_text(), {"/srv/parlour/.venv/bin/python": sys.executable})
        (tmp_path / path.name).write_text(text.replace("/srv/parlour", str(ROOT)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no",
         *(str(path) for path in tmp_path.iterdir())],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    about_us = [line for line in done.stderr.splitlines() if "parlour" in line]
    assert about_us == []
    assert done.returncode == 0, done.stderr
    servers = Unit("parlour@.service", "8001")
    assert servers.one("EnvironmentFile") == "/etc/parlour.env"
    assert servers.one("Description").endswith("port 8001")
