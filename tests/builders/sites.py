"""Real programs for tests: the site's servers, people with cookies, and their sockets."""

import contextlib
import http.client
import http.cookiejar
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from websockets.sync.client import ClientConnection, connect

from tests.builders import nursery
from tests.builders.nursery import Child
from tests.builders.ports import free_port, listens
from tests.builders.prepared import migrated, prepared
from tests.builders.second_factors import get_code

ROOT = Path(__file__).resolve().parents[2]
MANAGE = [sys.executable, "manage.py"]
PATIENCE = 180.0  # seconds after which a program that does not answer has failed


def until(
    seen: Callable[[], Any], what: str, patience: float = PATIENCE, pause: float = 0.02
) -> Any:
    """Wait until `seen()` is true and return its value. Fail with `what` after the timeout."""
    end = time.monotonic() + patience
    while True:
        found = seen()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not seen in {patience} s: {what}")
        time.sleep(pause)


class Program:
    """A subprocess that writes its output to a file."""

    process: subprocess.Popen[bytes] | Child
    calm_from: int  # where `must_be_calm` starts to read the log: earlier lines concern other tests

    def __init__(self, command: list[str], log: Path, **more: Any) -> None:
        self.log = log
        self.calm_from = len(self.output()) if log.exists() else 0
        is_ours = command[0] == sys.executable and command[1] in {"manage.py", "-m"}
        if is_ours and more.keys() <= {"env", "umask"}:
            env = more.get("env") or dict(os.environ)
            self.process = nursery.start(command[1:], env, log, umask=more.get("umask", -1))
            return
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, **{"cwd": ROOT, **more}
            )

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def must_run(self) -> None:
        code = self.process.poll()
        assert code is None, f"ended with {code}:\n{self.output()}"

    def must_be_calm(self) -> None:
        """Assert that the log has no traceback."""
        at = self.output().find("Traceback", self.calm_from)
        assert at < 0, self.output()[max(0, at - 500) : at + 3000]

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)


