"""Start the site's programs for tests from a process that has imported the libraries.

A run of all tests starts hundreds of programs, and half of the work of each is to import Django,
Twisted and other libraries. Therefore each process of the run has a nursery: a process that
imports them once and forks for each start. The forked process continues as `python manage.py …` or
`python -m …` would, in the given environment. The nursery imports nothing that depends on
settings.

A second nursery, forked from the first, imports the site too and compiles its templates. Each
program that it forks reads the settings again, in its own environment, and starts with a quarter of
the work. The first nursery starts the programs whose environment changes a setting that is read
while the site is imported.
"""

import asyncio
import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

_PR_SET_PDEATHSIG = 1  # see prctl(2)
_SETTINGS = "tests.settings"
_READ_ON_IMPORT = {"ACCOUNT_CLOSING_DAYS", "DEBUG", "PSEUDO_LANGUAGE", "SITE_NAME"}
"""Settings that modules of the site read while they are imported."""

_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONWARNINGS")
_SITE = ("config.urls", "config.server.daphne_server", "config.management.commands.serve")
_LIBRARIES = (
    *("django.core.management.commands.migrate", "django.core.handlers.asgi", "django.forms"),
    *("django.db.migrations.executor", "django.db.backends.sqlite3.base", "django.db.models"),
    *("django.views.generic", "django.template.loader", "django.urls", "django.middleware.csrf"),
    *("django.middleware.gzip", "django.middleware.common", "django.utils.feedgenerator"),
    *("twisted.web.http", "twisted.internet.ssl", "twisted.internet.asyncioreactor"),
    *("twisted.protocols.policies", "autobahn.twisted.websocket", "channels.generic.websocket"),
    *("channels_redis.pubsub", "redis.asyncio", "psycopg", "psycopg_pool", "msgspec", "environ"),
    *("pydantic.type_adapter", "pydantic.dataclasses", "pydantic.networks", "oauthlib.oauth2"),
    *("cryptography.hazmat.primitives.asymmetric.ed25519", "cryptography.x509", "OpenSSL.SSL"),
    *("structlog", "prometheus_client", "limits.storage", "fido2.server", "qrcode", "resvg_py"),
    *("whitenoise.middleware", "whitenoise.storage", "csp.middleware"),
    *("django.contrib.admin.options", "django.test", "numpy", "tomllib"),
)


class Child:
    """A program started by the nursery, with the part of `subprocess.Popen` that tests use."""

    def __init__(self, nursery: "Nursery", pid: int) -> None:
        self._nursery = nursery
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, or None while the program runs."""
        if self.returncode is None:
            self.returncode = self._nursery.ask("status", self.pid)
        return self.returncode

    def wait(self, timeout: float = 600.0) -> int:
        """Wait for the exit status. Raise `subprocess.TimeoutExpired` after the timeout."""
        end, pause = time.monotonic() + timeout, 0.01
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout)
            time.sleep(pause)  # wait longer each time, because each request also wakes the nursery
            pause = min(1.5 * pause, 0.08)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The client of a nursery process, used by the tests."""

    def __init__(self, ours: socket.socket) -> None:
        self._asking = threading.Lock()
        self._socket, self._lines = ours, ours.makefile("r")

    def with_site(self, env: dict[str, str], output: Path) -> "Nursery":
        """Return a nursery that has imported the site, with its settings in this environment."""
        ours, theirs = socket.socketpair()
        with self._asking, theirs:
            self._send("nest", env, list(os.sched_getaffinity(0)), -1, str(output))
            self._lines.readline()  # it waits for the descriptor, and reads no lines ahead
            socket.send_fds(self._socket, [b"!"], [theirs.fileno()])
            json.loads(self._lines.readline())
        return Nursery(ours)

    def start(self, *what: Any) -> Child:
        return Child(self, self.ask("start", *what))

    def ask(self, *question: Any) -> Any:
        with self._asking:
            self._send(*question)
            return json.loads(self._lines.readline())

    def _send(self, *question: Any) -> None:
        self._socket.sendall(json.dumps(question).encode() + b"\n")

    def end(self) -> None:
        """Let the nursery process end, and the programs that are still running."""
        self._lines.close()
        self._socket.close()


def start(
    words: Sequence[str],
    env: dict[str, str],
    output: Path,
    errors: Path | None = None,
    umask: int = -1,
) -> Child:
    """Run Python with these arguments: `manage.py` or `-m`, and what follows.

    The output is appended to the files. Errors go to the first file too if there is no second one.
    """
    for file in (output, errors or output):  # so that they can be read immediately
        file.open("ab").close()
    with_site = env.get("DJANGO_SETTINGS_MODULE") == _SETTINGS and _READ_ON_IMPORT.isdisjoint(env)
    nursery = _nursery_with_site() if with_site else _nursery()
    cores = list(os.sched_getaffinity(0))  # inherited, as from any parent process
    return nursery.start(words, env, cores, umask, str(output), str(errors or output))


def run(
    words: Sequence[str], env: dict[str, str], umask: int = -1, timeout: float = 400
) -> subprocess.CompletedProcess[str]:
    """Run a program as `start` does, until it ends."""
    with tempfile.TemporaryDirectory() as place:
        files = Path(place, "output"), Path(place, "errors")
        status = start(words, env, *files, umask=umask).wait(timeout)
        printed, errors = (file.read_text() for file in files)
    return subprocess.CompletedProcess(words, status, printed, errors)


