"""The pages for hosts, run as they are written on a machine of their own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.hosts import Upstream
from tests.builders.machines import ADDRESS, Machine
from tests.builders.production import DEPLOY, changed
from tests.builders.sites import ROOT, until

README = (DEPLOY / "README.md").read_text()
HOME = "/home/teacher/parlour"

# Blocks that no test runs, by their first word, with the reason.
NOT_RUN = {
    "browsers": "a drawing",
    "SECRET_KEY=…": "needs Docker; test_production.py starts what is in compose.yaml",
}
NAMES = (
    "import sqlite3, sys; "
    'print(*sqlite3.connect(sys.argv[1]).execute("SELECT username FROM lobby_player"))'
)
PARTS = ("A school, one machine", "A public site, several servers", "Containers")


def read_blocks(part: str) -> list[str]:
    """Return the blocks of commands in one part of the page."""
    (text,) = re.findall(rf"^## {part}$(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    found = re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in found]


SCHOOL, PUBLIC, CONTAINERS = (
    [block for block in read_blocks(part) if block.split()[0] not in NOT_RUN] for part in PARTS
)


@pytest.fixture
def upstream(tmp_path: Path) -> Upstream:
    return Upstream(tmp_path / "upstream")


@pytest.fixture
def machine(tmp_path: Path, upstream: Upstream) -> Iterator[Machine]:
    machine = Machine(tmp_path, upstream.folder)
    yield machine
    machine.stop()


def take(blocks: list[str], word: str) -> str:
    """Remove the next block, which must contain the word, and return it."""
    block = blocks.pop(0)
    assert word in block, block
    return block.replace("<this repository>", "file:///upstream")


def test_every_block_is_run_here_or_has_a_reason() -> None:
    everything = re.findall(r"(?:^    .*\n)+", README, re.MULTILINE)
    listed = [block for part in PARTS for block in read_blocks(part)]
    assert len(everything) == len(listed)
    assert CONTAINERS == []
    for word in NOT_RUN:
        assert [block for block in listed if block.split()[0] == word], f"{word} is gone"


def test_a_school_follows_the_page_to_its_end(machine: Machine, upstream: Upstream) -> None:
    blocks = list(SCHOOL)

    def run(block: str, given: str = "") -> str:
        return machine.must_run(block, "teacher", given, HOME)

    tried = machine.run_until(
        take(blocks, "git clone"), "█", user="teacher", folder="/home/teacher"
    )
    assert "Ready: open http://localhost:8000/" in tried
    assert f"Others in your network open http://{ADDRESS}:8000/" in tried
    told = run(take(blocks, "install_service"))
    assert f"http://{ADDRESS}:8000/" in told
    assert "█" in told
    assert machine.fetch(f"http://{ADDRESS}:8000/healthz") == '{"process": "ok"}'
    assert machine.must_run(f"find {HOME}/.data ! -user teacher") == ""
    unit = machine.must_run("cat /etc/systemd/system/parlour-serve.service")
    assert "User=teacher" in unit
    assert "enable parlour-serve.service parlour-backup.timer" in machine.must_run(
        "cat /run/systemctl/said"
    )

    assert "second factor" in run(take(blocks, "create_staff"), "a long password\n")
    sign_up(machine, "Ms Lovelace", f"http://{ADDRESS}:8000")
    assert "/groups/" in run(take(blocks, "make_organiser"))

    machine.must_run("systemctl start parlour-backup.service")  # as its timer does
    folder = f"{HOME}/.data/backups"
    former = " ".join(f"2020-01-{day:02}-030000.backup" for day in range(1, 15))
    run(f"cd {folder} && touch --date=2020-01-01 {former} mine.backup")
    assert "Deleted 2 older" in run(take(blocks, "backup --keep 14"))
    assert machine.must_run(f"ls {folder} | grep -c '^2'").strip() == "14"
    assert "mine.backup" in machine.must_run(f"ls {folder}")

    # The bot processes, which the page's first lines have started, are needed no more.
    machine.must_run("echo BOT_PROCESSES=0 > /etc/parlour.env")
    page = (ROOT / "templates" / "404.html").read_text()
    upstream.commit(
        {"templates/404.html": page.replace("{% block title %}", "{% block title %}Newer ")}
    )
    before = machine.fetch(f"http://{ADDRESS}:8000/nowhere/")
    updated = run(take(blocks, "manage.py update"))
    assert "Restarting parlour-serve.service" in updated
    assert "Newer" not in before
    assert "Newer" in machine.fetch(f"http://{ADDRESS}:8000/nowhere/")

    sign_up(machine, "Too Late", f"http://{ADDRESS}:8000")
    newest = machine.must_run(f"ls {HOME}/.data/backups | grep '^2' | tail -n 1").strip()
    restore = take(blocks, "manage.py restore")
    assert "Restored" in run(restore.replace("2026-01-31-030000.backup", newest))
    names = machine.must_run(f"python3 -c '{NAMES}' {HOME}/.data/site.sqlite3")
    assert "Ms Lovelace" in names
    assert "Too Late" not in names

    run(take(blocks, "caddy"))
    assert blocks == []
    assert "--host 127.0.0.1" in machine.must_run("cat /etc/systemd/system/parlour-serve.service")
    refused = machine.run(f"curl -sS http://{ADDRESS}:8000/")
    assert refused.returncode == 7, "only Caddy reaches the server"
    name = "--resolve play.example.org:80:127.0.0.1 --resolve play.example.org:443:127.0.0.1"
    until(lambda: machine.run(f"curl -sS {name} http://play.example.org/").returncode == 0, "Caddy")
    moved = machine.fetch("http://play.example.org/x", name, "-o /dev/null -w '%{redirect_url}'")
    assert moved == "https://play.example.org/x"
    # Nobody issues certificates here: let Caddy sign its own, and look through it.
    machine.must_run(
        "printf '{\\n\\tlocal_certs\\n\\tskip_install_trust\\n}\\n' > /tmp/c\n"
        "cat /etc/caddy/Caddyfile >> /tmp/c\ncp /tmp/c /etc/caddy/Caddyfile\n"
        "systemctl reload caddy"
    )
    look = f"curl -sSk {name} https://play.example.org/"
    until(lambda: machine.run(look).returncode == 0, "https")
    page = machine.must_run(
        f"{look} -i -H 'X-Forwarded-Host: evil.example' -H 'Daphne-Root-Path: /evil'"
    )
    assert "__Host-csrftoken" in page
    assert "evil" not in page
    assert machine.must_run(f"{look}metrics -o /dev/null -w '%{{http_code}}'") == "404"


def sign_up(machine: Machine, name: str, url: str) -> None:
    machine.must_run(
        f"rm -f /tmp/jar\ncurl -sS -c /tmp/jar -o /tmp/page {url}/accounts/signup/\n"
        "token=$(sed -n 's/.*csrftoken\\t//p' /tmp/jar)\n"
        f"curl -sS -b /tmp/jar -c /tmp/jar -o /tmp/page -H 'Origin: {url}' "
        f"-H \"X-CSRFToken: $token\" --data-urlencode 'username={name}' "
        f"-d 'password1=a long password' {url}/accounts/signup/\n"
        "grep -q sessionid /tmp/jar"
    )


def test_a_public_site_follows_the_page_to_its_end(machine: Machine, upstream: Upstream) -> None:
    blocks = list(PUBLIC)
    folder = "/root"
    values = ""  # what the shell of somebody who types all blocks would still know
    for word in ("git clone", "createdb", "parlour-backup.timer", "certbot", "nginx -t"):
        block = take(blocks, word)
        if word == "git clone":  # the school makes such an environment, with a pip of its own
            install = "python3 -m venv .venv && .venv/bin/pip install -r requirements.lock\n"
            assert install in SCHOOL[0]
            block = changed(block, {install: "python3 -m venv --without-pip .venv\n"})
        machine.must_run(values + block, folder=folder)
        if word == "createdb":
            machine.must_run("echo BOT_PROCESSES=1 >> /etc/parlour.env")
        values += "".join(f"{line}\n" for line in block.splitlines() if line.startswith("name="))
        folder = "/srv/parlour"
    name = "--resolve play.example.org:80:127.0.0.1 --resolve play.example.org:443:127.0.0.1 -k"
    page = machine.fetch("https://play.example.org/", name)
    assert "/seek/" in page
    env = machine.must_run("stat -c '%a %G' /etc/parlour.env; cat /etc/parlour.env")
    assert env.startswith("640 parlour\n")
    assert re.search(r"^SECRET_KEY=.{50,}$", env, re.MULTILINE)
    assert re.search(r"^DATABASE_URL=postgres://parlour:[0-9a-f]{40}@127", env, re.MULTILINE)
    # Renewal: certbot's answer is still found although the site has taken over.
    machine.must_run("certbot certonly --webroot -w /var/www/html -d play.example.org")
    moved = machine.fetch("http://play.example.org/x", name, "-o /dev/null -w '%{redirect_url}'")
    assert moved == "https://play.example.org/x"

    page = (ROOT / "templates" / "404.html").read_text()
    title = "{% block title %}"
    upstream.commit(
        {"templates/404.html": page.replace(title, f"{title}Newer "), "config/newer.py": ""}
    )
    compiled = "ls /srv/parlour/config/__pycache__"  # the site's user cannot write there
    assert "wiring." in machine.must_run(compiled)
    told = machine.must_run(take(blocks, "parlour-manage update"), given="a long password\n")
    assert "second factor" in told
    assert "Backed up to /var/lib/parlour/backups/" in told
    services = re.findall(r"Restarting (\S+)\.service", told)
    assert services == [
        "parlour-migrate",
        "parlour-referee",
        "parlour-bots",
        "parlour@8001",
        "parlour@8002",
    ]
    assert "Newer" in machine.fetch("https://play.example.org/nowhere/", name)
    assert "newer." in machine.must_run(compiled)
    assert machine.must_run("find /srv/parlour -user parlour") == ""
    assert machine.must_run("find /var/lib/parlour ! -user parlour") == ""

    file = machine.must_run("ls /var/lib/parlour/backups | tail -n 1").strip()
    restore = take(blocks, "parlour-manage restore").replace("2026-01-31-030000.backup", file)
    assert "Restored" in machine.must_run(restore)
    assert blocks == []


def test_files_and_units_that_the_page_names_exist() -> None:
    for path in re.findall(r"config/deploy/[\w./-]*\w", README):
        if path != "config/deploy/certificates":
            assert (ROOT / path).exists(), path
    names = set(re.findall(r"\bparlour(?:@|-\w+)", " ".join(PUBLIC))) - {"parlour-manage"}
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