class Place:
    """An address that clients connect to: a server, or a proxy for several servers."""

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
            "BOT_PROCESSES": "0",  # tests with computer opponents set another number
            "PYTHONWARNINGS": "default",
            # An earlier release does not have this module.
            "DJANGO_SETTINGS_MODULE": "tests.settings" if root == ROOT else "config.settings",
            **(env or {}),
        }
        self.env = environment
        if root == ROOT:
            copy_prepared(folder, with_database="DATABASE_URL" not in environment)
        super().__init__(
            [*before, *MANAGE, command, "--port", str(self.port)],
            folder / f"{command}-{self.port}.log",
            env=environment,
            **({} if root == ROOT else {"cwd": root}),
        )

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait(self) -> "Site":
        def ready() -> bool:
            self.must_run()
            if not listens(self.port):
                return False
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=5) as answer:
                    return bool(answer.status == 200)
            except (urllib.error.URLError, OSError):
                return False

        until(ready, f"{self.url} ready", pause=0.05)
        return self

    def manage(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run a management command of the site until it ends."""
        if self.root == ROOT:
            return nursery.run(["manage.py", *arguments], {**self.env, **env})
        return subprocess.run(
            [*MANAGE, *arguments],
            cwd=self.root,
            env={**self.env, **env},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )


def copy_prepared(folder: Path, with_database: bool) -> None:
    """Copy the collected static files and a migrated database, if they are missing.

    The server then does not need to create them.
    """
    made = prepared("site", migrated(ROOT))
    if made is None:
        return
    if not (folder / "static").exists():
        shutil.copytree(made / "static", folder / "static", copy_function=_linked)
        shutil.copyfile(made / "static.stamp", folder / "static.stamp")
    own = folder / "site.sqlite3"
    if with_database and not own.exists():
        shutil.copyfile(made / "site.sqlite3", own)
        own.chmod(0o600)


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another disk
        shutil.copyfile(source, target)


@contextlib.contextmanager
def run_with_more_files(folder: Path, files: dict[str, str]) -> Iterator[Site]:
    """Run a copy of the project with more files and no line changed."""
    copy, data = folder / "project", folder / "data"
    for part in ("manage.py", "pyproject.toml", "config", "games", "lobby", "templates", "static"):
        source = ROOT / part
        if source.is_dir():
            # Its bytecode too, and the times of the files. A process that compiles a module has a
            # temporary file for a moment.
            shutil.copytree(source, copy / part, ignore=shutil.ignore_patterns("*.pyc.*"))
        else:
            copy.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy / part)
    for name, text in files.items():
        (copy / name).write_text(text)
    data.mkdir()
    copy_prepared(data, with_database=False)  # a new database gets the games that come with it
    site = Site(data, root=copy)
    try:
        yield site.wait()
    finally:
        site.stop()


@contextlib.contextmanager
def servers(env: dict[str, str], *folders: Path, may_fail: bool = False) -> Iterator[list[Site]]:
    """Run a server of one site for each folder, until the context ends.

    Assert at the end that no log has a traceback, unless the servers may fail.
    """
    found: list[Site] = []
    try:
        for folder in folders:
            found.append(Site(folder, env).wait())
        yield found
        for site in () if may_fail else found:
            site.must_be_calm()
    finally:
        for site in found:
            site.stop()


class SharedSites:
    """Running sites, one for each combination of settings that the tests of this process use.

    A site starts when a module requests it. Therefore tests find the players and matches of other
    modules on the site, and must check only their own. A site that no module used for some time
    stops, because a server that only waits takes as much work in that time as another start.
    """

    _KEPT = 10.0  # seconds

    def __init__(self, make_folder: Callable[[str], Path]) -> None:
        self._make_folder = make_folder
        self._running: dict[frozenset[tuple[str, str]], list[Site]] = {}
        self._unused_since: dict[frozenset[tuple[str, str]], float] = {}

    @contextlib.contextmanager
    def lend(self, start: Callable[[], list[Site]], key: dict[str, str]) -> Iterator[list[Site]]:
        """Yield the servers with this key. If none run, `start()` starts them."""
        name = frozenset(key.items())
        if name not in self._running:
            self._running[name] = start()
        self._unused_since.pop(name, None)
        found = self._running[name]
        for site in found:
            site.wait()
            site.calm_from = len(site.output())
        yield found
        Socket.close_all()
        self._unused_since[name] = time.monotonic()

    def start(self, env: dict[str, str]) -> Site:
        """Start a site that is not shared."""
        return Site(self._make_folder("site"), env)

    def stop_unused(self) -> None:
        """Stop the sites that no module used for some time."""
        now = time.monotonic()
        for name, since in list(self._unused_since.items()):
            if now - since > self._KEPT:
                del self._unused_since[name]
                for site in self._running.pop(name):
                    site.stop()

    def stop(self) -> None:
        for site in chain.from_iterable(self._running.values()):
            site.stop()


class Person:
    """A visitor with cookies, like a browser. Alice and Bob play, Charlie watches."""

    def __init__(self, site: Place) -> None:
        self.site = site
        self.cookies = http.cookiejar.CookieJar()
        self.headers: dict[str, str] = {}  # headers of every request
        self._http = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies),
            urllib.request.HTTPSHandler(context=site.tls),
        )

    def at(self, site: Place) -> "Person":
        """Return the same person, with the same cookies, at another server of the site."""
        other = Person(site)
        for cookie in self.cookies:
            other.cookies.set_cookie(cookie)
        return other

    def get(self, path: str) -> tuple[int, str]:
        try:
            with self._http.open(f"{self.site.url}{path}", timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")

    def raw(self, path: str) -> tuple[int, str | None]:
        """Return the status and the redirect target of a page, without following redirects."""
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=PATIENCE)
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
        """Post with the CSRF token, like the site's scripts. Return the status and last URL."""
        status, where, _ = self._post(path, data, token)
        return status, where

    def form(self, path: str, data: bytes) -> tuple[int, str]:
        """Post with the CSRF token, like the site's scripts. Return the status and the page."""
        status, _, page = self._post(path, data, None)
        return status, page

    def _post(self, path: str, data: bytes, token: str | None) -> tuple[int, str, str]:
        if self.token() is None:
            self.get("/accounts/login/")  # a light page with a form
        request = urllib.request.Request(f"{self.site.url}{path}", data=data, method="POST")
        request.add_header("X-CSRFToken", token or self.token() or "")
        request.add_header("Origin", self.site.url)
        try:
            with self._http.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.url, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.url or "", error.read().decode(errors="replace")

    def be_guest(self) -> "Person":
        status, _ = self.post("/guest/")
        assert status == 204, status
        return self

    def log_in(self, name: str, password: str, wanted: str = "/") -> "Person":
        """Log in to an account. Staff use the second factor of `tests.builders`."""
        form = urllib.parse.urlencode({"login": name, "password": password, "next": wanted})
        _, url = self.post("/accounts/login/", form.encode())
        for steps in (-1, 0, 1):  # each code is accepted only once
            if not url.endswith("/2fa/authenticate/"):
                break
            _, url = self.post("/accounts/2fa/authenticate/", f"code={get_code(steps)}".encode())
        assert url == f"{self.site.url}{wanted}", url
        return self

    def socket(self, path: str, origin: str | None = "same") -> "Socket":
        manager = connect(
            self.site.socket_url(path),
            ssl=self.site.tls,
            origin=self.site.url if origin == "same" else origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookie_header(), **self.headers},
            compression=None,
            open_timeout=PATIENCE,
            max_size=2**20,
            max_queue=None,  # otherwise, it answers no pings while many frames are unread
            ping_interval=None,
        )
        return Socket(manager.__enter__())

    def lobby(self) -> "Socket":
        return self.socket("/ws/lobby/")

    def match(self, match_id: str) -> "Socket":
        return self.socket(f"/ws/match/{match_id}/")

    def token(self) -> str | None:
        """Return the CSRF token from the place where the site's scripts find it."""
        return self._jar().get("__Host-csrftoken") or self._jar().get("csrftoken")

    def _jar(self) -> dict[str, str]:
        return {cookie.name: str(cookie.value) for cookie in self.cookies}

    def cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self._jar().items())


