"""Modules of the tests, run as commands in the environment of a site."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.builders import nursery
from tests.builders.sites import ROOT, copy_prepared


def create_environment(folder: Path, **more: str) -> dict[str, str]:
    """Return the environment of a site in the folder, without starting a server."""
    return {**os.environ, "DATA_DIR": str(folder), "SECRET_KEY": "k" * 50, **more}


def run_module(env: dict[str, str], module: str, *words: str) -> Any:
    """Run `python -m MODULE WORDS…`. Return the JSON that it prints."""
    if "DATABASE_URL" not in env:
        copy_prepared(Path(env["DATA_DIR"]), with_database=True)
    env = {**env, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = nursery.run(["-m", module, *words], env, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


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
