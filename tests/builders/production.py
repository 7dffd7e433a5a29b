"""The site as in `config/deploy`: nginx, several servers, a referee, PostgreSQL and Redis.

It runs the real programs from the files that administrators copy. Only ports, paths and names
differ.
"""

import contextlib
import os
import re
import signal
import socket
import ssl
import sys
import urllib.request
from pathlib import Path
from types import TracebackType

import trustme

from tests.builders import nursery
from tests.builders.databases import Postgres, Redis
from tests.builders.ports import free_port, listens
from tests.builders.sites import ROOT, Place, Program, until

DEPLOY = ROOT / "config" / "deploy"


class Unit:
    """A unit file, and the commands that systemd would run for it."""

    def __init__(self, name: str, instance: str = "", **ports: int) -> None:
        self.path = DEPLOY / "systemd" / name
        self._instance = instance
        self.settings: dict[str, list[str]] = {}
        for line in self.path.read_text().splitlines():
            if "=" in line and not line.startswith("#"):
                key, value = line.split("=", 1)
                for option, port in ports.items():
                    value = re.sub(rf"--{option}-port \d+", f"--{option}-port {port}", value)
                self.settings.setdefault(key, []).append(value.replace("%i", instance))

    def one(self, key: str) -> str:
        (value,) = self.settings[key]
        return value

    @property
    def _umask(self) -> int:
        return int(self.one("UMask"), 8)

    def commands(self) -> list[list[str]]:
        """Return the commands of ExecStart, with this checkout and this Python."""
        found = []
        for line in self.settings["ExecStart"]:
            python, *arguments = line.split()
            assert python == "/srv/parlour/.venv/bin/python", line
            found.append([sys.executable, *arguments])
        return found

    def run(self, env: dict[str, str]) -> None:
        """Run a oneshot unit: run each command until it ends."""
        assert self.one("Type") == "oneshot"
        for command in self.commands():
            done = nursery.run(command[1:], env, self._umask)
            assert done.returncode == 0, done.stdout + done.stderr

    def start(self, env: dict[str, str], folder: Path) -> Program:
        """Start a service. With Type=notify, wait until it reports that it is ready."""
        (command,) = self.commands()
        name = f"{self.path.name.split('.')[0]}{self._instance}"
        if self.settings.get("Type") != ["notify"]:
            return Program(command, folder / f"{name}.log", env=env, umask=self._umask)
        place = folder / f"{name}.notify"
        place.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(place))
            manager.settimeout(0.1)
            program = Program(
                command,
                folder / f"{name}.log",
                env={**env, "NOTIFY_SOCKET": str(place)},
                umask=self._umask,
            )

            def said() -> bool:
                program.must_run()
                with contextlib.suppress(TimeoutError):
                    return manager.recv(100) == b"READY=1"
                return False

            until(said, f"{name} ready")
        return program


