"""Players who are logged in, and live matches between them: `python -m tests.load.seed 100`.

A second number is that of matches in which the computer plays itself, at its highest levels.
"""

import json
import sys


def seed(matches: int, bots: int = 0) -> list[list[str]]:
    """For each match its id and both players' cookies, in the order of the seats."""
    from django.conf import settings
    from django.contrib.auth import (
        BACKEND_SESSION_KEY,
        HASH_SESSION_KEY,
        SESSION_KEY,
        get_user_model,
    )
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import transaction

    from games.journal.opening import open_match
    from games.match.setup import Setup
    from games.runtime.ids import new_id
    from lobby.seeks.computer import computer

    people = get_user_model()
    found = []
    with transaction.atomic():
        for _ in range(matches):
            players = []
            cookies = []
            for _ in range(2):
                player = people(username=f"Load {new_id()}", is_guest=True)
                player.set_unusable_password()
                player.save()
                session = SessionStore()
                session[SESSION_KEY] = str(player.pk)
                session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
                session[HASH_SESSION_KEY] = player.get_session_auth_hash()
                session.create()
                players.append(player.pk)
                cookies.append(f"{settings.SESSION_COOKIE_NAME}={session.session_key}")
            match = open_match(Setup("six-in-a-row"), players[0], players[1])
            found.append([match.pk, *cookies])
        for index in range(bots):
            seats = computer(5), computer(4)
            game = ("six-in-a-row", "dots-and-boxes")[index % 2]
            open_match(Setup(game), seats[0].pk, seats[1].pk, levels=(5, 4))
    return found


if __name__ == "__main__":
    import django

    django.setup()
    json.dump(seed(*map(int, sys.argv[1:])), sys.stdout)
