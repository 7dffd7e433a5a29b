"""The pages for hosts, run as they are written on a machine of their own."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.builders.hosts import Upstream, version_page
from tests.builders.machines import ADDRESS, Machine
from tests.builders.production import DEPLOY, changed
from tests.builders.sites import ROOT, until

README = (DEPLOY / "README.md").read_text()
HOME = "/home/teacher/parlour"
SCHOOL_SITE = f"http://{ADDRESS}:8000"
PUBLIC_SITE = "https://play.example.org"
PRESENT = "--resolve play.example.org:80:127.0.0.1 --resolve play.example.org:443:127.0.0.1 -k"

NAMES = (
    "import sqlite3, sys; "
    'print(*sqlite3.connect(sys.argv[1]).execute("SELECT username FROM lobby_player"))'
)


def read_blocks(part: str) -> dict[str, str]:
    """Return the blocks of commands in one part of the page, by the bold words before each."""
    (text,) = re.findall(rf"^## {part}$(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    blocks: dict[str, str] = {}
    name = ""
    for bold, block in re.findall(r"^\*\*(.+?)\.?\*\*|((?:^    .*\n)+)", text, re.MULTILINE):
        if bold:
            name = bold
        else:
            assert name not in blocks, f"two blocks under {name}"
            blocks[name] = re.sub(r"^    ", "", block, flags=re.MULTILINE)
    return blocks


SCHOOL = read_blocks("A school, one machine")
PUBLIC = read_blocks("A public site, several servers")
CONTAINERS = read_blocks("Containers")
NOT_RUN = {
    ("PUBLIC", ""): "a drawing",
    ("CONTAINERS", ""): "needs Docker; test_production.py starts what is in compose.yaml",
}


class Host(NamedTuple):
    """A machine whose owner follows a part of the page, and the repository that it pulls from."""

    machine: Machine
    upstream: Upstream
    printed: str
    """What the last block of the fixture printed."""

    def teach(self, block: str, given: str = "") -> str:
        """Run a block in the school's folder, as the teacher."""
        return self.machine.must_run(block, "teacher", given, HOME)

    def manage(self, block: str, given: str = "") -> str:
        """Run a block in the folder of the public site, as root."""
        return self.machine.must_run(block, given=given, folder="/srv/parlour")


def set_up(folder: Path) -> tuple[Machine, Upstream]:
    upstream = Upstream(folder / "upstream")
    return Machine(folder, upstream.folder), upstream


def test_every_block_is_run_here_or_has_a_reason() -> None:
    everything = re.findall(r"(?:^    .*\n)+", README, re.MULTILINE)
    parts = {"SCHOOL": SCHOOL, "PUBLIC": PUBLIC, "CONTAINERS": CONTAINERS}
    assert len(everything) == sum(map(len, parts.values()))
    source = Path(__file__).read_text()
    named = {(part, name) for part, blocks in parts.items() for name in blocks}
    assert {place for place in named if '{}["{}"]'.format(*place) not in source} == NOT_RUN.keys()


# A school, one machine. Each fixture goes on where the one before it ends.


@pytest.fixture(scope="module")
def tried_school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    machine, upstream = set_up(tmp_path_factory.mktemp("school"))
    try:
        block = SCHOOL["Install"].replace("<this repository>", "file:///upstream")
        printed = machine.run_until(block, "█", user="teacher", folder="/home/teacher")
        yield Host(machine, upstream, printed)
    finally:
        machine.stop()


@pytest.fixture(scope="module")
def school(tried_school: Host) -> Host:
    # The processes of the computer, which the page's first lines have started, are needed no more.
    tried_school.machine.must_run("echo BOT_PROCESSES=0 > /etc/parlour.env")
    return tried_school._replace(printed=tried_school.teach(SCHOOL["Start at boot"]))


def test_a_school_tries_the_site_out(tried_school: Host) -> None:
    assert "Ready: open http://localhost:8000/" in tried_school.printed
    assert f"Others in your network open {SCHOOL_SITE}/" in tried_school.printed


def test_the_site_of_a_school_starts_at_boot(school: Host) -> None:
    assert f"{SCHOOL_SITE}/" in school.printed
    assert "█" in school.printed
    machine = school.machine
    assert machine.fetch(f"{SCHOOL_SITE}/healthz") == '{"process": "ok"}'
    assert machine.must_run(f"find {HOME}/.data ! -user teacher") == ""
    unit = machine.must_run("cat /etc/systemd/system/parlour-serve.service")
    assert "User=teacher" in unit
    assert "enable parlour-serve.service parlour-backup.timer" in machine.must_run(
        "cat /run/systemctl/said"
    )


def test_a_school_has_staff_and_teachers(school: Host) -> None:
    assert "second factor" in school.teach(SCHOOL["You"], "a long password\n")
    sign_up(school.machine, "Ms Lovelace", SCHOOL_SITE)
    assert "/groups/" in school.teach(SCHOOL["Teachers"])