class Server:
    """A server behind nginx."""

    def __init__(self, env: dict[str, str], folder: Path) -> None:
        self.port = free_port()
        self.env, self._folder = env, folder
        self.start()

    def start(self) -> None:
        self.program = Unit("parlour@.service", str(self.port)).start(self.env, self._folder)

    @property
    def pid(self) -> int:
        return self.program.process.pid

    def kill(self) -> None:
        self.program.stop(signal.SIGKILL)

    def stop(self) -> None:
        self.program.stop(signal.SIGTERM)

    def ready(self) -> tuple[int, str]:
        """Return the server's own response to /readyz."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/readyz", timeout=10
            ) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def output(self) -> str:
        return self.program.output()


class Production(Place):
    """The whole installation on free ports of this machine. Clients connect to nginx by HTTPS."""

    def __init__(
        self, folder: Path, servers: int = 2, redis_url: str = "", empty: bool = False, **env: str
    ) -> None:
        self.folder = folder
        for name in ("pg", "redis", "data"):
            (folder / name).mkdir()
        self.postgres = Postgres(folder / "pg", empty=empty)
        self.redis = Redis(folder / "redis")
        self.port, self.http_port, self.referee_port = free_port(), free_port(), free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.env = {
            **{k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG", "PYTHONPATH"}},
            **self._environment_file(),
            "ALLOWED_ORIGINS": self.url,
            "SECRET_KEY": "production " * 5,
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": redis_url or self.redis.url,
            "DATA_DIR": str(folder / "data"),
            "METRICS_TOKEN": "metrics " * 4,
            **env,
        }
        self.servers: list[Server] = []
        self.others: list[Program] = []
        try:
            Unit("parlour-migrate.service").run(self.env)
            for _ in range(servers):
                self.servers.append(Server(self.env, folder))
            referee = Unit("parlour-referee.service", metrics=self.referee_port)
            self.others.append(referee.start(self.env, folder))
            self._start_nginx()
        except BaseException:
            self.stop()
            raise

    @staticmethod
    def _environment_file() -> dict[str, str]:
        lines = (DEPLOY / "parlour.env").read_text().splitlines()
        pairs = [line.split("=", 1) for line in lines if line and not line.startswith("#")]
        return dict(pairs)  # type: ignore[arg-type]

    def _start_nginx(self) -> None:
        authority = trustme.CA()
        pair = authority.issue_cert("127.0.0.1", "localhost")
        pair.private_key_pem.write_to_path(str(self.folder / "privkey.pem"))
        for blob in pair.cert_chain_pems:
            blob.write_to_path(str(self.folder / "fullchain.pem"), append=True)
        self.tls = ssl.create_default_context()
        # The clients read and write on two threads. With TLS 1.3 this sometimes blocks one of
        # them, because Python before 3.13 does not lock such a connection.
        self.tls.maximum_version = ssl.TLSVersion.TLSv1_2
        authority.configure_trust(self.tls)
        site = changed(
            (DEPLOY / "nginx" / "parlour.conf").read_text(),
            {
                "listen 80;": f"listen 127.0.0.1:{self.http_port};",
                "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
                "play.example.org": "127.0.0.1 localhost",
                "/etc/nginx/certificates/": f"{self.folder}/",
                "/var/lib/parlour/": f"{self.folder}/data/",
            },
        )
        upstream = (DEPLOY / "nginx" / "upstream.conf").read_text()
        line = re.compile(r"^ *server 127\.0\.0\.1:8001 .*\n", re.M).findall(upstream)[0]
        upstream = re.sub(r"^ *server .*\n", "", upstream, flags=re.M).replace(
            "    keepalive",
            "".join(line.replace("8001", str(server.port)) for server in self.servers)
            + "    keepalive",
        )
        (self.folder / "conf.d").mkdir()
        (self.folder / "conf.d" / "parlour.conf").write_text(site)
        (self.folder / "conf.d" / "upstream.conf").write_text(upstream)
        temporary = "".join(
            f"{name}_temp_path {self.folder}/{name};\n" for name in ("client_body", "proxy")
        )
        whole = changed(
            (DEPLOY / "nginx" / "nginx.conf").read_text(),
            {
                "user www-data;": f"user {'root' if os.geteuid() == 0 else 'nobody'};",
                "/run/nginx.pid": f"{self.folder}/nginx.pid",
                "/var/log/nginx/": f"{self.folder}/nginx-",
                "/etc/nginx/conf.d/": f"{self.folder}/conf.d/",
                "/etc/nginx/sites-enabled/": f"{self.folder}/sites-enabled/",
                "http {\n": f"http {{\n{temporary}",
            },
        )
        (self.folder / "nginx.conf").write_text(whole)
        nginx = Program(
            ["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"),
             "-g", "daemon off;"],
            self.folder / "nginx.log",
        )  # fmt: skip
        self.others.append(nginx)
        until(lambda: listens(self.port), f"nginx: {nginx.output()}")

    def logs(self) -> str:
        """Return the logs of the site's own processes."""
        return "".join(
            program.output() for program in [*(s.program for s in self.servers), *self.others]
        )

    def stop(self) -> None:
        for program in [*self.others, *(server.program for server in self.servers)]:
            program.stop()
        self.redis.kill()
        self.postgres.stop()

    def __enter__(self) -> "Production":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def changed(text: str, by: dict[str, str]) -> str:
    """Return the text with each of these strings replaced; each must occur."""
    for old, new in by.items():
        assert old in text, f"{old!r} is not in the file"
        text = text.replace(old, new)
    return text


def thought_at(port: int) -> int:
    """Return the number of finished turns from the metrics of the bot process at this port."""
    found = re.findall(r"^parlour_thought_seconds_count\{.*\} (\d+)", figures_at(port), re.M)
    return sum(map(int, found))


def turns_at(port: int) -> int:
    """Return the number of turns in progress."""
    found = re.search(r"^parlour_turns (\d+)", figures_at(port), re.M)
    return int(found[1]) if found else 0


def figures_at(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return str(answer.read().decode())
