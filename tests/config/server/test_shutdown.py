"""A server ends after SIGTERM even if its pages and threads are still waiting."""

import asyncio
import http.client
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from config.server.connections import Connections
from config.server.daphne_server import SiteServer
from config.server.page_handler import PageHandler
from games.runtime.db import Unavailable
from tests.builders.commands import run_program
from tests.builders.ports import free_port
from tests.builders.sites import PATIENCE, Person, Site, until

SCOPE = {"type": "http", "path": "/", "client": ["127.0.0.1", 1]}
ENDED_IN = 12.0  # seconds: less than the 15 that clients have to leave, even on a busy machine


async def _whole_body() -> dict[str, Any]:
    return {"type": "http.request", "body": b""}


async def _ignore(message: Any) -> None:
    pass


def server_with(pages: PageHandler) -> SiteServer:
    """Create a server that serves these pages, and does not listen."""
    server = SiteServer.__new__(SiteServer)
    server._pages, server.tcp = pages, Connections(10, 0)
    return server


def test_a_page_that_waits_for_the_event_loop_fails_when_the_time_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcome: list[str] = []

    async def main() -> None:
        waiting, pages = asyncio.Event(), PageHandler()

        async def wait_forever() -> None:
            waiting.set()
            await asyncio.Event().wait()

        def make(scope: Any, body: Any) -> Any:
            try:
                async_to_sync(wait_forever)()
            except asyncio.CancelledError:
                outcome.append("failed")
                raise

        monkeypatch.setattr(pages, "_made", make)
        page = asyncio.ensure_future(pages(SCOPE, _whole_body, _ignore))
        await waiting.wait()
        page.cancel()  # as when its client disconnects: the thread continues
        assert pages.are_being_made
        bystander = asyncio.ensure_future(asyncio.sleep(0.01, "untouched"))
        await server_with(pages)._end_pages(time.monotonic())
        assert not pages.are_being_made
        assert await bystander == "untouched"

    asyncio.run(asyncio.wait_for(main(), 10))
    assert outcome == ["failed"]


def test_a_page_that_needs_a_moment_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome: list[str] = []

    async def main() -> None:
        began, may_end, pages = threading.Event(), threading.Event(), PageHandler()

        def make(scope: Any, body: Any) -> Any:
            began.set()
            may_end.wait(10)
            async_to_sync(asyncio.sleep)(0)  # the event loop still serves it
            outcome.append("made")

        monkeypatch.setattr(pages, "_made", make)
        page = asyncio.ensure_future(pages(SCOPE, _whole_body, _ignore))
        await asyncio.to_thread(began.wait, 10)
        page.cancel()
        ending = asyncio.ensure_future(server_with(pages)._end_pages(time.monotonic() + 10))
        await asyncio.sleep(0)
        assert not ending.done()
        may_end.set()
        await ending

    asyncio.run(asyncio.wait_for(main(), 20))
    assert outcome == ["made"]


def test_no_page_is_begun_once_the_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    pages = PageHandler()
    monkeypatch.setattr(pages, "_made", lambda *_: pytest.fail("a page was made"))
    pages.close()
    asyncio.run(pages(SCOPE, _whole_body, send))
    assert sent[0]["status"] == 503
    # This one was already waiting for a thread.
    with pytest.raises(Unavailable):
        pages._make(SCOPE, None)


def test_a_process_ends_although_a_thread_of_it_never_does() -> None:
    done = run_program(
        "import threading\n"
        "from games.runtime.tasks import exit_within\n"
        "def never_ending(): threading.Event().wait()\n"
        "threading.Thread(target=never_ending).start()\n"
        "exit_within(0.2)\n"
    )
    assert done.returncode == 1
    assert "never_ending" in done.stderr, "it says what it was waiting for"


SERVE = """
import os, signal
import django
django.setup()
from config.processes import run_server
from daphne.server import reactor

async def beside():
    {beside}

{first}
run_server("127.0.0.1", {port}, lambda: print("ready"), beside)
print("ended")
"""


def test_commands_that_serve_run_on_the_sites_own_reactor() -> None:
    program = """
import django
django.setup()
from config.management.commands import listen, serve
from config.server import daphne_server
from twisted.internet import reactor
print(type(reactor).__module__)
"""
    assert run_program(program).stdout == "config.server.reactor\n"


@pytest.mark.parametrize("phase", ["before", "during", "after"])
def test_a_signal_while_the_server_starts_is_not_lost(phase: str, tmp_path: Path) -> None:
    interrupt = f"reactor.addSystemEventTrigger('{phase}', 'startup', os.kill, os.getpid(), {{}})"
    program = SERVE.format(
        beside="pass", first=interrupt.format(signal.SIGINT.value), port=free_port()
    )
    done = run_program(program, DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "ready\nended\n"), done.stderr


def test_a_server_ends_if_its_background_tasks_cannot_start(tmp_path: Path) -> None:
    program = SERVE.format(beside="raise LookupError('why')", first="", port=free_port())
    done = run_program(program, DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "ready\n")
    assert "start failed" in done.stderr + done.stdout and "why" in done.stderr


class Visitor:
    """A guest who creates invitations, and accepts those of another, on their own connection."""

    def __init__(self, site: Site) -> None:
        person = Person(site).be_guest()
        self._connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
        self._headers = {
            "Cookie": person.cookie_header(),
            "X-CSRFToken": person.token() or "",
            "Origin": site.url,
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def post(self, path: str, form: str = "") -> str:
        """Send a form. Return the address that the response redirects to.

        Raise an error if the server refuses further requests because it is shutting down.
        """
        self._connection.request("POST", path, form, self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status == 503 and b"This server is restarting" in text:
            raise ConnectionError("the server is shutting down")
        return answer.getheader("Location") or ""


def test_it_ends_soon_while_pages_are_asked_for(tmp_path: Path) -> None:
    env = {"SECRET_KEY": "k" * 50}
    Site(tmp_path, env).wait().stop()  # it creates the tables
    site = Site(tmp_path, env, command="listen").wait()
    accepted: list[str] = []

    def invite_and_accept() -> None:
        try:
            alice, bob = Visitor(site), Visitor(site)
            while True:
                accepted.append(bob.post(f"{alice.post('/seek/', 'game=tic-tac-toe')}accept/"))
        except (OSError, http.client.HTTPException):
            pass  # the server has ended

    clients = [threading.Thread(target=invite_and_accept, daemon=True) for _ in range(8)]
    try:
        for client in clients:
            client.start()
        until(lambda: len(accepted) > 20, "invitations accepted")
        began = time.monotonic()
        site.process.send_signal(signal.SIGTERM)
        assert site.process.wait(60) == 0
        assert time.monotonic() - began < ENDED_IN
        assert all(where.startswith("/match/") for where in accepted), set(accepted)
        for client in clients:
            client.join(10)
    finally:
        site.stop(signal.SIGKILL)
    site.must_be_calm()
