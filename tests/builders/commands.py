"""Modules of the tests, run as commands in the environment of a site."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.builders import nursery
from tests.builders.sites import ROOT, copy_prepared


def create_environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment of a site in the folder, without starting a server."""
    return {**os.environ, "DATA_DIR": str(folder), "SECRET_KEY": "k" * 50, **more}


class RunningModule:
    """A module that runs as `python -m MODULE WORDS…`, beside others until `end` is called."""

    def __init__(self, env: dict[str, str], module: str, *words: str) -> None:
        if "DATABASE_URL" not in env:
            copy_prepared(Path(env["DATA_DIR"]), with_database=True)
        env = {**env, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        self._folder = tempfile.TemporaryDirectory()
        self._files = [Path(self._folder.name, name) for name in ("output", "errors")]
        self._process = nursery.start(["-m", module, *words], env, *self._files)

    def end(self, status: int = 0) -> Any:
        """Wait for its end, with that exit status. Return the JSON that it printed, if any."""
        with self._folder:
            found = self._process.wait(300)
            output, errors = (file.read_text() for file in self._files)
            assert found == status, errors
        return json.loads(output) if output else None


def run_module(env: dict[str, str], module: str, *words: str) -> Any:
    """Run `python -m MODULE WORDS…`. Return the JSON that it prints."""
    return RunningModule(env, module, *words).end()


def run_program(program: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process with the settings of the tests."""
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
