"""Delays during a drill for two people who play and one who opens pages and sockets."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from websockets.exceptions import WebSocketException

from games.rules import GAMES
from tests.builders.sites import Person, Place, pair

_GAME = "six-in-a-row"
_LEAST = 40  # actions, however slow the machine
_PAUSE = 0.07  # seconds between two actions, so that neither player is too fast for the site


@dataclass
class Felt:
    """Seconds until actions reach the opponent, pages load, and new sockets get a frame."""

    moves: list[float] = field(default_factory=list)
    openings: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{len(self.moves)} actions, p99 {1000 * p99(self.moves):.1f} ms; "
            f"{len(self.pages)} pages, p99 {1000 * p99(self.pages):.1f} ms; "
            f"{len(self.openings)} new sockets, p99 {1000 * p99(self.openings):.1f} ms"
        )


def p99(seconds: list[float]) -> float:
    """Return the value that one in a hundred exceeds."""
    found = sorted(seconds)
    return found[min(len(found) - 1, int(0.99 * len(found)))] if found else float("inf")


def ratios(calm: Felt, hard: Felt) -> str:
    """Return how many times longer the others waited, as text."""
    return ", ".join(
        f"p99 of {what} {p99(getattr(hard, what)) / p99(getattr(calm, what)):.2f} times a calm run"
        for what in ("moves", "pages", "openings")
    )


class Beside:
    """Two people who play and a third who reads pages, from 127.0.0.1."""

    def __init__(self, site: Place, path: str = "/") -> None:
        self._people = [Person(site).be_guest() for _ in range(3)]
        self._path = path
        self._chance = random.Random(1)
        self._begin_match()

    def feel(self, seconds: float, is_over: Callable[[], bool] = lambda: True) -> Felt:
        """Go on for `seconds` and until `is_over()`. A failure ends it and is reported."""
        felt, ended = Felt(), threading.Event()
        reading = threading.Thread(target=self._read, args=(felt, ended))
        reading.start()
        try:
            until = time.monotonic() + seconds
            while time.monotonic() < until or not is_over() or len(felt.moves) < _LEAST:
                self._act(felt)
                ended.wait(_PAUSE)
        except (WebSocketException, AssertionError) as error:
            felt.wrong.append(f"an action: {error}")
        finally:
            ended.set()
            reading.join()
        return felt

    def close(self) -> None:
        for socket in self._sockets.values():
            socket.close()

    def _begin_match(self) -> None:
        match_id, roles = pair(*self._people[:2], _GAME)
        self._sockets = {role: person.match(match_id) for role, person in roles.items()}
        for socket in self._sockets.values():
            socket.next("state")
        self._position = GAMES[_GAME].start

    def _act(self, felt: Felt) -> None:
        role = self._position.turn
        if role is None:
            self.close()
            self._begin_match()
            return
        action = self._chance.choice(self._position.legal())
        mine = self._sockets[role]
        (other,) = (socket for name, socket in self._sockets.items() if name != role)
        ply = mine.state["ply"]
        began = time.monotonic()
        mine.send("play", ply=ply, action=action)
        other.ply(ply + 1)
        felt.moves.append(time.monotonic() - began)
        mine.ply(ply + 1)
        self._position = self._position.play(action)

    def _read(self, felt: Felt, ended: threading.Event) -> None:
        while not ended.is_set():
            began = time.monotonic()
            try:
                status, _ = self._people[2].get(self._path)
                if status != 200:
                    felt.wrong.append(f"a page was {status}")
                felt.pages.append(time.monotonic() - began)
                began = time.monotonic()
                with self._people[2].lobby() as lobby:
                    lobby.next("lobby")
                felt.openings.append(time.monotonic() - began)
            except (
                OSError,
                WebSocketException,
                AssertionError,
            ) as error:  # no answer, or a wrong one
                felt.wrong.append(f"a page or a socket: {error!r}")
            ended.wait(0.05)
