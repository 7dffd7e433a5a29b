"""Real programs for tests: the site's servers, PostgreSQL, Redis, sockets. Each on a free port."""

import contextlib
import http.client
import http.cookiejar
import json
import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
from websockets.sync.client import ClientConnection, connect

from tests.factors import code

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 30.0  # seconds until a program that should answer has failed


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def until(seen: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Wait until `seen()` is true and give it; fail with `what` when it never is."""
    end = time.monotonic() + patience
    while True:
        found = seen()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not seen in {patience} s: {what}")
        time.sleep(0.02)


class Program:
    """A subprocess with its output in a file."""

    def __init__(self, command: list[str], log: Path, **more: Any) -> None:
        self.log = log
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, **{"cwd": ROOT, **more}
            )

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def must_run(self) -> None:
        code = self.process.poll()
        assert code is None, f"ended with {code}:\n{self.output()}"

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)


class Place:
    """Where clients come to: a server, or what stands before several."""

    url: str
    port: int
    tls: ssl.SSLContext | None = None

    def socket_url(self, path: str, port: int | None = None) -> str:
        return f"{'wss' if self.tls else 'ws'}://127.0.0.1:{port or self.port}{path}"


class Site(Program, Place):
    """One running server of the site."""

    def __init__(
        self,
        folder: Path,
        env: dict[str, str] | None = None,
        port: int | None = None,
        root: Path = ROOT,
        before: Sequence[str] = (),
        command: str = "serve",
    ) -> None:
        self.root = root
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        environment = {
            key: value
            for key, value in os.environ.items()
            if key not in {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_ORIGINS", "DEBUG"}
        }
        environment |= {
            "DATA_DIR": str(folder),
            "RATE_LIMITS": "off",
            "BOT_PROCESSES": "0",  # a test that plays the computer asks for some
            "PYTHONWARNINGS": "default",
            **(env or {}),
        }
        self.env = environment
        super().__init__(
            [*before, sys.executable, "manage.py", command, "--port", str(self.port)],
            folder / f"{command}-{self.port}.log",
            env=environment,
            cwd=root,
        )

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait(self) -> "Site":
        def ready() -> bool:
            self.must_run()
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
                    return bool(answer.status == 200)
            except (urllib.error.URLError, OSError):
                return False

        until(ready, f"{self.url} ready")
        return self

    def manage(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=self.root,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


class Person:
    """A visitor with cookies, as a browser would be: alice plays, bob plays, charlie watches."""

    def __init__(self, site: Place) -> None:
        self.site = site
        self.cookies = http.cookiejar.CookieJar()
        self.headers: dict[str, str] = {}  # sent along with everything
        self._http = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies),
            urllib.request.HTTPSHandler(context=site.tls),
        )

    def at(self, site: Place) -> "Person":
        """The same person at another server of the same site (same cookies)."""
        other = Person(site)
        for cookie in self.cookies:
            other.cookies.set_cookie(cookie)
        return other

    def get(self, path: str) -> tuple[int, str]:
        try:
            with self._http.open(f"{self.site.url}{path}", timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")

    def raw(self, path: str) -> tuple[int, str | None]:
        """The status of a page and where it sends to, with no redirect followed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=20)
        connection.request("GET", path, headers={"Cookie": self.cookie_header(), **self.headers})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status, answer.getheader("Location")

    def json(self, path: str) -> Any:
        status, text = self.get(path)
        assert status == 200, (status, text[:300])
        return json.loads(text)

    def post(self, path: str, data: bytes = b"", token: str | None = None) -> tuple[int, str]:
        """With the CSRF token, like the site's own scripts. Gives the status and final address."""
        status, where, _ = self._post(path, data, token)
        return status, where

    def form(self, path: str, data: bytes) -> tuple[int, str]:
        """The same. Gives the status and the page."""
        status, _, page = self._post(path, data, None)
        return status, page

    def _post(self, path: str, data: bytes, token: str | None) -> tuple[int, str, str]:
        if self.token() is None:
            self.get("/")
        request = urllib.request.Request(f"{self.site.url}{path}", data=data, method="POST")
        request.add_header("X-CSRFToken", token or self.token() or "")
        request.add_header("Origin", self.site.url)
        try:
            with self._http.open(request, timeout=20) as answer:
                return answer.status, answer.url, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.url or "", error.read().decode(errors="replace")

    def be_guest(self) -> "Person":
        status, _ = self.post("/guest/")
        assert status == 204, status
        return self

    def log_in(self, name: str, password: str, wanted: str = "/") -> "Person":
        """Log in to an account; staff's have the second factor of `tests.factors`."""
        form = urllib.parse.urlencode({"login": name, "password": password, "next": wanted})
        _, url = self.post("/accounts/login/", form.encode())
        for steps in (-1, 0, 1):  # each code is good once
            if not url.endswith("/2fa/authenticate/"):
                break
            _, url = self.post("/accounts/2fa/authenticate/", f"code={code(steps)}".encode())
        assert url == f"{self.site.url}{wanted}", url
        return self

    def socket(self, path: str, origin: str | None = "same") -> "Socket":
        manager = connect(
            self.site.socket_url(path),
            ssl=self.site.tls,
            origin=self.site.url if origin == "same" else origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookie_header(), **self.headers},
            compression=None,
            open_timeout=20,
            max_size=2**20,
            ping_interval=None,
        )
        return Socket(manager.__enter__())

    def lobby(self) -> "Socket":
        return self.socket("/ws/lobby/")

    def match(self, match_id: str) -> "Socket":
        return self.socket(f"/ws/match/{match_id}/")

    def token(self) -> str | None:
        """The CSRF token, as the site's own scripts find it."""
        return self._jar().get("__Host-csrftoken") or self._jar().get("csrftoken")

    def _jar(self) -> dict[str, str]:
        return {cookie.name: str(cookie.value) for cookie in self.cookies}

    def cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._jar().items())


