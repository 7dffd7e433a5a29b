"""Frames hold no sentences, only codes and parameters; `detail` is the one exception."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from games.messages import Counted, InContext, render_english
from games.messages.table import TABLE
from games.rules import GAMES
from tests.builders.sites import Person, Socket, pair


def sentences() -> list[re.Pattern[str]]:
    """Each sentence as a pattern that matches any parameters."""
    found = []
    for sentence in TABLE.values():
        if isinstance(sentence, Counted):
            forms: tuple[str, ...] = (sentence.one, sentence.many)
        else:
            forms = (sentence.text if isinstance(sentence, InContext) else sentence,)
        for text in forms:
            parts = re.split(r"\{\w+\}", text)
            if any(re.search("[A-Za-z]{3}", part) for part in parts):
                found.append(re.compile(".*".join(map(re.escape, parts)), re.DOTALL))
    return found


SENTENCES = sentences()


def texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a frame with its key; what is no more than a name or a detail is left out."""
    if isinstance(value, str):
        if key not in {"detail", "name", "player", "opponent", "you"}:
            yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from texts(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, key)


def must_be_codes(frame: dict[str, Any]) -> None:
    for key, text in texts(frame):
        said = [pattern.pattern for pattern in SENTENCES if pattern.fullmatch(text)]
        assert not said, (key, text, said)
    if frame["type"] == "error":
        assert frame["detail"] == render_english(frame["words"])


class Reader:
    """Reads a socket's frames, and looks at each."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self.kinds: set[str] = set()

    def until(self, type_: str, **parts: Any) -> dict[str, Any]:
        while True:
            frame = self.socket.frame()
            self.kinds.add(frame["type"])
            must_be_codes(frame)
            if frame["type"] == type_ and all(frame.get(k) == v for k, v in parts.items()):
                return frame

    def has_read(self, *kinds: str) -> None:
        """Return once a frame of each of these kinds has come."""
        for kind in kinds:
            if kind not in self.kinds:
                self.until(kind)


def test_a_sentence_in_a_frame_would_be_found() -> None:
    for words in ("You lost on time", "Sly Fox to move", "Hello!", "picks black"):
        with pytest.raises(AssertionError):
            must_be_codes({"type": "state", "verdict": words})


@pytest.mark.parametrize("slug", list(GAMES))
def test_no_frame_of_a_played_game_holds_a_sentence(
    alice_online: Person, bob_online: Person, charlie_online: Person, slug: str
) -> None:
    match_id, roles = pair(alice_online, bob_online, slug, "5+3")
    readers = {role: Reader(person.match(match_id)) for role, person in roles.items()}
    watcher = Reader(charlie_online.match(match_id))
    everyone = [*readers.values(), watcher]
    try:
        for reader in everyone:
            reader.until("state", ply=0)
        position = GAMES[slug].start
        ply = 0
        while not position.is_over:
            legal = position.legal()
            action = legal[7 * ply % len(legal)]
            mover, other = (
                readers[str(position.turn)],
                readers[next(r for r in roles if r != position.turn)],
            )
            if ply == 1:
                other.socket.send("play", ply=ply, action=action)
                other.until("error", code="not-your-turn")
                mover.socket.send("phrase", phrase="good-luck")
                watcher.until("phrase", phrase="good-luck")
                watcher.socket.send("resign")
                watcher.until("error", code="not-a-player")
                mover.socket.send("ping", t=1)
                mover.until("pong", t=1)
                mover.socket.send("nonsense")
                mover.until("error", code="unknown-type")
            mover.socket.send("play", ply=ply, action=action)
            position = position.play(action)
            ply += 1
            for reader in everyone:
                reader.until("state", ply=ply)
        assert all(reader.socket.state["verdict"]["code"] for reader in everyone)
        one, two = readers.values()
        one.socket.send("resign")
        one.until("error", code="not-live")
        one.socket.send("rematch")
        two.until("state")
        assert {"state", "phrase", "error"} <= watcher.kinds
    finally:
        for reader in everyone:
            reader.socket.close()


def test_no_frame_of_the_lobby_holds_a_sentence(alice_online: Person, bob_online: Person) -> None:
    with (
        alice_online.socket("/ws/lobby/?shows=changes") as a,
        bob_online.socket("/ws/lobby/?shows=own") as b,
    ):
        one, two = Reader(a), Reader(b)
        one.until("lobby")
        a.send("seek", game="six-in-a-row", clock="3+2")
        seek = one.until("seeking")["seek"]
        one.has_read("changes", "own")
        a.send("join", seek=seek)
        one.until("error", code="not-allowed")
        b.send("join", seek=seek[::-1])
        two.until("error", code="taken")
        b.send("join", seek=seek)
        a.send("echo", mark=one.until("there")["mark"])  # as a page does
        two.until("paired")
        one.has_read("lobby", "changes", "own", "seeking", "error", "paired")
