"""General game players: one that insists on the protocol, and servers that give bad answers."""

import contextlib
import random
import socket
import threading
from collections.abc import Callable
from http.client import parse_headers
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from games.gdl.checks import read_sheet
from games.gdl.grounding import build_network
from games.gdl.machine import Machine
from tests.builders.gdl_interpreter import Term, parse, write

_HEADERS = {"Content-Type": "text/acl", "Sender": "GAMESERVER", "Receiver": "GAMEPLAYER"}


class _Playing:
    """A match that the player takes part in."""

    def __init__(self, role: str, rules: tuple[Term, ...]) -> None:
        self.network = build_network(read_sheet("\n".join(map(write, rules))))
        self.machine = Machine(self.network)
        self.role = self.network.roles.index(role)
        self.state = self.machine.start
        self.plays = 0

    def list_legal(self, role: int) -> dict[str, int]:
        """Return the legal actions of a role, in KIF, with their numbers."""
        texts = self.network.actions[role]
        legal = self.machine.view(self.state).legal[role]
        return {f"({texts[i]})" if " " in texts[i] else texts[i]: i for i in legal}

    def advance(self, moves: Term) -> None:
        assert isinstance(moves, tuple) and len(moves) == 2, f"not two moves: {moves}"
        assert not self.machine.view(self.state).is_over, "a move after the end"
        chosen = []
        for role in (0, 1):
            legal = self.list_legal(role)
            assert write(moves[role]) in legal, f"{write(moves[role])} is not in {list(legal)}"
            chosen.append(legal[write(moves[role])])
        self.state = self.machine.advance(self.state, (chosen[0], chosen[1]))


class GgpPlayer:
    """A player that plays at random, and notes everything that is against the protocol.

    `choose` replaces its choice: it returns the answer for a list of legal actions.
    """

    def __init__(self, choose: Callable[[list[str]], str] | None = None) -> None:
        self.choose = choose or random.Random(1).choice
        self.status = "available"
        self.faults: list[str] = []
        self.heard: list[str] = []
        self._matches: dict[str, _Playing] = {}
        player = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers["Content-Length"])).decode("ascii")
                try:
                    for name, value in _HEADERS.items():
                        assert self.headers[name] == value, f"{name}: {self.headers[name]}"
                    answer, code = player.receive(text), 200
                except Exception as error:
                    player.faults.append(f"{text[:200]}: {error!r}")
                    answer, code = "error", 400
                with contextlib.suppress(OSError):  # nobody waits for a late answer
                    self.send_response(code)
                    self.send_header("Content-Type", "text/acl")
                    self.send_header("Content-Length", str(len(answer.encode())))
                    self.end_headers()
                    self.wfile.write(answer.encode())

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def receive(self, text: str) -> str:
        """Return the answer to a message. Raise an exception if it is against the protocol."""
        assert "\n" not in text and ";" not in text, "more than one line, or a comment"
        message = parse(text)
        assert isinstance(message, tuple), "not a list"
        self.heard.append(" ".join(write(each) for each in message[:2]))
        match message:
            case ("info",):
                return f"((name strict) (status {self.status}))"
            case ("start", str(name), str(role), tuple(rules), str(start), str(play)):
                assert name not in self._matches, "it has begun before"
                assert int(start) > 0 and int(play) > 0
                self._matches[name] = _Playing(role, rules)
                return "READY"
            case ("play", str(name), moves):
                playing = self._matches[name]
                if playing.plays or moves != "nil":
                    playing.advance(moves)
                assert not playing.machine.view(playing.state).is_over, "PLAY after the end"
                assert playing.plays or moves == "nil", "the first PLAY has moves"
                playing.plays += 1
                return self.choose(list(playing.list_legal(playing.role)))
            case ("stop", str(name), moves):
                playing = self._matches.pop(name)
                playing.advance(moves)
                assert playing.machine.view(playing.state).is_over, "STOP before the end"
                return "done"
            case ("abort", str(name)):
                del self._matches[name]
                return "aborted"
        raise AssertionError("an unknown message")

    def count(self, word: str, match_id: str = "") -> int:
        """Return how many messages of a kind were received, for one match or for all."""
        return sum(
            each.split()[0] == word and each.endswith(match_id.lower()) for each in self.heard
        )

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> "GgpPlayer":
        return self

    def __exit__(self, *args: object) -> None:
        self.stop()


class RawPlayer:
    """A server that leaves each connection, with the message, to a function."""

    def __init__(self, serve: Callable[[socket.socket, str], None]) -> None:
        self._serve = serve
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.requests = 0
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # it was stopped
                return
            self.requests += 1
            with connection:
                try:
                    with connection.makefile("rb") as file:
                        file.readline()
                        length = int(parse_headers(file)["Content-Length"] or 0)
                        self._serve(connection, file.read(length).decode())
                except OSError:  # the client has left
                    pass

    def __enter__(self) -> "RawPlayer":
        return self

    def __exit__(self, *args: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
