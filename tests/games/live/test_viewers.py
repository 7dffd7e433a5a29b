"""A room shows the same to every viewer: a stream of lines gets what a socket gets."""

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from config.server.websocket import Inbox
from games.journal.batch import journal
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.live.consumer import MatchSocket
from games.live.frames import CLOSE_NO_SUCH
from games.live.protocol import StateFrame
from games.live.room import Room
from games.live.rooms import rooms
from games.match.commands import Play
from games.models import Match
from games.runtime.db import close_db_threads, in_db, in_db_for_people
from games.runtime.tasks import end_loops
from games.store import heartbeat
from games.store.records import read_states
from tests.builders.matches import create_guest_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def unknown() -> Iterator[None]:
    """Forget afterwards what this process learned of the site's heartbeat."""
    heartbeat._known.__dict__.clear()
    yield
    heartbeat._known.__dict__.clear()


@pytest.fixture
def match() -> Match:
    return create_guest_match()


class Received:
    """The frames that a viewer got, and the code with which it was closed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.code: int | None = None
        self._news = asyncio.Event()
        self.task: asyncio.Task[None] | None = None  # of the socket

    def add(self, line: str) -> None:
        self.lines.append(line)
        self._news.set()

    def end(self, code: int) -> None:
        self.code = code
        self._news.set()

    async def wait(self, wanted: Callable[["Received"], bool]) -> None:
        while not wanted(self):
            self._news.clear()
            await self._news.wait()

    async def has(self, **wanted: Any) -> dict[str, Any]:
        """Wait for a frame with these values; gives the first one."""
        await self.wait(lambda received: bool(received._with(wanted)))
        return self._with(wanted)[0]

    def _with(self, wanted: dict[str, Any]) -> list[dict[str, Any]]:
        frames = [json.loads(line) for line in self.lines]
        return [frame for frame in frames if wanted.items() <= frame.items()]


class Lines:
    """A viewer that is no socket: it collects lines, as a stream over HTTP would send them."""

    seats: tuple[int, ...] = ()
    address = ""
    is_counted = True

    def __init__(self, player_id: int | None = None) -> None:
        self.player_id = player_id
        self.received = Received()

    def last_here(self) -> float:
        return time.time()

    def show(self, state: StateFrame) -> None:
        self.received.add(state.for_seats(self.seats).text)

    def send_text(self, text: str) -> None:
        self.received.add(text)

    def close(self, code: int) -> None:
        self.received.end(code)


class Broken(Lines):
    """A viewer that fails."""

    def show(self, state: StateFrame) -> None:
        raise RuntimeError("a viewer's fault")

    def send_text(self, text: str) -> None:
        raise RuntimeError("a viewer's fault")


def open_socket(match: Match) -> Received:
    """The match socket of a watcher; the test takes the place of the server."""
    received, inbox = Received(), Inbox(asyncio.get_running_loop())

    async def send(event: dict[str, Any]) -> None:
        if event["type"] == "websocket.close":
            received.end(event["code"])
            inbox.put_nowait({"type": "websocket.disconnect", "code": event["code"]})

    def write(frame: bytes) -> None:
        received.add(frame[{126: 4, 127: 10}.get(frame[1], 2) :].decode())

    inbox.put_nowait({"type": "websocket.connect"})
    scope = {
        "type": "websocket",
        "headers": [],
        "client": ("127.0.0.1", 1),
        "url_route": {"kwargs": {"match_id": match.pk}},
        "extensions": {"websocket.frame": write, "websocket.inbox": inbox},
    }
    application = MatchSocket.as_asgi()(scope, inbox.get, send)
    received.task = asyncio.get_running_loop().create_task(application)
    return received


async def enter(match: Match, *viewers: Lines) -> Room:
    state = (await in_db(read_states, [match.pk]))[match.pk]
    for viewer in viewers:
        viewer.seats = state.seats_of(() if viewer.player_id is None else (viewer.player_id,))
        room = rooms().enter(state, ("Ann", "Ben"), viewer)
    return room


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def and_end() -> None:
        try:
            async with asyncio.timeout(20):
                await work()
        finally:
            await end_loops()

    try:
        asyncio.run(and_end())
    finally:
        close_db_threads()


def test_another_kind_of_viewer_gets_the_same_states_phrases_and_close(match: Match) -> None:
    async def work() -> None:
        socket = open_socket(match)
        await socket.has(type="state", ply=0)
        viewer = Lines()
        room = await enter(match, viewer)
        for ply, action in enumerate(("mark 1 1", "mark 2 2", "mark 3 3")):
            player = (match.first_id, match.second_id)[ply % 2]
            answer = await journal().ask(Request(match.pk, player, Play(ply, action)))
            assert answer.refused is None
            await viewer.received.has(type="state", ply=ply + 1)
        rooms().say(room, 0, "hello")
        await viewer.received.has(type="phrase", phrase="hello")
        await in_db(damage, match)
        rooms().take((await in_db(read_states, [match.pk])).values())
        for received in (socket, viewer.received):
            await received.wait(lambda received: received.code is not None)
            assert received.code == CLOSE_NO_SUCH
        shared = viewer.received.lines
        assert [line for line in socket.lines if line in shared] == shared

    run(work)


def damage(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(notation="nonsense", version=99)


def test_a_player_at_another_kind_of_viewer_has_a_seat_and_is_here(match: Match) -> None:
    async def work() -> None:
        socket = open_socket(match)
        state = await socket.has(type="state", ply=0)
        assert not state["seats"]["xplayer"]["here"]
        player = Lines(match.first_id)
        room = await enter(match, player)
        await journal().ask(Request(match.pk, match.first_id, Play(0, "mark 1 1")))
        assert (await player.received.has(type="state", ply=1))["you"] == "xplayer"
        assert (await socket.has(type="state", ply=1))["you"] is None
        assert (await socket.has(type="state", ply=1))["seats"]["xplayer"]["here"]
        assert rooms().players() == {match.first_id}
        rooms().leave(room, player)
        assert rooms().players() == set()

    run(work)


def test_a_viewer_that_fails_keeps_no_other_from_being_told(match: Match) -> None:
    async def work() -> None:
        viewers = [Broken(), Lines(), Broken(), Lines(), Broken()]
        room = await enter(match, *viewers)
        await journal().ask(Request(match.pk, match.first_id, Play(0, "mark 1 1")))
        rooms().say(room, 0, "hello")
        for viewer in viewers[1::2]:
            await viewer.received.has(type="state", ply=1)
            await viewer.received.has(type="phrase")

    run(work)


def test_what_another_server_commits_is_shown_while_pairing_is_slow(match: Match) -> None:
    async def work() -> None:
        viewer = Lines()
        await enter(match, viewer)
        shown = threading.Event()
        slow = asyncio.ensure_future(in_db_for_people(shown.wait, 12))
        await asyncio.sleep(1.5)  # the first look at the database has seen nothing
        request = Request(match.pk, match.first_id, Play(0, "mark 1 1"))
        await in_db(commit_requests, [request])  # and no viewer is notified
        await viewer.received.has(type="state", ply=1)
        shown.set()
        assert await slow, "pairing ended first"

    run(work)
