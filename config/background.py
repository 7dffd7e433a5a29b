"""The background process of `serve`, which runs the referee's tasks apart from the server.

`serve` forks it when everything has been imported but no thread or event loop runs yet: this is
fast, and both processes share memory. The forked process is a supervisor, which forks the process
that does the work (the worker), and forks another one if the worker dies.

All of them share a `ProcessLink`. Its end is the only signal to stop, because Ctrl+C reaches all
processes, and the worker must outlive the server to follow its last matches. The operating system
closes the link even if the server is killed.
"""

import asyncio
import gc
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import structlog
from django.conf import settings
from django.db import connections
from prometheus_client import REGISTRY, Metric, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from config import failures
from games.runtime.db import close_db_threads
from games.runtime.process_link import Message, ProcessLink, create_ends
from games.runtime.pubsub import pubsub, use_link
from games.runtime.tasks import Repeated, end_loops, exit_within

log = structlog.get_logger(__name__)

Begin = Callable[[], Awaitable[None]]

# Players' actions come first, except on SQLite: there, a worker with less processor time would hold
# the only write lock longer. With SQLite on busy cores, the p99 of the server's writes was 23 ms
# without this niceness and 48 ms with it.
_NICENESS = 5
_REPORT_EVERY = 5.0  # seconds between two reports of the worker to the server
_RESTART_SECONDS = 1.0  # seconds between the end of a worker and the start of the next one
_EXIT_SECONDS = 4.0  # seconds that the worker may take to stop
_CANNOT_START = 3  # the exit status of a worker that could not start its tasks


class BackgroundProcess:
    """The background process, as its server sees it."""

    def __init__(self, pid: int, end: socket.socket) -> None:
        self._pid = pid
        self._link = ProcessLink(end, frozenset())

    def watch(self, at_end: Callable[[], None]) -> None:
        """Exchange hints on the running event loop.

        Call `at_end` if the process ends before `stop` is called.
        """
        use_link(self._link)
        self._link.listen(self._hear, at_end)

    def stop(self) -> None:
        """Stop the process, and wait until it has ended.

        If it has not ended after a few seconds, log an error and return.
        """
        self._link.close()
        until = time.monotonic() + _EXIT_SECONDS + _RESTART_SECONDS
        while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                log.error("background process not ended")
                return
            time.sleep(0.01)

    def _hear(self, message: Message) -> None:
        if "group" in message:
            pubsub().hear(message)
        else:
            self._link.groups = frozenset(message["groups"])
            _all_metrics.background = message["metrics"]


def start_background_process(begin: Begin) -> BackgroundProcess:
    """Fork the background process, whose worker calls `begin` on its event loop.

    This process must not have other threads. In the forked processes, the function does not return.
    """
    for connection in connections.all(initialized_only=True):
        connection.close()
        if hasattr(connection, "close_pool"):
            connection.close_pool()  # the pool has threads
    ours, theirs = create_ends()
    sys.stdout.flush()
    sys.stderr.flush()
    gc.collect()
    gc.freeze()  # so that later collections do not write to the shared memory
    pid = os.fork()
    if pid:
        theirs.close()
        return BackgroundProcess(pid, ours)
    ours.close()
    with theirs:
        sys.exit(_supervise(theirs, begin))


def _supervise(end: socket.socket, begin: Begin) -> int:
    """Keep a worker running until the server has ended, or until a worker cannot start its tasks.

    Return the exit status, both in this process and in each worker.
    """
    failures.take_all()  # the server stores them
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ignore)
    while True:
        pid = os.fork()
        if not pid:
            return _work(end, begin)
        failures.take_all()  # the new worker stores them
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if _has_server_ended(end, 0):
            return 0
        if status == _CANNOT_START:
            return 1
        log.error("background process ended", status=status)
        if _has_server_ended(end, _RESTART_SECONDS):
            return 0


def _ignore(*signal_and_frame: Any) -> None:
    """Do nothing. Unlike `signal.SIG_IGN`, this does not apply to other programs that we start."""


def _has_server_ended(end: socket.socket, timeout: float) -> bool:
    """Return whether the server ends within the timeout, in seconds."""
    poll = select.poll()
    poll.register(end, 0)  # only the end of the connection is an event
    return bool(poll.poll(timeout * 1000))


def _work(end: socket.socket, begin: Begin) -> int:
    """Run the background tasks until the server ends. Return the exit status."""
    if not settings.IS_SQLITE:
        os.nice(_NICENESS)
    status = asyncio.run(_work_until_end(ProcessLink(end, None), begin))
    close_db_threads()
    return status


async def _work_until_end(link: ProcessLink, begin: Begin) -> int:
    has_ended = asyncio.Event()

    async def report() -> None:
        metrics = generate_latest().decode() if settings.METRICS_TOKEN else ""
        link.send({"groups": pubsub().groups, "metrics": metrics})

    use_link(link)
    link.listen(pubsub().hear, has_ended.set)
    try:
        await begin()
    except Exception:
        log.exception("start failed")
        return _CANNOT_START
    Repeated("link", report, _REPORT_EVERY).start()
    await has_ended.wait()
    exit_within(_EXIT_SECONDS)
    await end_loops()
    return 0


class _AllMetrics:
    """This process's metrics, and those of its background process with a label of their own."""

    background = ""  # the text of the last report

    def collect(self) -> Iterator[Metric]:
        families = {family.name: family for family in REGISTRY.collect()}
        for theirs in text_string_to_metric_families(self.background):
            family = Metric(theirs.name, theirs.documentation, theirs.type)
            known = families.get(theirs.name)
            family.samples = [*known.samples] if known is not None else []
            for sample in theirs.samples:
                labels = {**sample.labels, "process": "background"}
                family.samples.append(sample._replace(labels=labels))
            families[theirs.name] = family
        yield from families.values()


_all_metrics = _AllMetrics()


def render_metrics() -> bytes:
    """Return the text for Prometheus, including the metrics of the background process, if any."""
    return generate_latest(_all_metrics)
