"""A bot that lets a general game player play all games from rule sheets.

The player is an HTTP server that speaks the protocol of general game playing, as the players of its
competitions do: INFO, START, PLAY, STOP and ABORT. This program is its game manager.

TOKEN=prl_… python ggp_bridge.py https://play.example.org http://localhost:9147
"""

import json
import logging
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from socket import SHUT_RDWR
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

PATIENCE = 20  # seconds; a stream has a line at least every six seconds
GRACE = 1  # seconds that an answer of the player may take in addition to its clock
PAUSE = 1  # seconds before a request to the site is repeated
LONGEST_ANSWER = 4096  # bytes
MOST_START, MOST_PLAY = 20, 30  # seconds; together less than the minute for the first action
UNTIMED = (20, 15)
HEADERS = {
    "Accept": "text/delim",
    "Sender": "GAMESERVER",
    "Receiver": "GAMEPLAYER",
    "Content-Type": "text/acl",
    "Connection": "close",
}

log = logging.getLogger("ggp")


class RequestRefused(Exception):  # noqa: N818  # the API's word
    """The site refused a request."""


class NoAnswer(Exception):  # noqa: N818  # it is reported, and the match goes on
    """The player gave no answer that can be read."""


def render_kif(text: str) -> str:
    """Render KIF in one line: in lower case, without comments, and with (noop) as noop."""
    tokens = re.findall(r"[()]|[^\s()]+", re.sub(r";[^\r\n]*", "", text.lower()))
    line = " ".join(tokens).replace("( ", "(").replace(" )", ")")
    return re.sub(r"\(([^\s()]+)\)", r"\1", line)


def choose_clocks(initial: float | None, increment: float = 0) -> tuple[int, int]:
    """Return the startclock and the playclock for a match clock; all times are in seconds.

    The player may use up the playclock twice for each of its actions, because it also thinks while
    it waits. The playclock is 0 if the match is too fast. `initial` is None in an untimed match.
    """
    if initial is None:
        return UNTIMED
    start = min(MOST_START, initial / 6)
    return int(start), int(min(MOST_PLAY, initial / 6, (increment + initial / 40) / 3))


class PlayerServer:
    """The general game player."""

    def __init__(self, url: str) -> None:
        where = urlsplit(url)
        if where.scheme != "http" or not where.hostname:
            raise ValueError("the player's address must begin with http://")
        self._host, self._port, self._path = where.hostname, where.port or 80, where.path or "/"

    def ask(self, message: str, seconds: float) -> str:
        """Return the answer to a message. Raise `NoAnswer` if the player gives none in time."""
        end = time.monotonic() + seconds
        connection = HTTPConnection(self._host, self._port, timeout=seconds)
        guard = threading.Timer(0, lambda: None)
        try:
            connection.connect()
            # The timeout of a socket begins again with each byte, so another thread keeps the time.
            guard = threading.Timer(end - time.monotonic(), _shut, [connection.sock])
            guard.start()
            connection.request("POST", self._path, message.encode("ascii"), HEADERS)
            with connection.getresponse() as answer:
                data, status = answer.read(LONGEST_ANSWER + 1), answer.status
        except (OSError, HTTPException) as error:
            is_late = time.monotonic() >= end
            raise NoAnswer("nothing in time" if is_late else f"nothing: {error!a:.200}") from None
        finally:
            guard.cancel()
            connection.close()
        if time.monotonic() >= end:
            raise NoAnswer("nothing in time")
        if status != 200:
            raise NoAnswer(f"with the status {status}")
        if len(data) > LONGEST_ANSWER:
            raise NoAnswer(f"more than {LONGEST_ANSWER:,} bytes")
        return render_kif(data.decode("ascii", "replace"))

    def choose(self, message: str, seconds: float, allowed: Mapping[str, str]) -> str:
        """Return the value of the action that the player chooses, or else of the first one."""
        try:
            answer = self.ask(message, seconds)
            if answer in allowed:
                return allowed[answer]
            fault = f"{answer:.80}, which is not legal"
        except NoAnswer as error:
            fault = str(error)
        instead, value = next(iter(allowed.items()))
        log.warning("The player answered %a. %s is played instead.", fault, instead)
        return value

    def is_available(self) -> bool:
        """Return whether the player can start a match. Players that know no INFO always can."""
        try:
            answer = self.ask("(INFO)", PATIENCE / 4)
        except NoAnswer as error:
            log.warning("The player answered INFO %a.", str(error))
            return False
        log.info("The player answered INFO %.200a.", answer)
        return answer != "busy" and "(status busy)" not in answer

    def tell(self, message: str, seconds: float) -> str:
        """Send a message. Return the answer, or "" if the player gives none in time."""
        try:
            return self.ask(message, seconds)
        except NoAnswer as error:
            log.warning("The player answered %.20s… %a.", message, str(error))
            return ""


