"""PostgreSQL and Redis for tests, each program of its own on a free port."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg

from tests.live import Program, free_port, listens, until
from tests.prepared import prepared


class Postgres:
    """A PostgreSQL for one test, which can stop it and start it again at the same port."""

    def __init__(self, folder: Path, durable: bool = False) -> None:
        found = sorted(
            Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name)
        )
        assert found, "PostgreSQL is not installed: tests/run installs it"
        self._binary, self.port = found[-1], free_port()
        self._data, self._log = folder / "postgres", folder / "postgres.log"
        self._safety = [] if durable else ["-c", "fsync=off"]
        self._user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None  # root may not run it
        self._as_user = (
            ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
            if self._user
            else []
        )
        made = prepared("postgres", self._make)
        if made is None:
            self._make(folder)
        else:
            self._let_in(folder)
            subprocess.run(["cp", "-a", str(made / "postgres"), str(folder)], check=True)
        self.start()
        self.url = f"postgres://site@127.0.0.1:{self.port}/site"

    def _make(self, folder: Path) -> None:
        """Make a cluster with an empty database in the folder."""
        self._let_in(folder)
        data = folder / "postgres"
        subprocess.run(
            [*self._as_user, str(self._binary / "initdb"), "-D", str(data), "-U", "site",
             "--auth=trust", "-E", "UTF8", "--no-sync"],
            check=True,
            capture_output=True,
            cwd="/",
        )  # fmt: skip
        subprocess.run(
            [*self._as_user, str(self._binary / "postgres"), "--single", "-D", str(data), "-F",
             "postgres"],
            input=b"CREATE DATABASE site;",
            check=True,
            capture_output=True,
            cwd="/",
        )  # fmt: skip

    def _let_in(self, folder: Path) -> None:
        """Let PostgreSQL's user write to the folder, if we are root."""
        if self._user is None:
            return
        shutil.chown(folder, self._user.pw_uid, self._user.pw_gid)
        for parent in folder.parents:
            if parent.stat().st_uid == 0 and str(parent).startswith(("/tmp/", "/dev/shm/")):
                parent.chmod(parent.stat().st_mode | 0o011)

    def start(self) -> None:
        self.program = Program(
            [*self._as_user, str(self._binary / "postgres"), "-D", str(self._data),
             "-p", str(self.port), "-k", "", "-c", "listen_addresses=127.0.0.1", *self._safety],
            self._log,
        )  # fmt: skip
        until(
            lambda: self._tool("pg_isready"), f"PostgreSQL at {self.port}: {self.program.output()}"
        )

    def stop(self) -> None:
        """Stop it at once; its clients lose their connections."""
        self.program.stop(signal.SIGINT)

    def connections(self) -> int:
        """How many clients are connected."""
        with psycopg.connect(self.url) as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = 'site'"
            ).fetchone()
        assert row is not None
        return int(row[0])

    def _tool(self, name: str, *arguments: str) -> bool:
        place = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "site"]
        done = subprocess.run(
            [str(self._binary / name), *place, *arguments], check=False, capture_output=True
        )
        return done.returncode == 0


class Redis:
    """A Redis for one test, which can kill it and start it again at the same port."""

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
    """Run a PostgreSQL; gives its DATABASE_URL."""
    found = Postgres(folder)
    try:
        yield found.url
    finally:
        found.stop()


@contextlib.contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Run a Redis; gives its REDIS_URL."""
    found = Redis(folder)
    try:
        yield found.url
    finally:
        found.kill()
