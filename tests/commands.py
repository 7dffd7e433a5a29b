"""The tests' own modules, run as commands in the environment of a site."""

import json
import os
from pathlib import Path
from typing import Any

from tests.live import copy_prepared
from tests.nursery import nursery


def environment(folder: Path, **more: str) -> dict[str, str]:
    """That of a site in the folder which no server serves."""
    return {**os.environ, "DATA_DIR": str(folder), "SECRET_KEY": "k" * 50, **more}


def answer(env: dict[str, str], module: str, *words: str) -> Any:
    """What `python -m MODULE WORDS…` prints, which is JSON."""
    if "DATABASE_URL" not in env:
        copy_prepared(Path(env["DATA_DIR"]), with_database=True)
    env = {**env, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = nursery().run(["-m", module, *words], env, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