def test_a_school_backs_up_by_night_and_by_hand(school: Host) -> None:
    machine = school.machine
    machine.must_run("systemctl start parlour-backup.service")  # as its timer does
    folder = f"{HOME}/.data/backups"
    former = " ".join(f"2020-01-{day:02}-030000.backup" for day in range(1, 15))
    school.teach(f"cd {folder} && touch --date=2020-01-01 {former} mine.backup")
    assert "Deleted 2 older" in school.teach(SCHOOL["Back up"])
    assert machine.must_run(f"ls {folder} | grep -c '^2'").strip() == "14"
    assert "mine.backup" in machine.must_run(f"ls {folder}")


def test_a_school_updates(school: Host) -> None:
    machine = school.machine
    before = machine.fetch(f"{SCHOOL_SITE}/nowhere/")
    school.upstream.commit(version_page("Newer "))
    updated = school.teach(SCHOOL["Update"])
    assert "Restarting parlour-serve.service" in updated
    assert "Newer" not in before
    assert "Newer" in machine.fetch(f"{SCHOOL_SITE}/nowhere/")


def test_a_school_restores_a_backup(school: Host) -> None:
    machine = school.machine
    sign_up(machine, "In Time", SCHOOL_SITE)
    school.teach(SCHOOL["Back up"])
    sign_up(machine, "Too Late", SCHOOL_SITE)
    newest = machine.must_run(f"ls {HOME}/.data/backups | grep '^2' | tail -n 1").strip()
    block = changed(SCHOOL["Restore"], {"2026-01-31-030000.backup": newest})
    assert "Restored" in school.teach(block)
    names = machine.must_run(f"python3 -c '{NAMES}' {HOME}/.data/site.sqlite3")
    assert "In Time" in names
    assert "Too Late" not in names


def test_a_school_has_https(school: Host) -> None:
    machine = school.machine
    school.teach(SCHOOL["With https"])
    try:
        unit = machine.must_run("cat /etc/systemd/system/parlour-serve.service")
        assert "--host 127.0.0.1" in unit
        refused = machine.run(f"curl -sS {SCHOOL_SITE}/")
        assert refused.returncode == 7, "only Caddy reaches the server"
        look = f"curl -sS {PRESENT} http://play.example.org/"
        until(lambda: machine.run(look).returncode == 0, "Caddy")
        assert redirect(machine) == f"{PUBLIC_SITE}/x"
        # Nobody issues certificates here: let Caddy sign its own, and look through it.
        machine.must_run(
            "printf '{\\n\\tlocal_certs\\n\\tskip_install_trust\\n}\\n' > /tmp/c\n"
            "cat /etc/caddy/Caddyfile >> /tmp/c\ncp /tmp/c /etc/caddy/Caddyfile\n"
            "systemctl reload caddy"
        )
        look = f"curl -sS {PRESENT} {PUBLIC_SITE}/"
        until(lambda: machine.run(look).returncode == 0, "https")
        page = machine.must_run(
            f"{look} -i -H 'X-Forwarded-Host: evil.example' -H 'Daphne-Root-Path: /evil'"
        )
        assert "__Host-csrftoken" in page
        assert "evil" not in page
        assert machine.must_run(f"{look}metrics -o /dev/null -w '%{{http_code}}'") == "404"
    finally:  # the other tests of the school look at it without Caddy
        machine.must_run("echo BOT_PROCESSES=0 > /etc/parlour.env")
        school.teach(SCHOOL["Start at boot"])


def redirect(machine: Machine) -> str:
    options = (PRESENT, "-o /dev/null", "-w '%{redirect_url}'")
    return machine.fetch("http://play.example.org/x", *options)


def sign_up(machine: Machine, name: str, url: str) -> None:
    machine.must_run(
        f"rm -f /tmp/jar\ncurl -sS -c /tmp/jar -o /tmp/page {url}/accounts/signup/\n"
        "token=$(sed -n 's/.*csrftoken\\t//p' /tmp/jar)\n"
        f"curl -sS -b /tmp/jar -c /tmp/jar -o /tmp/page -H 'Origin: {url}' "
        f"-H \"X-CSRFToken: $token\" --data-urlencode 'username={name}' "
        f"-d 'password1=a long password' {url}/accounts/signup/\n"
        "grep -q sessionid /tmp/jar"
    )


# A public site, several servers.