class Socket:
    """A client's end of one of the site's sockets."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.state: dict[str, Any] = {}

    def send(self, type_: str, **more: Any) -> None:
        self.connection.send(json.dumps({"type": type_, **more}))

    def frame(self, patience: float = PATIENCE) -> dict[str, Any]:
        """The next frame, whatever it is."""
        found: dict[str, Any] = json.loads(self.connection.recv(timeout=patience))
        if found["type"] == "state":
            self.state = found
        return found

    def next(
        self,
        type_: str,
        where: Callable[[dict[str, Any]], Any] = lambda frame: True,
        patience: float = PATIENCE,
    ) -> dict[str, Any]:
        """The next frame of that type for which `where` holds; others are passed over."""
        end = time.monotonic() + patience
        passed = []
        while True:
            try:
                found = self.frame(max(0.01, end - time.monotonic()))
            except TimeoutError:
                kinds = [(f["type"], f.get("code", f.get("ply"))) for f in passed]
                raise AssertionError(f"no such {type_} in {patience} s, but {kinds}") from None
            if found["type"] == type_ and where(found):
                return found
            passed.append(found)

    def ply(self, ply: int) -> dict[str, Any]:
        """The state with that many actions played, or more."""
        if self.state.get("ply", -1) >= ply:
            return self.state
        return self.next("state", lambda state: state["ply"] >= ply)

    def play(self, action: str) -> dict[str, Any]:
        """Send an action for the ply last seen, and wait until it is played."""
        ply = self.state["ply"]
        self.send("play", ply=ply, action=action)
        return self.ply(ply + 1)

    def refused(self, code: str) -> dict[str, Any]:
        """The next error, which must be of that code, and then the state that follows it."""
        error = self.next("error")
        assert error["code"] == code, error
        assert error["detail"], error
        return error

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()


def pair(
    alice: Person, bob: Person, game: str, clock: str | None = None
) -> tuple[str, dict[str, Person]]:
    """Let two people find each other in the lobby; the match's id, and who has which role."""
    with alice.lobby() as a, bob.lobby() as b:
        a.send("seek", game=game, clock=clock)
        a.next("seeking")
        b.send("seek", game=game, clock=clock)
        at_b, at_a = b.next("paired"), a.next("paired")
    assert at_a["match"] == at_b["match"]
    return at_a["match"], {at_a["role"]: alice, at_b["role"]: bob}


class Postgres:
    """A PostgreSQL of its own, that can be stopped and started again at the same port."""

    def __init__(self, folder: Path, durable: bool = False) -> None:
        found = sorted(
            Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name)
        )
        assert found, "PostgreSQL is not installed: tests/run installs it"
        self._binary, self.port = found[-1], free_port()
        self._data, self._log = folder / "postgres", folder / "postgres.log"
        self._safety = [] if durable else ["-c", "fsync=off"]
        self._data.mkdir()
        self._as_user: list[str] = []
        if os.geteuid() == 0:  # it refuses to run as root
            postgres_user = pwd.getpwnam("postgres")
            for path in (folder, self._data):
                shutil.chown(path, postgres_user.pw_uid, postgres_user.pw_gid)
            for parent in folder.parents:
                if parent.stat().st_uid == 0 and str(parent).startswith(("/tmp/", "/dev/shm/")):
                    parent.chmod(parent.stat().st_mode | 0o011)
            self._as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        subprocess.run(
            [*self._as_user, str(self._binary / "initdb"), "-D", str(self._data), "-U", "site",
             "--auth=trust", "-E", "UTF8"],
            check=True,
            capture_output=True,
            cwd="/",
        )  # fmt: skip
        self.start()
        until(lambda: self._tool("createdb", "site"), "a database made")
        self.url = f"postgres://site@127.0.0.1:{self.port}/site"

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
        """At once: who is connected is disconnected."""
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
    """A Redis of its own, that can be killed and started again at the same port."""

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
    """A PostgreSQL of its own; gives its DATABASE_URL."""
    found = Postgres(folder)
    try:
        yield found.url
    finally:
        found.stop()


@contextlib.contextmanager
def redis(folder: Path) -> Iterator[str]:
    """A Redis of its own; gives its REDIS_URL."""
    found = Redis(folder)
    try:
        yield found.url
    finally:
        found.kill()


def listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0