@cache
def _nursery_with_site() -> Nursery:
    folder = Path(tempfile.mkdtemp(prefix="nursery-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    env = {**kept, "DJANGO_SETTINGS_MODULE": _SETTINGS, "DATA_DIR": str(folder)}
    found = _nursery().with_site(env, folder / "log")
    atexit.register(found.end)
    return found


@cache
def _nursery() -> Nursery:
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.builders.nursery", str(theirs.fileno())],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
    found = Nursery(ours)
    atexit.register(_end, found, process)
    return found


def _end(found: Nursery, process: subprocess.Popen[bytes]) -> None:
    found.end()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(10)


def _serve(way: socket.socket) -> list[str]:
    """Answer requests until the tests close the connection.

    Also return in each new process, with the arguments of the command that it must run.
    """
    for line in way.makefile("r"):
        kind, *what = json.loads(line)
        answer = None
        if kind == "status":
            pid, status = os.waitpid(what[0], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        elif kind == "nest":
            way.sendall(b"null\n")
            _, descriptors, *_ = socket.recv_fds(way, 1, 1)
            answer = os.fork()
            if not answer:
                way.close()
                _become([], *what)
                return _serve_with_site(socket.socket(fileno=descriptors[0]))
            os.close(descriptors[0])
        else:
            answer = os.fork()
            if not answer:
                return _become(*what)
        way.sendall(json.dumps(answer).encode() + b"\n")
    return []


def _serve_with_site(way: socket.socket) -> list[str]:
    import django
    from django.conf import settings
    from django.db.migrations.loader import MigrationLoader
    from django.utils.module_loading import import_string

    django.setup()
    for name in _SITE:
        importlib.import_module(name)
    for name in settings.MIDDLEWARE:
        import_string(name)
    MigrationLoader(None)
    _prepare_pages()
    read = {name for name in vars(settings) if hasattr(sys.modules["config.limits"], name)}
    assert read <= _READ_ON_IMPORT, f"add to _READ_ON_IMPORT: {read - _READ_ON_IMPORT}"
    _prepare_sheets()
    gc.collect()
    gc.freeze()
    words = _serve(way)
    way.close()
    if words:
        _forget_settings()
    return words


def _prepare_sheets() -> None:
    """Prepare the rule sheets that come with the site, which each server would take 0.4 s for."""
    from games.rule_sheets import storage

    prepare = storage.prepare_sheet
    shipped = [storage.prepare_shipped_sheet(path.stem) for path in storage.SHIPPED.glob("*.kif")]
    known = {(each.loaded.slug, each.text, each.overlay): each for each in shipped}

    def prepare_sheet(slug: str, text: bytes, overlay: bytes, network: Any) -> Any:
        return known.get((slug, text, overlay)) or prepare(slug, text, overlay, network)

    storage.prepare_sheet = prepare_sheet


def _prepare_pages() -> None:
    """Compile the templates, the addresses and the sentences, as a server does for first pages."""
    from django.template.loader import get_template

    from games.messages import script

    templates = ROOT / "templates"
    for path in templates.rglob("*.html"):
        get_template(str(path.relative_to(templates)))
    script.address()


def _forget_settings() -> None:
    """Let the site read its settings again, from the environment that this process has now."""
    from django.apps import apps
    from django.conf import settings
    from django.db import connections
    from django.utils.functional import empty
    from twisted.internet import reactor

    from config.apps import restrict_secret_files

    for name in ("config.limits", "config.settings", _SETTINGS):
        del sys.modules[name]
        package, _, module = name.rpartition(".")
        delattr(sys.modules[package], module)
    settings._wrapped = empty
    vars(connections).clear()  # also of the connections that were made with the former settings
    connections.__init__()  # type: ignore[misc]
    # `django.setup` calls this, and would start the apps again if they were not ready.
    apps.populate = lambda _: restrict_secret_files()  # type: ignore[method-assign]
    # All programs would share the event loop of the nursery.
    reactor.__init__(asyncio.new_event_loop())  # type: ignore[misc]


def _become(
    words: list[str], env: dict[str, str], cores: list[int], umask: int, *logs: str
) -> list[str]:
    """Apply the environment and the files of a program to this process.

    The process gets a session of its own, because Linux divides the processor among sessions first
    (sched_autogroup). Otherwise, each browser, which has one, would get as much of the processor as
    all tests and servers together, and a bot, with its low priority, would get nearly nothing.
    Ctrl-C does not reach the session, but the process gets SIGTERM when the nursery ends.
    """
    os.setsid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    os.sched_setaffinity(0, cores)
    if umask >= 0:
        os.umask(umask)
    for descriptor, log in enumerate(logs, start=1):
        with Path(log).open("ab") as file:
            os.dup2(file.fileno(), descriptor)
    os.environ.clear()
    os.environ.update(env)
    if env.get("PYTHONWARNINGS"):
        warnings.simplefilter(env["PYTHONWARNINGS"])  # type: ignore[arg-type]
    return words


def _main() -> None:
    way = socket.socket(fileno=int(sys.argv[1]))
    for name in _LIBRARIES:
        importlib.import_module(name)
    assert "twisted.internet.reactor" not in sys.modules
    gc.collect()
    gc.freeze()
    words = _serve(way)
    way.close()
    if words:
        _run(words)


def _run(words: list[str]) -> None:
    """Run the program, and end the process without freeing its objects.

    They include all that the nursery imported. Freeing them would take longer than a short command,
    since the kernel has to copy each page that a forked process changes.
    """
    status: Any = 0
    try:
        if words[0] == "-m":
            sys.argv = words[1:]
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv = words
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as error:
        status = error.code or 0
        if not isinstance(status, int):  # a message
            raise
    # Python would do this at the end, too:
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()  # closes the database connections of threads that have ended
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    _main()