@pytest.fixture(scope="module")
def installed_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    machine, upstream = set_up(tmp_path_factory.mktemp("public"))
    try:
        block = PUBLIC["Install"].replace("<this repository>", "file:///upstream")
        # The school makes such an environment, and its updates run pip. Here pip does nothing.
        install = "python3 -m venv .venv && .venv/bin/pip install -r requirements.lock\n"
        assert install in SCHOOL["Install"]
        without = (
            "python3 -m venv --without-pip .venv\n"
            "(cd .venv/lib/python*/site-packages && mkdir pip && cd pip && "
            "touch __init__.py __main__.py)\n"
        )
        machine.must_run(changed(block, {install: without}), folder="/root")
        host = Host(machine, upstream, "")
        host.manage(PUBLIC["The database and the environment"])
        machine.must_run("echo BOT_PROCESSES=1 >> /etc/parlour.env")
        yield host
    finally:
        machine.stop()


@pytest.fixture(scope="module")
def public_site(installed_site: Host) -> Host:
    environment = PUBLIC["The database and the environment"]
    (name,) = re.findall(r"^name=.*\n", environment, re.MULTILINE)  # which the shell still knows
    installed_site.manage(PUBLIC["The processes"])
    installed_site.manage(name + PUBLIC["The certificate"])
    installed_site.manage(name + PUBLIC["nginx"])
    # They make the other tests slow. `tests.config.test_service` has them in an update.
    installed_site.manage("systemctl stop parlour-referee parlour-bots")
    return installed_site


def test_a_public_site_has_secrets_of_its_own(installed_site: Host) -> None:
    env = installed_site.machine.must_run("stat -c '%a %G' /etc/parlour.env; cat /etc/parlour.env")
    assert env.startswith("640 parlour\n")
    assert re.search(r"^SECRET_KEY=.{50,}$", env, re.MULTILINE)
    assert re.search(r"^DATABASE_URL=postgres://parlour:[0-9a-f]{40}@127", env, re.MULTILINE)


def test_a_public_site_is_reached_through_nginx(public_site: Host) -> None:
    machine = public_site.machine
    assert "/seek/" in machine.fetch(f"{PUBLIC_SITE}/", PRESENT)
    # Renewal: certbot's answer is still found although the site has taken over.
    machine.must_run("certbot certonly --webroot -w /var/www/html -d play.example.org")
    assert redirect(machine) == f"{PUBLIC_SITE}/x"


*COMMANDS, UPDATE = PUBLIC["Commands"].splitlines()


def test_a_public_site_has_staff_and_backups(public_site: Host) -> None:
    told = public_site.manage("\n".join(COMMANDS), "a long password\n")
    assert "second factor" in told
    assert "Backed up to /var/lib/parlour/backups/" in told
    assert public_site.machine.must_run("find /var/lib/parlour ! -user parlour") == ""


def test_a_public_site_updates(public_site: Host) -> None:
    machine = public_site.machine
    public_site.upstream.commit({**version_page("Newer "), "config/newer.py": ""})
    compiled = "ls /srv/parlour/config/__pycache__"  # the site's user cannot write there
    assert "wiring." in machine.must_run(compiled)
    told = public_site.manage(UPDATE)
    assert "Backed up to /var/lib/parlour/backups/" in told
    services = re.findall(r"Restarting (\S+)\.service", told)
    assert services == ["parlour-migrate", "parlour@8001", "parlour@8002"]
    assert "Newer" in machine.fetch(f"{PUBLIC_SITE}/nowhere/", PRESENT)
    assert "newer." in machine.must_run(compiled)
    assert machine.must_run("find /srv/parlour -user parlour") == ""
    assert machine.must_run("find /var/lib/parlour ! -user parlour") == ""


def test_a_public_site_is_restored(public_site: Host) -> None:
    public_site.manage("parlour-manage backup")
    file = public_site.manage("ls /var/lib/parlour/backups | tail -n 1").strip()
    block = changed(PUBLIC["Restore"], {"2026-01-31-030000.backup": file})
    try:
        assert "Restored" in public_site.manage(block)
    finally:  # without the services that no test looks at
        public_site.manage("systemctl start parlour-migrate parlour@8001 parlour@8002")


def test_files_and_units_that_the_page_names_exist() -> None:
    for path in re.findall(r"config/deploy/[\w./-]*\w", README):
        if path != "config/deploy/certificates":
            assert (ROOT / path).exists(), path
    commands = " ".join(PUBLIC.values())
    names = set(re.findall(r"\bparlour(?:@|-\w+)", commands)) - {"parlour-manage"}
    assert len(names) >= 5
    for name in names:
        assert list((DEPLOY / "systemd").glob(f"{name}.*")), name


def test_caddy_clears_the_same_headers_as_nginx() -> None:
    nginx = (DEPLOY / "nginx" / "parlour.conf").read_text()
    cleared = re.findall(r'proxy_set_header (\S+) "";', nginx)
    assert len(cleared) >= 7
    caddy = (DEPLOY / "Caddyfile").read_text()
    assert set(re.findall(r"header_up -(\S+)", caddy)) == set(cleared)
    for name in ("X-Forwarded-For", "X-Forwarded-Proto"):
        assert f"header_up {name} {{" in caddy
