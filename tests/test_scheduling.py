"""If a process of the tests crashes, its test runs again, and the run goes on."""

import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builders.sites import PATIENCE, ROOT
from tests.scheduling import FileScheduling

_CRASH = """
import os, signal
from pathlib import Path
def test_one(): pass
def test_crashing():
    crashes = Path("crashes")
    left = int(crashes.read_text())
    if left:
        crashes.write_text(str(left - 1))
        os.kill(os.getpid(), signal.SIGKILL)
def test_another(): pass
"""


@pytest.mark.parametrize(
    ("crashes", "counts"), [(1, "6 passed, 1 xfailed"), (2, "1 failed, 6 passed, 1 xfailed")]
)
def test_a_run_ends_in_spite_of_crashes(tmp_path: Path, crashes: int, counts: str) -> None:
    for name, text in (("a", ""), ("b", _CRASH), ("c", ""), ("d", "")):
        (tmp_path / f"test_{name}.py").write_text(text or "def test_it(): pass")
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "crashes").write_text(str(crashes))
    command = (
        "-m pytest -rx -p xdist -p tests.scheduling -n 1 --dist loadfile --no-loadscope-reorder"
    )
    done = subprocess.run(
        [sys.executable, *command.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "crashed while running 'test_b.py::test_crashing'; the test runs again" in done.stdout
    assert counts in done.stdout
    assert done.returncode == crashes - 1


class CrashedNode:
    """The run's end of a process whose crash xdist has not noticed yet."""

    def send_runtest_some(self, indices: Sequence[int]) -> None:
        raise OSError("cannot send (already closed?)")


def test_a_file_that_a_crashed_process_did_not_get_is_not_lost() -> None:
    scheduling = FileScheduling.__new__(FileScheduling)  # without the options of a run
    node: Any = CrashedNode()
    scheduling.registered_collections = {node: ["test_a.py::test_it"]}
    scheduling.workqueue = OrderedDict({"test_a.py": {"test_a.py::test_it": False}})
    scheduling.assigned_work = {}
    scheduling._assign_work_unit(node)
    assert scheduling.remove_node(node) == "test_a.py::test_it"
    assert list(scheduling.workqueue) == ["test_a.py"]
