"""Programs that the tests start from a nursery are as if they had been started alone."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.builders import nursery
from tests.builders.sites import until

_SHOW = """
import json, random
from django.conf import settings
from django.db import connection
from games.runtime.pubsub import get_server_id
found = [settings.SEEKS_PER_MINUTE, settings.SITE_NAME, str(settings.DATA_DIR)]
found += [str(connection.settings_dict["NAME"]), get_server_id(), random.random()]
print(json.dumps(found))
"""


def show(folder: Path, **env: str) -> list[Any]:
    folder.mkdir()
    env |= {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = nursery.run(["manage.py", "shell", "--no-imports", "-c", _SHOW], {**os.environ, **env})
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", ["Parlour", "Another"])  # one that is read on import, one not
def test_each_program_has_its_own_settings_and_names(name: str, tmp_path: Path) -> None:
    env = {} if name == "Parlour" else {"SITE_NAME": name}
    one = show(tmp_path / "one", SEEKS_PER_MINUTE="3", **env)
    other = show(tmp_path / "other", SEEKS_PER_MINUTE="4", **env)
    for found, folder, limit in ((one, "one", 3), (other, "other", 4)):
        place = str(tmp_path / folder)
        assert found[:4] == [limit, name, place, f"{place}/site.sqlite3"]
        assert (tmp_path / folder / "secret-key").stat().st_mode & 0o77 == 0
    assert one[4] != other[4]
    assert one[5] != other[5]


def test_a_wrong_setting_is_reported_in_one_line(tmp_path: Path) -> None:
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "DATA_DIR": str(tmp_path)}
    done = nursery.run(["manage.py", "check"], {**env, "PORT": "nonsense"})
    assert done.returncode == 1
    assert done.stderr.startswith("Cannot start: ") and "Traceback" not in done.stderr


def test_a_program_has_its_own_session_and_ends_with_its_nursery(tmp_path: Path) -> None:
    own = nursery._nursery.__wrapped__()
    words, log = ["-m", "http.server", "0", "--bind", "127.0.0.1"], str(tmp_path / "log")
    program = own.start(words, dict(os.environ), list(os.sched_getaffinity(0)), -1, log, log)
    until(lambda: os.getsid(program.pid) == program.pid, "a session of its own")
    own.end()
    until(lambda: not is_running(program.pid), "the program ended")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() != b""  # empty if nobody has waited for it
    except OSError:
        return False
