"""People with accounts at a site."""

import itertools
from urllib.parse import urlencode

from tests.builders.players import PASSWORD
from tests.builders.sites import Person, Site

_ACCOUNTS = """
from lobby.models import Player
for name in {names!r}:
    Player.objects.create_user(name, password={password!r})
"""
_numbers = itertools.count(1)


def create_accounts(site: Site, *names: str) -> None:
    """Create accounts with `PASSWORD` at a site."""
    done = site.manage("shell", "-c", _ACCOUNTS.format(names=names, password=PASSWORD))
    assert done.returncode == 0, done.stderr


def sign_up(site: Site) -> Person:
    """Return a person who has just signed up."""
    person = Person(site)
    name = f"Person {site.port} {next(_numbers)}"
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    status, page = person.form("/accounts/signup/", urlencode(form).encode())
    assert status == 200 and "I have written them down" in page, page[-500:]
    return person
