"""A complete bot that accepts every challenge, and plays legal actions at random in all games.

TOKEN=prl_… python example_bot.py https://play.example.org
"""

import json
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

SITE, TOKEN = sys.argv[1], os.environ["TOKEN"]
PATIENCE = 20  # seconds; a stream has a line at least every six seconds


def ask(method: str, path: str) -> Any:
    """Return the response to a request, or None if it is refused. Wait and retry if asked to."""
    request = Request(SITE + path, method=method, headers={"Authorization": f"Bearer {TOKEN}"})  # noqa: S310  # our own site
    try:
        return urlopen(request, timeout=PATIENCE)  # noqa: S310  # nosec B310  # our own site
    except HTTPError as error:
        print(method, path, error.read().decode())  # noqa: T201  # a program for a terminal
        if error.code not in (429, 503):
            return None
        time.sleep(int(error.headers["Retry-After"]))
        return ask(method, path)


def lines(path: str, again: bool) -> Iterator[dict[str, Any]]:
    """Yield the lines of a stream. Reopen it if it breaks or, with `again`, if the site ends it."""
    while True:
        try:
            with ask("GET", path) as answer:
                yield from (json.loads(line) for line in answer if line.strip())
            if not again:
                return  # the game is over
        except OSError:  # the connection could not be opened, or it broke
            pass
        time.sleep(1)


def choose(state: dict[str, Any], actions: list[str]) -> str:
    """Choose an action. Put your own strategy here."""
    return random.choice(actions)  # noqa: S311  # nosec B311  # not used for secrets


def play(game: str, me: str) -> None:
    role = None
    for line in lines(f"/api/bot/game/stream/{game}", again=False):
        if line["type"] == "gameFull":
            role = line["white" if line["white"]["id"] == me else "black"]["role"]
        state = line.get("state", line)
        if role and state.get("turn") == role:
            legal = json.load(ask("GET", f"/api/bot/game/{game}/legal"))
            if legal["turn"] == role:
                action = quote(choose(state, legal["actions"]))
                ask("POST", f"/api/bot/game/{game}/move/{action}?ply={legal['ply']}")


ask("POST", "/api/bot/account/upgrade")
me = json.load(ask("GET", "/api/account"))["id"]
for event in lines("/api/stream/event", again=True):
    if event["type"] == "challenge" and event["challenge"]["direction"] == "in":
        ask("POST", f"/api/challenge/{event['challenge']['id']}/accept")
    elif event["type"] == "gameStart":
        threading.Thread(target=play, args=[event["game"]["id"], me], daemon=True).start()
