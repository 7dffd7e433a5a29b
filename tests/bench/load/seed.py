"""Players who are logged in, and live matches between them: `python -m tests.bench.load.seed 100`.

A second number is that of matches in which the computer plays itself, at its highest levels. A
third is that of rated matches between accounts, with a few moves played; these come last. A last
argument is the game of the matches, if it is not Six in a Row.
"""

import json
import sys
from typing import Any

from tests.bench.load.script import SIX


def logged_in(player: Any) -> str:
    """The cookie of a new session of the player."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def seed(matches: int, bots: int = 0, rated: int = 0, game: str = SIX) -> list[list[str]]:
    """For each match its id and both players' cookies, in the order of the seats."""
    from django.contrib.auth import get_user_model
    from django.db import transaction

    from config.processes import load_games
    from games.journal.opening import open_match
    from games.journal.requests import Request
    from games.journal.transaction import commit_requests
    from games.match.commands import Play
    from games.match.setup import Setup
    from games.runtime.ids import new_id
    from lobby.seeks.computer import get_computer

    people = get_user_model()
    load_games()
    found = []
    with transaction.atomic():
        for number in range(matches + rated):
            is_rated = number >= matches
            players = []
            cookies = []
            for _ in range(2):
                player = people(username=f"Load {new_id()}", is_guest=not is_rated)
                player.set_unusable_password()
                player.save()
                players.append(player.pk)
                cookies.append(logged_in(player))
            setup = Setup(game, "30+0" if is_rated else "", rated=is_rated)
            match = open_match(setup, players[0], players[1])
            for ply in range(4 if is_rated else 0):  # until both have acted
                match.refresh_from_db()
                position = match.rules.read(match.notation)
                seat = match.rules.roles.index(position.turn or "")
                commit_requests([Request(match.pk, players[seat], Play(ply, position.legal()[0]))])
            found.append([match.pk, *cookies])
        for index in range(bots):
            seats = get_computer(5), get_computer(4)
            played = (SIX, "dots-and-boxes")[index % 2]
            open_match(Setup(played), seats[0].pk, seats[1].pk, levels=(5, 4))
    return found


if __name__ == "__main__":
    import django

    django.setup()
    numbers = [int(each) for each in sys.argv[1:] if each.isdigit()]
    games = [each for each in sys.argv[1:] if not each.isdigit()]
    json.dump(seed(*numbers, game=games[0] if games else SIX), sys.stdout)
