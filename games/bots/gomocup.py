"""A client that lets a program with the Gomocup protocol (a "brain") play Six in a Row as a bot.

A brain reads and writes moves on a pipe (https://plastovicka.github.io/protocl2en.htm).

    TOKEN=prl_… python gomocup.py https://play.example.org ./pbrain-yours

The client needs only the standard library, and runs on the computer of the brain's owner. It
accepts challenges to Six in a Row and declines others. It sends the whole board before each move
(BOARD), so the brain needs no memory and can be restarted at any time. The client plays random
moves in the site's opening, which the protocol does not have, and then the brain plays its colour.
The brain must know the rule: exactly six in a line, with both ends free, wins.
"""

import json
import os
import random
import subprocess  # nosec B404  # the client starts the brain
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

GAME, SIDE = "six-in-a-row", 15
PATIENCE = 20  # seconds until a request, or a stream without any line, times out
OWN, OTHER = 1, 2  # the protocol's codes for the owner of a stone


class Brain:
    """The program on the other end of the pipe."""

    def __init__(self, command: Sequence[str]) -> None:
        self._program = subprocess.Popen(  # noqa: S603  # nosec B603  # the brain's owner chooses the command
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._lock = threading.Lock()  # games share the brain, which handles one board at a time
        self._say(f"START {SIDE}")
        if self._hear().upper() != "OK":
            raise ValueError("The brain does not take a board of this size.")

    def move(self, stones: Sequence[tuple[int, int, int]], left_ms: int) -> tuple[int, int]:
        """Return the cell for the next stone, counted from (0, 0). `stones` are (x, y, owner)."""
        with self._lock:
            self._say(f"INFO time_left {left_ms}")
            self._say(f"INFO timeout_turn {min(5000, left_ms // 20)}")
            self._say("BOARD")
            for x, y, whose in stones:
                self._say(f"{x},{y},{whose}")
            self._say("DONE")
            column, _, row = self._hear().partition(",")
            return int(column), int(row)

    def _say(self, line: str) -> None:
        assert self._program.stdin is not None
        self._program.stdin.write(line + "\n")
        self._program.stdin.flush()

    def _hear(self) -> str:
        """Return the brain's next answer, skipping remarks. Raise `EOFError` if it has exited."""
        assert self._program.stdout is not None
        for line in self._program.stdout:
            if line.strip() and not line.upper().startswith(("DEBUG", "MESSAGE", "UNKNOWN")):
                return line.strip()
        raise EOFError("The brain has ended.")


class BrainAccount:
    """The account that the brain plays under."""

    def __init__(self, site: str, token: str, brain: Brain) -> None:
        self._site, self._token, self._brain = site, token, brain

    def run(self) -> None:
        """Play until the program is stopped."""
        self.ask("POST", "/api/bot/account/upgrade")
        me = json.load(self.ask("GET", "/api/account"))["id"]
        for event in self.lines("/api/stream/event", again=True):
            if event["type"] == "challenge" and event["challenge"]["direction"] == "in":
                asked = event["challenge"]
                answer = "accept" if asked["variant"]["key"] == GAME else "decline"
                self.ask("POST", f"/api/challenge/{asked['id']}/{answer}")
            elif event["type"] == "gameStart":
                game = event["game"]["id"]
                threading.Thread(target=self.play, args=[game, me], daemon=True).start()

    def play(self, game: str, me: str) -> None:
        """Play one game to its end."""
        mine = ""
        for line in self.lines(f"/api/bot/game/stream/{game}", again=False):
            if line["type"] == "gameFull":
                mine = "white" if line["white"]["id"] == me else "black"
            state = line.get("state", line)
            if state.get("type") != "gameState" or state["status"] != "started":
                continue
            legal = json.load(self.ask("GET", f"/api/bot/game/{game}/legal"))
            if legal["color"] == mine and legal["ply"] == state["ply"]:
                left = state["wtime" if mine == "white" else "btime"]
                try:
                    action = self.choose(state["notation"], mine, legal["actions"], left)
                except (EOFError, OSError, ValueError) as error:
                    self.ask("POST", f"/api/bot/game/{game}/resign")
                    print("The brain failed:", error, file=sys.stderr)  # noqa: T201  # a command
                    os._exit(1)
                self.ask("POST", f"/api/bot/game/{game}/move/{quote(action)}?ply={legal['ply']}")

    def choose(self, notation: str, mine: str, actions: Sequence[str], left_ms: int) -> str:
        """Return the brain's move, or a random one in the opening or if the move is illegal."""
        stones = stones_of(notation, mine)
        if stones is not None:
            x, y = self._brain.move(stones, left_ms)
            if f"place {x + 1} {y + 1}" in actions:
                return f"place {x + 1} {y + 1}"
            print("The brain wants what is not legal:", x, y, file=sys.stderr)  # noqa: T201  # a command
        return random.choice(actions)  # noqa: S311  # nosec B311  # not for secrets

    def ask(self, method: str, path: str) -> Any:
        """Send a request and return its response. Repeat it if the server is busy (429 or 503).

        Print errors. If a request other than a GET fails, return None. Raise `HTTPError` if a GET
        fails.
        """
        headers = {"Authorization": f"Bearer {self._token}"}
        request = Request(self._site + path, method=method, headers=headers)  # noqa: S310  # the owner chooses the site
        try:
            return urlopen(request, timeout=PATIENCE)  # noqa: S310  # nosec B310  # the owner chooses the site
        except HTTPError as error:
            print(method, path, error.read().decode(), file=sys.stderr)  # noqa: T201  # a command
            if error.code in (429, 503):
                time.sleep(int(error.headers["Retry-After"]))
                return self.ask(method, path)
            if method == "GET":
                raise
            return None

    def lines(self, path: str, again: bool) -> Iterator[dict[str, Any]]:
        """Yield the parsed lines of a stream. Reconnect after an error.

        If `again` is true, also reconnect when the stream ends.
        """
        while True:
            try:
                with self.ask("GET", path) as answer:
                    yield from (json.loads(line) for line in answer if line.strip())
                if not again:
                    return
            except OSError:
                pass
            time.sleep(1)


def stones_of(notation: str, mine: str) -> list[tuple[int, int, int]] | None:
    """Return the stones of a position for the protocol, as (x, y, owner) counted from (0, 0).

    Return None before the colours are settled. A notation has the black and the white stones, as
    hexadecimal bits with 16 bits per row, and the seat that has black: "1" is the first (`white` in
    the API), "2" the second, and "-" means that the colours are not settled.
    """
    black, white, seat = notation.split("/")
    if seat == "-":
        return None
    own_is_black = (seat == "1") == (mine == "white")
    own, other = (black, white) if own_is_black else (white, black)
    return [
        (bit % 16, bit // 16, whose)
        for bits, whose in ((int(own, 16), OWN), (int(other, 16), OTHER))
        for bit in range(16 * SIDE)
        if bits >> bit & 1
    ]


if __name__ == "__main__":
    BrainAccount(sys.argv[1], os.environ["TOKEN"], Brain(sys.argv[2:])).run()
