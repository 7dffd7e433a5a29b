"""PostgreSQL and Redis servers for tests, each on a free port."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg

from tests.builders.ports import free_port, listens
from tests.builders.prepared import migrate, prepared
from tests.builders.sites import ROOT, Program, until

_START = "start"  # the template database; in a run of pytest it is migrated
_EMPTY = "template0"


class _Cluster:
    """The data directory of a PostgreSQL server, and the server process."""

    def __init__(self, folder: Path, durable: bool = False) -> None:
        found = sorted(
            Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name)
        )
        assert found, "PostgreSQL is not installed: tests/run installs it"
        self._binary, self.port = found[-1], free_port()
        self.folder, self._data, self._log = folder, folder / "postgres", folder / "postgres.log"
        self._safety = [] if durable else ["-c", "fsync=off"]
        self._user = (
            pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        )  # PostgreSQL refuses to run as root
        self._as_user = (
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            if self._user
            else []
        )

    def address(self, database: str) -> str:
        return f"postgres://site@127.0.0.1:{self.port}/{database}"

    def make(self) -> None:
        """Initialize the data directory, with the template database."""
        self.let_in()
        subprocess.run(
            [*self._as_user, str(self._binary / "initdb"), "-D", str(self._data), "-U", "site",
             "--auth=trust", "-E", "UTF8", "--no-sync"],
            check=True,
            capture_output=True,
            cwd="/",
        )  # fmt: skip
        subprocess.run(
            [*self._as_user, str(self._binary / "postgres"), "--single", "-D", str(self._data),
             "-F", "postgres"],
            input=f"CREATE DATABASE {_START};".encode(),
            check=True,
            capture_output=True,
            cwd="/",
        )  # fmt: skip

    def let_in(self) -> None:
        """Let PostgreSQL's user write to the folder if the tests run as root."""
        if self._user is None:
            return
        shutil.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        for parent in self.folder.parents:
            if parent.stat().st_uid == 0 and str(parent).startswith(("/tmp/", "/dev/shm/")):
                parent.chmod(parent.stat().st_mode | 0o011)

    def start(self) -> None:
        self.program = Program(
            [*self._as_user, str(self._binary / "postgres"), "-D", str(self._data),
             "-p", str(self.port), "-k", "", "-c", "listen_addresses=127.0.0.1", *self._safety],
            self._log,
        )  # fmt: skip
        until(self._is_ready, f"PostgreSQL at {self.port}: {self.program.output()}")

    def stop(self) -> None:
        """Stop the server immediately; its clients lose their connections."""
        self.program.stop(signal.SIGINT)

    def _is_ready(self) -> bool:
        try:
            psycopg.connect(self.address("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


class Postgres(_Cluster):
    """A PostgreSQL server for one test.

    The test can stop it and start it again on the same port. In a run of pytest its database has
    the site's tables unless an empty one is requested.
    """

    def __init__(self, folder: Path, durable: bool = False, empty: bool = False) -> None:
        super().__init__(folder, durable)
        made = prepared("postgres", _migrated)
        if made is None:
            self.make()
        else:
            self.let_in()
            subprocess.run(["cp", "-a", str(made / "postgres"), str(folder)], check=True)
        self.start()
        self.url = self.address("site")
        _create(self.url, empty)

    def connections(self) -> int:
        """Return the number of connected clients."""
        with psycopg.connect(self.url) as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = 'site'"
            ).fetchone()
        assert row is not None
        return int(row[0])


def _migrated(folder: Path) -> None:
    """Create a cluster in the folder whose template database has the site's tables."""
    cluster = _Cluster(folder)
    cluster.make()
    cluster.start()
    try:
        migrate(ROOT, folder, DATABASE_URL=cluster.address(_START), SECRET_KEY="k" * 50)
    finally:
        cluster.stop()


def _create(url: str, empty: bool) -> None:
    """Create the database with that address."""
    place, _, name = url.rpartition("/")
    with psycopg.connect(f"{place}/postgres", autocommit=True) as connection:
        # SQL accepts no parameters here; both names are chosen by this module.
        command = f"CREATE DATABASE {name} TEMPLATE {_EMPTY if empty else _START}"
        connection.execute(command)  # type: ignore[call-overload]


def database_of_its_own(env: dict[str, str], empty: bool = False) -> None:
    """Use another database of the same PostgreSQL, without the heartbeats of other servers."""
    place = env["DATABASE_URL"].rpartition("/")[0]
    env["DATABASE_URL"] = f"{place}/own_{uuid.uuid4().hex[:8]}"
    _create(env["DATABASE_URL"], empty)


class Redis:
    """A Redis server for one test, which can kill it and start it again on the same port."""

    def __init__(self, folder: Path) -> None:
        assert shutil.which("redis-server"), "Redis is not installed: tests/run installs it"
        self._folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        self.program = Program(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "",
             "--dir", str(self._folder)],
            self._folder / "redis.log",
        )  # fmt: skip
        until(lambda: listens(self.port), f"Redis at {self.port}")

    def kill(self) -> None:
        self.program.stop(signal.SIGKILL)


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL server and yield its DATABASE_URL."""
    found = Postgres(folder)
    try:
        yield found.url
    finally:
        found.stop()


@contextlib.contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Run a Redis server and yield its REDIS_URL."""
    found = Redis(folder)
    try:
        yield found.url
    finally:
        found.kill()