def _shut(sock: Any) -> None:
    with suppress(OSError):  # it is closed already
        sock.shutdown(SHUT_RDWR)


class Site:
    """The API, for the holder of a token."""

    def __init__(self, url: str, token: str) -> None:
        self._url, self._token = url.rstrip("/"), token
        self._sheets: dict[str, str] = {}

    def ask(self, method: str, path: str, **body: str) -> Any:
        """Return the response to a request. Repeat it until the site is there and not busy.

        All requests of this program can be repeated safely. Raise `RequestRefused` if the site
        refuses one.
        """
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = Request(self._url + path, data, headers, method=method)  # noqa: S310  # our own site
        while True:
            wait = 1
            try:
                return urlopen(request, timeout=PATIENCE)  # noqa: S310  # nosec B310  # our own site
            except HTTPError as error:
                if error.code != 429 and error.code < 500:
                    raise RequestRefused(f"{method} {path}: {error.read(1000)!r}") from None
                wait = int(error.headers.get("Retry-After", wait))
            except (OSError, HTTPException):
                pass
            time.sleep(wait)

    def get_json(self, path: str) -> Any:
        return json.loads(self.get_text(path))

    def get_text(self, path: str) -> str:
        while True:
            try:
                with self.ask("GET", path) as answer:
                    return str(answer.read().decode())
            except (OSError, HTTPException):
                time.sleep(PAUSE)

    def follow(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield the lines of a stream. Open it again whenever it ends or breaks."""
        while True:
            try:
                with self.ask("GET", path) as answer:
                    yield from (json.loads(line) for line in answer if line.strip())
            except (OSError, HTTPException, json.JSONDecodeError):
                pass
            time.sleep(PAUSE)

    def get_sheet(self, slug: str) -> str | None:
        """Return the rules of a game for START, or None if it has no rule sheet."""
        if slug not in self._sheets:
            try:
                text = self.get_text(f"/api/games/{slug}/sheet.kif")
            except RequestRefused:
                return None
            log.info("%s has the sheet %s.", slug, sha256(text.encode()).hexdigest())
            self._sheets[slug] = render_kif(text)
        return self._sheets[slug]


class BridgedMatch:
    """One match, from START to STOP or ABORT."""

    def __init__(self, site: Site, player: PlayerServer, game: Mapping[str, Any]) -> None:
        self._site, self._player = site, player
        self._id, self._role, self._slug = game["id"], game["role"], game["variant"]["key"]
        self._left = "wtime" if game["color"] == "white" else "btime"
        self._name = f"{self._slug}.{self._id}"
        self._play_clock, self._asked = 0, 0  # the number of plies that the player was asked about

    def play(self) -> None:
        """Play to the end. Raise `RequestRefused` if the site no longer shows the match."""
        rules = self._site.get_sheet(self._slug)
        if rules is None:
            log.warning("%s has no rule sheet. The bot resigns.", self._name)
            self._site.ask("POST", f"/api/bot/game/{self._id}/resign")
            return
        try:
            for line in self._site.follow(f"/api/bot/game/stream/{self._id}"):
                if line["type"] == "gameFull" and not self._play_clock:
                    self._start(rules, line["clock"])
                state = line.get("state", line)
                if state["type"] == "gameState" and self._go_on(state):
                    return
        except RequestRefused:
            self._tell(PATIENCE / 4, "ABORT")
            raise

    def _start(self, rules: str, clock: Mapping[str, int] | None) -> None:
        initial, increment = (clock["initial"], clock["increment"]) if clock else (None, 0)
        start, play = choose_clocks(initial and initial / 1000, increment / 1000)
        self._play_clock = max(1, play)
        words = "START", self._role, f"({rules})", str(start), str(self._play_clock)
        answer = self._tell(start + GRACE, *words)
        if answer == "busy":  # perhaps with this match, if this program was started again
            self._tell(PATIENCE / 4, "ABORT")
            answer = self._tell(start + GRACE, *words)
        log.info("%s begins as %s. The player answered %.80a.", self._name, self._role, answer)

    def _go_on(self, state: Mapping[str, Any]) -> bool:
        """Ask the player about each ply up to this state. Return whether the match is over."""
        path = f"/api/games/export/{self._id}/moves.kif"
        steps = self._site.get_text(path).splitlines()
        while self._asked < len(steps):  # plies that have been played in the meantime
            self._tell(self._play_clock + GRACE, "PLAY", self._get_moves(steps))
        if state["status"] != "started":
            # The protocol has no end but that of the rules: no resignation, and no loss on time.
            words = ("STOP", steps[-1]) if state["ended"] == "rules" else ("ABORT",)
            self._tell(PATIENCE / 4, *words)
            log.info("%s has ended: %s, %s.", self._name, state["ended"], state["goals"])
            return True
        legal = self._site.get_json(f"/api/bot/game/{self._id}/legal")
        if legal["ply"] == self._asked == len(steps) and legal["turn"]:
            self._ask(steps, legal, state[self._left] / 1000)
        return False

    def _ask(self, steps: list[str], legal: Mapping[str, Any], left: float) -> None:
        """Ask the player for its action, and play it if the player's role is in control."""
        seconds: float = self._play_clock + GRACE
        message = self._render("PLAY", self._get_moves(steps))
        if legal["turn"] != self._role:
            self._player.choose(message, seconds, {legal["waiting"]: ""})
            return
        # The state may have waited for an answer to the last PLAY, so less time may be left.
        seconds = max(GRACE, min(seconds, left - seconds))
        allowed = dict(zip(legal["kif"], legal["actions"], strict=True))
        action = quote(self._player.choose(message, seconds, allowed))
        try:
            path = f"/api/bot/game/{self._id}/move/{action}?ply={legal['ply']}"
            self._site.ask("POST", path)
        except RequestRefused as error:
            log.warning("%s", error)  # the match has ended

    def _get_moves(self, steps: list[str]) -> str:
        """Return the moves for the next PLAY."""
        self._asked += 1
        return steps[self._asked - 2] if self._asked > 1 else "nil"

    def _tell(self, seconds: float, *words: str) -> str:
        return self._player.tell(self._render(*words), seconds)

    def _render(self, word: str, *more: str) -> str:
        return f"({' '.join([word, self._name, *more])})"


class Bridge:
    """The bot account under which the player plays."""

    def __init__(self, site: Site, player: PlayerServer) -> None:
        self._site, self._player = site, player
        self._playing: set[str] = set()

    def run(self) -> None:
        """Play until the program is stopped, or the token is revoked."""
        self._site.ask("POST", "/api/bot/account/upgrade")
        self._player.is_available()
        for event in self._site.follow("/api/stream/event"):
            if event["type"] == "challenge" and event["challenge"]["direction"] == "in":
                self._answer(event["challenge"])
            elif event["type"] == "gameStart" and event["game"]["id"] not in self._playing:
                self._playing.add(event["game"]["id"])
                threading.Thread(target=self._play, args=[event["game"]], daemon=True).start()

    def _answer(self, challenge: Mapping[str, Any]) -> None:
        path, reason = f"/api/challenge/{challenge['id']}", self._find_objection(challenge)
        try:
            if reason:
                self._site.ask("POST", f"{path}/decline", reason=reason)
            else:
                self._site.ask("POST", f"{path}/accept")
        except RequestRefused as error:
            log.warning("%s", error)  # it was withdrawn

    def _find_objection(self, challenge: Mapping[str, Any]) -> str:
        """Return the reason to decline a challenge, or ""."""
        if self._site.get_sheet(challenge["variant"]["key"]) is None:
            return "game"
        clock = challenge["timeControl"]
        if clock["type"] == "clock":
            initial = clock["limit"] or clock["increment"]
            if choose_clocks(initial, clock["increment"])[1] == 0:
                return "clock"
        return "" if self._player.is_available() else "later"

    def _play(self, game: Mapping[str, Any]) -> None:
        try:
            BridgedMatch(self._site, self._player, game).play()
        except RequestRefused as error:
            log.warning("%s", error)
        finally:
            self._playing.discard(game["id"])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        Bridge(Site(sys.argv[1], os.environ["TOKEN"]), PlayerServer(sys.argv[2])).run()
    except RequestRefused as refused:
        sys.exit(str(refused))
