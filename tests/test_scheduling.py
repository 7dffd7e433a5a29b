"""A process of the tests that crashes fails its test, and the run goes on."""

import os
import subprocess
import sys
from pathlib import Path

from tests.builders.sites import PATIENCE, ROOT

_CRASH = """
import os, signal
from pathlib import Path
def test_one(): pass
def test_crashing_once():
    crashed = Path("crashed")
    if not crashed.exists():
        crashed.touch()
        os.kill(os.getpid(), signal.SIGKILL)
def test_another(): pass
"""


def test_a_run_ends_in_spite_of_a_crash(tmp_path: Path) -> None:
    for name, text in (("a", ""), ("b", _CRASH), ("c", ""), ("d", "")):
        (tmp_path / f"test_{name}.py").write_text(text or "def test_it(): pass")
    (tmp_path / "pytest.ini").touch()
    command = "-m pytest -p xdist -p tests.scheduling -n 1 --dist loadfile --no-loadscope-reorder"
    done = subprocess.run(
        [sys.executable, *command.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "crashed while running 'test_b.py::test_crashing_once'" in done.stdout
    assert "1 failed, 6 passed" in done.stdout, done.stdout
