"""How the tests are spread over the processes of a run. A plugin of pytest."""

import contextlib

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController


class FileScheduling(LoadFileScheduling):  # type: ignore[misc]
    """One process runs each file, except the drills, each of which starts servers of its own."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if "/drills/" in nodeid else super()._split_scope(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        """Assign a file. If the process has just crashed, xdist gives the file to another one."""
        with contextlib.suppress(OSError):
            super()._assign_work_unit(node)

    def _reschedule(self, node: WorkerController) -> None:
        """Give a process two tests, because it starts a test only when it knows the next one.

        By default it gets one file, and would wait forever for a second test: the file may have
        only one, or none left if it comes from a process that crashed.
        """
        super()._reschedule(node)
        while (
            self.workqueue
            and not node.shutting_down
            and self._pending_of(self.assigned_work[node]) < 2
        ):
            super()._reschedule(node)


_crashed: list[str] = []
"""The tests of this run whose process crashed."""


def pytest_handlecrashitem(crashitem: str, report: pytest.TestReport) -> None:
    """Report the first crash of a process in a run without failing its test, which runs again.

    Debian's Python 3.11.2 crashed in one run of many, in the middle of Python code. A fault in this
    project would crash the next process too.
    """
    _crashed.append(crashitem)
    if len(_crashed) == 1:
        report.outcome = "skipped"
        report.wasxfail = f"{report.longrepr}; the test runs again"  # type: ignore[attr-defined]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    return FileScheduling(config, log) if config.getvalue("dist") == "loadfile" else None
