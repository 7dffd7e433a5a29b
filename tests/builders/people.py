"""People with accounts at a site."""

import itertools
from urllib.parse import urlencode

from tests.builders.players import PASSWORD
from tests.builders.sites import Person, Site, until

_ACCOUNTS = """
from lobby.models import Player
for name in {names!r}:
    player = Player.objects.create_user(name)
player.set_password({password!r})  # one hash for all, which takes as long as ten accounts
Player.objects.filter(username__in={names!r}).update(password=player.password)
"""
_numbers = itertools.count(1)


def create_accounts(site: Site, *names: str, then: str = "") -> str:
    """Create accounts with `PASSWORD` at a site, and run more Python. Return what it prints."""
    accounts = _ACCOUNTS.format(names=names, password=PASSWORD)
    done = site.manage("shell", "-c", accounts + then)
    assert done.returncode == 0, done.stderr
    return done.stdout


def sign_up(site: Site) -> Person:
    """Return a person who has just signed up."""
    person = Person(site)
    name = f"Person {site.port} {next(_numbers)}"
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    status, page = person.form("/accounts/signup/", urlencode(form).encode())
    assert status == 200 and "I have written them down" in page, page[-500:]
    return person


def find_tournament_game(person: Person, path: str) -> str:
    """Return the id of the person's live game of the tournament with that path, or ""."""
    _, page = person.get(path)
    _, found, rest = page.partition('data-my-match="')
    return rest.partition('"')[0] if found else ""


def resign_tournament_games(path: str, *people: Person) -> None:
    """Let people resign their games of a tournament, and wait for each game if it has to begin."""
    for person in people:
        match = until(lambda person=person: find_tournament_game(person, path), "a game")
        with person.match(match) as socket:
            socket.next("state")
            socket.send("resign")
            socket.next("state", lambda state: state["status"] == "over")
