"""A Debian machine for one test: this machine's files in a chroot that keeps what is changed.

Its Python is that of the tests. It has a network, processes and users of its own. `systemctl`,
`apt` and `certbot` are small programs that do what they would do on a machine with systemd and the
internet; everything else, from `sudo` to PostgreSQL, is the real program. Needs root.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.builders.sites import ROOT, until

ADDRESS = "192.168.7.20"  # of the machine in its own local network
_BUILDERS = ROOT / "tests" / "builders"
_AS_ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]

# Debian's packages start their programs when they are installed.
_APT = r"""
[ "$1" = install ] || { echo "apt $1: not known here" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "apt: are you root?" >&2; exit 1; }
shift
for package in "$@"; do
    [ "$package" = certbot ] && continue
    dpkg-query --show "$package" >/dev/null || exit 1
    case "$package" in
        postgresql) version=$(ls /usr/lib/postgresql | tail -n 1)
            pg_createcluster "$version" main >/dev/null && pg_ctlcluster "$version" main start ;;
        redis-server) redis-server --daemonize yes --save "" --dir /tmp >/dev/null ;;
        nginx) nginx ;;
    esac
done
"""

# Like Let's Encrypt, it fetches a file by the name before it issues a certificate.
_CERTBOT = r"""
[ "$1 $2 $3 $5" = "certonly --webroot -w -d" ] || { echo "certbot: what?" >&2; exit 1; }
root=$4 name=$6
mkdir -p "$root/.well-known/acme-challenge"
echo "proof of $name" > "$root/.well-known/acme-challenge/token"
found=$(curl -sf --resolve "$name:80:127.0.0.1" "http://$name/.well-known/acme-challenge/token")
[ "$found" = "proof of $name" ] || { echo "certbot: $name is not served here" >&2; exit 1; }
mkdir -p "/etc/letsencrypt/live/$name" && cd "/etc/letsencrypt/live/$name"
openssl req -x509 -newkey rsa:2048 -nodes -days 9 -subj "/CN=$name" \
    -addext "subjectAltName=DNS:$name" -keyout privkey.pem -out fullchain.pem 2>/dev/null
"""

# Services that are not of the site.
_SYSTEMCTL = r"""
case "$*" in
    "reload nginx") exec nginx -s reload ;;
    "reload caddy") pkill -x caddy
        setsid caddy run --config /etc/caddy/Caddyfile >/var/log/caddy.log 2>&1 </dev/null &
        exit 0 ;;
    *) exec /usr/bin/python3 /tests/systemctl.py /run/systemctl /etc/systemd/system "$@" ;;
esac
"""

# The packages of the tests are those that pip would install. A new virtual environment still gets
# a pip of its own.
_SITECUSTOMIZE = """
import sys
if not any("ensurepip" in word or "run_module" in word for word in sys.orig_argv):
    sys.path.append("/packages")
"""

_PREPARE = r"""
set -eu
place=$1 upstream=$2 packages=$3 builders=$4
mount -t tmpfs tmpfs "$place"
mkdir "$place/upper" "$place/work" "$place/root"
root=$place/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
for path in run tmp home var/lib/postgresql etc/postgresql var/log/postgresql etc/letsencrypt; do
    mkdir -p "$root/$path"
    mount -t tmpfs -o mode=755 tmpfs "$root/$path"
done
chmod 1777 "$root/tmp"
mkdir -p "$root/run/lock" "$root/run/postgresql" "$root/var/www/html" "$root/etc/caddy"
chown postgres "$root/run/postgresql" "$root/var/log/postgresql" "$root/var/lib/postgresql"
chown postgres "$root/etc/postgresql"
for pair in "$upstream:/upstream" "$packages:/packages" "$builders:/tests"; do
    mkdir -p "$root${pair#*:}"
    mount --bind "${pair%%:*}" "$root${pair#*:}"
