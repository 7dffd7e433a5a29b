"""Visitors who do something that only a player can do become guests by it."""

from django.contrib.auth import login
from django.http import HttpRequest

from games.runtime.addresses import get_request_network
from lobby.accounts.guests import new_guest
from lobby.accounts.limits import may_make_guest
from lobby.models import Player


def get_or_create_player(request: HttpRequest) -> Player | None:
    """The visitor as a player, made a guest if necessary; None over the limit for new guests."""
    if isinstance(request.user, Player):
        return request.user
    if not may_make_guest(get_request_network(request)):
        return None
    made = new_guest()
    login(request, made)
    return made