class Socket:
    """The client's end of one of the site's sockets."""

    _open: ClassVar[set["Socket"]] = set()

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.state: dict[str, Any] = {}
        self._last: dict[str, dict[str, Any]] = {}  # the last frame of each type
        self._open.add(self)

    @classmethod
    def close_all(cls) -> None:
        """Close the sockets that tests left open, so that their players leave the lobby."""
        for left in list(cls._open):
            left.close()

    def send(self, type_: str, **more: Any) -> None:
        self.connection.send(json.dumps({"type": type_, **more}))

    def frame(self, patience: float = PATIENCE) -> dict[str, Any]:
        """Return the next frame, of any type."""
        found: dict[str, Any] = json.loads(self.connection.recv(timeout=patience))
        if found["type"] == "state":
            self.state = found
        self._last[found["type"]] = found
        return found

    def next(
        self,
        type_: str,
        where: Callable[[dict[str, Any]], Any] = lambda frame: True,
        patience: float = PATIENCE,
    ) -> dict[str, Any]:
        """Return the next frame of that type for which `where` is true, and skip all others."""
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
        """Return the state after at least that many actions."""
        if self.state.get("ply", -1) >= ply:
            return self.state
        return self.next("state", lambda state: state["ply"] >= ply)

    def see(
        self, type_: str, where: Callable[[dict[str, Any]], Any], patience: float = PATIENCE
    ) -> dict[str, Any]:
        """Return the last frame of that type if `where` is true for it, or the next such frame.

        A frame may arrive before the answer to the message that caused it.
        """
        last = self._last.get(type_)
        return last if last and where(last) else self.next(type_, where, patience)

    def play(self, action: str) -> dict[str, Any]:
        """Send an action for the last known ply, and wait until it is played."""
        ply = self.state["ply"]
        self.send("play", ply=ply, action=action)
        return self.ply(ply + 1)

    def refused(self, code: str) -> dict[str, Any]:
        """Expect an error with that code. Return it and the state that follows it."""
        error = self.next("error")
        assert error["code"] == code, error
        assert error["detail"], error
        return error

    def close(self) -> None:
        self._open.discard(self)
        self.connection.close()

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()


def pair(
    alice: Person, bob: Person, game: str, clock: str | None = None
) -> tuple[str, dict[str, Person]]:
    """Let two people meet in the lobby. Return the match's id and the person in each role."""
    with alice.lobby() as a, bob.lobby() as b:
        a.send("seek", game=game, clock=clock)
        a.next("seeking")
        b.send("seek", game=game, clock=clock)
        at_b, at_a = b.next("paired"), a.next("paired")
    assert at_a["match"] == at_b["match"]
    return at_a["match"], {at_a["role"]: alice, at_b["role"]: bob}


def sit(alice: Person, bob: Person, game: str) -> tuple[str, dict[str, Socket]]:
    """Start a match. Return its id and the match socket of each role, after its first state."""
    match_id, roles = pair(alice, bob, game)
    sockets = {role: person.match(match_id) for role, person in roles.items()}
    for end in sockets.values():
        end.next("state")
    return match_id, sockets