done
ip link set lo up
ip link add school type veth peer name cable
ip addr add ADDRESS/24 dev school
ip link set school up
ip link set cable up
ip route add default dev school
echo ready
exec sleep infinity
""".replace("ADDRESS", ADDRESS)


class Machine:
    """A running machine; `stop` ends all its processes and forgets its files."""

    def __init__(self, folder: Path, upstream: Path) -> None:
        self.folder = folder
        place = folder / "machine"
        place.mkdir()
        command = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child",
                   "sh", "-c", _PREPARE, "prepare", place, upstream,
                   sysconfig.get_path("purelib"), _BUILDERS]  # fmt: skip
        self._init = subprocess.Popen(
            [*_AS_ROOT, *map(str, command)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert self._init.stdout is not None
        first = self._init.stdout.readline()
        assert first == "ready\n", f"{first}{self._init.stdout.read()}"
        self._root = f"{place}/root"
        (child,) = (
            Path(f"/proc/{self._init.pid}/task/{self._init.pid}/children").read_text().split()
        )
        self._enter = [*_AS_ROOT, "nsenter", f"--target={child}", "--mount", "--pid", "--net",
                       "chroot", self._root]  # fmt: skip
        self._set_up()

    def _set_up(self) -> None:
        script = ""
        for path, text in {
            "/usr/local/bin/apt": f"#!/bin/sh\n{_APT}",
            "/usr/local/bin/certbot": f"#!/bin/sh\nset -eu\n{_CERTBOT}",
            "/usr/local/bin/systemctl": f"#!/bin/sh\n{_SYSTEMCTL}",
            "/etc/pip.conf": "[global]\nno-index = true\nroot-user-action = ignore\n",
            "/etc/gitconfig": "[safe]\n\tdirectory = *\n[advice]\n\tdetachedHead = false\n",
            "/etc/sudoers.d/teacher": "teacher ALL=(ALL) NOPASSWD: ALL\n",
            f"{sysconfig.get_path('stdlib')}/sitecustomize.py": _SITECUSTOMIZE,
        }.items():
            mode = "755" if "/bin/" in path else "644"
            script += f"rm -f {path}; cat > {path} <<'EOF'\n{text}\nEOF\nchmod {mode} {path}\n"
        parents = [sys.base_prefix, *map(str, Path(sys.base_prefix).parents)]
        script += f"chmod o+rx {' '.join(parents)}\n"
        self.must_run(f"{script}useradd --create-home --shell /bin/sh teacher")

    def run(
        self, script: str, user: str = "root", given: str = "", folder: str = "/"
    ) -> subprocess.CompletedProcess[str]:
        """Run a script of the shell until it ends, or its first line that fails."""
        return subprocess.run(
            self._command(script, user, folder), input=given, capture_output=True, text=True,
            check=False, timeout=400,
        )  # fmt: skip

    def must_run(self, script: str, user: str = "root", given: str = "", folder: str = "/") -> str:
        done = self.run(script, user, given, folder)
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}{self.logs()}"
        return done.stdout

    def run_until(self, script: str, text: str, user: str, folder: str) -> str:
        """Run a script that does not end until it prints the text; then press Ctrl+C."""
        log = self.folder / "output"
        with log.open("w") as output:
            program = subprocess.Popen(
                self._command(script, user, folder), stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            until(lambda: text in log.read_text() or program.poll() is not None, text)
        found = log.read_text()
        assert program.poll() is None, found
        os.killpg(program.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            program.wait(120)
        assert program.poll() is not None, f"still running: {found}"
        return found

    def logs(self) -> str:
        """Return what the services wrote."""
        return self.run("tail -n 30 /run/systemctl/*.log 2>/dev/null; true").stdout

    def fetch(self, url: str, *options: str) -> str:
        """Return what curl prints for the address."""
        return self.must_run(f"curl -sS {' '.join(options)} '{url}'")

    def _command(self, script: str, user: str, folder: str) -> list[str]:
        local = "/usr/local/sbin:/usr/local/bin"  # the small programs, before those of Debian
        path = f"{local}:{sys.base_prefix}/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        home = "/root" if user == "root" else f"/home/{user}"
        clean = ["env", "-i", f"PATH={path}", f"HOME={home}", "LANG=C.UTF-8", f"USER={user}"]
        change = [] if user == "root" else ["runuser", "-u", user, "--"]
        inner = f"cd {folder}\n{script}"
        return [*self._enter, *clean, *change, "sh", "-ec", inner]

    def stop(self) -> None:
        self._init.kill() if not _AS_ROOT else os.killpg(self._init.pid, signal.SIGTERM)
        self._init.wait(20)
        shutil.rmtree(self.folder / "machine", ignore_errors=True)
