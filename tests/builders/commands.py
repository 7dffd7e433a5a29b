"""Modules of the tests, run as commands in the environment of a site."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.builders import nursery
from tests.builders.sites import PATIENCE, ROOT, copy_prepared


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
        self._output = Path(self._folder.name, "output")
        self._errors = Path(self._folder.name, "errors")
        words = ("-m", module, *words)
        self._process = nursery.start(words, env, self._output, self._errors)

    def end(self, status: int = 0) -> Any:
        """Wait for its end, with that exit status. Return the JSON that it printed, if any."""
        with self._folder:
            found = self._process.wait(300)
            output = self._output.read_text()
            assert found == status, self._errors.read_text()
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
        timeout=PATIENCE,
        check=False,
    )
