"""A small `systemctl` for machines without a running systemd: it starts, watches and restarts.

It reads the unit files that the site has, with the few settings that matter here. Run as
`python systemctl.py STATE UNITS WORDS…`: STATE is a folder for its notes, UNITS the folder of the
unit files. It imports nothing of the project, so that it also runs in a chroot.
"""

import fnmatch
import json
import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

STATE, UNITS = Path(sys.argv[1]), Path(sys.argv[2])


class Unit:
    """A unit file, and what is noted about it."""

    def __init__(self, name: str) -> None:
        self.name = name if "." in name else f"{name}.service"
        stem, _, rest = self.name.partition("@")
        self.instance = rest.removesuffix(".service")
        path = UNITS / (f"{stem}@.service" if rest else self.name)
        if not path.is_file():
            sys.exit(f"Unit {self.name} not found.")
        self.settings: dict[str, list[str]] = {}
        for line in path.read_text().splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                self.settings.setdefault(key, []).append(value.replace("%i", self.instance))
        self.notes = STATE / f"{self.name}.json"

    def one(self, key: str, default: str = "") -> str:
        return self.settings.get(key, [default])[-1]

    def note(self, **found: object) -> None:
        partial = self.notes.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps({**self.read(), **found}))
        partial.replace(self.notes)

    def read(self) -> dict[str, object]:
        return dict(json.loads(self.notes.read_text())) if self.notes.exists() else {}

    @property
    def state(self) -> str:
        return str(self.read().get("state", "inactive"))

    def environment(self) -> dict[str, str]:
        found = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        for given in self.settings.get("EnvironmentFile", []):
            path = Path(given.removeprefix("-"))
            if not path.exists() and given.startswith("-"):
                continue
            for line in path.read_text().splitlines():
                key, equals, value = line.partition("=")
                if equals and not line.startswith("#"):
                    found[key] = value
        for given in self.settings.get("Environment", []):
            key, _, value = given.strip('"').partition("=")
            found[key] = value
        return found

    def launch(self, command: str, **more: str) -> "subprocess.Popen[bytes]":
        words, user = shlex.split(command), self.one("User", "root")
        if os.geteuid() == 0 and user != "root":
            group = pwd.getpwnam(user).pw_gid
            words = ["setpriv", f"--reuid={user}", f"--regid={group}", "--init-groups", *words]
            if folder := self.one("StateDirectory"):
                place = Path("/var/lib") / folder
                place.mkdir(exist_ok=True)
                place.chmod(int(self.one("StateDirectoryMode", "0755"), 8))
                shutil.chown(place, user, pwd.getpwnam(user).pw_gid)
        with (STATE / f"{self.name}.log").open("ab") as log:
            return subprocess.Popen(
                words,
                cwd=self.one("WorkingDirectory", "/"),
                env={**self.environment(), **more},
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                umask=int(self.one("UMask", "0022"), 8),
                start_new_session=True,
            )

    # -- what one can do with it

    def start(self) -> None:
        """Run a oneshot unit to its end, or begin to start a service: `wait` for it then."""
        if self.state == "active":
            return
        if self.one("Type") == "oneshot":
            for command in self.settings["ExecStart"]:
                if self.launch(command).wait():
                    self.note(state="failed", pid=0)
                    sys.exit(f"Job for {self.name} failed.")
            self.note(state="active" if self.one("RemainAfterExit") else "inactive", pid=0)
            return
        self.note(state="activating", pid=0)
        supervisor = [sys.executable, __file__, str(STATE), str(UNITS), "supervise", self.name]
        subprocess.Popen(supervisor, start_new_session=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip

    def wait(self) -> None:
        """Wait until the service is ready."""
        if self.one("Type") == "oneshot":
            return
        end = time.monotonic() + 120
        while self.state == "activating" and time.monotonic() < end:
            time.sleep(0.05)
        if self.state != "active":
            self.stop()
            self.wait_for_end()
            self.note(state="failed")
            sys.exit(f"Job for {self.name} failed.")

    def stop(self) -> None:
        """Begin to stop the service: `wait_for_end` waits for it."""
        if (supervisor := self.supervisor) and is_running(supervisor):
            os.kill(supervisor, signal.SIGTERM)

    def wait_for_end(self) -> None:
        while (supervisor := self.supervisor) and is_running(supervisor):
            time.sleep(0.05)
        self.note(state="inactive", pid=0, supervisor=0)

    @property
    def supervisor(self) -> int:
        return int(str(self.read().get("supervisor", 0)))

    def supervise(self) -> None:
        """Run the service, and start it again when it ends, until SIGTERM."""
        self.note(supervisor=os.getpid())
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        child = None
        try:
            while True:
                place = f"\0{self.name}-{os.getpid()}"
                with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
                    manager.bind(place)
                    manager.settimeout(0.1)
                    child = self.launch(self.one("ExecStart"), NOTIFY_SOCKET="@" + place[1:])
                    self.note(state="activating", pid=child.pid)
                    while child.poll() is None:
                        if self.one("Type") != "notify":
                            break
                        try:
                            if manager.recv(100) == b"READY=1":
                                break
                        except TimeoutError:
                            pass
                    if child.poll() is None:
                        self.note(state="active")
                    elif self.one("Restart") != "always" or self.read().get("failures", 0):
                        self.note(state="failed", pid=0)
                        return
                    else:
                        self.note(failures=1)
                    if child.wait() == 0 or self.state == "active":
                        self.note(failures=0)
                    self.note(state="activating", pid=0)
                time.sleep(float(self.one("RestartSec", "0.1")))
        finally:
            if child is not None and child.poll() is None:
                child.terminate()
                child.wait(40)


def is_running(pid: int) -> bool:
    """Return whether the process runs; one that has ended may have no parent to say so to."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def main(command: str, words: list[str]) -> None:
    STATE.mkdir(parents=True, exist_ok=True)
    names = [word for word in words if not word.startswith("-")]
    if command in ("start", "stop", "restart", "enable"):
        (STATE / "said").open("a").write(f"{command} {' '.join(words)}\n")
        if command == "stop":
            found = [path.name.removesuffix(".json") for path in STATE.glob("*.json")]
            names = [n for n in found for asked in names if fnmatch.fnmatch(n, f"{asked}*")]
        # As systemd does, stop and start services at the same time, after the oneshot units.
        units = [Unit(name) for name in names]
        if command in ("stop", "restart"):
            for unit in units:
                unit.stop()
            for unit in units:
                unit.wait_for_end()
        if command in ("start", "restart") or (command == "enable" and "--now" in words):
            timers = [unit for unit in units if unit.name.endswith(".timer")]
            for unit in timers:
                unit.note(state="active")
            started = [unit for unit in units if unit not in timers]
            for unit in sorted(started, key=lambda unit: unit.one("Type") != "oneshot"):
                unit.start()
            for unit in started:
                unit.wait()
    elif command == "list-units":
        for path in sorted(STATE.glob("*.json")):
            name = path.name.removesuffix(".json")
            state = Unit(name).state
            if fnmatch.fnmatch(name, names[0]) and state != "inactive":
                print(name, "loaded", state, "running")
    elif command == "show":
        unit = Unit(names[0])
        files = unit.settings.get("EnvironmentFile", [])
        print(f"MainPID={unit.read().get('pid', 0)}\nActiveState={unit.state}")
        print(f"User={unit.one('User')}")
        for file in files:
            print(f"EnvironmentFiles={file.removeprefix('-')} (ignore_errors=no)")
    elif command == "is-active":
        sys.exit(0 if Unit(names[0]).state == "active" else 3)
    elif command == "supervise":
        Unit(names[0]).supervise()
    elif command not in ("daemon-reload", "reload"):
        sys.exit(f"systemctl {command}: not known here")


if __name__ == "__main__":
    main(sys.argv[3], sys.argv[4:])
