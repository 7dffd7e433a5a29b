"""Who may see a tournament, and who may do something with it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from lobby.accounts.access import require_account
from lobby.models import Player
from lobby.tournaments.locking import can_manage
from lobby.tournaments.queries import tournament_for

View = Callable[..., HttpResponse]


def viewer(request: HttpRequest) -> Player | None:
    """Who looks, if that is a player."""
    return request.user if isinstance(request.user, Player) else None


def for_viewers(view: View) -> View:
    """Gives the view the tournament; to who may not see it there is none."""

    @wraps(view)
    def shown(request: HttpRequest, tournament_id: str, *args: Any, **more: Any) -> HttpResponse:
        found = tournament_for(viewer(request), tournament_id)
        if found is None:
            raise Http404
        return view(request, found, *args, **more)

    return shown


def for_organiser(view: View) -> Callable[..., HttpResponseBase]:
    """For who runs the tournament: to others who see it, it is forbidden."""

    @wraps(view)
    def shown(request: HttpRequest, tournament_id: str, *args: Any, **more: Any) -> HttpResponse:
        found = tournament_for(viewer(request), tournament_id)
        if found is None:
            raise Http404
        if not can_manage(viewer(request), found):
            return render(request, "403.html", status=403)
        return view(request, found, *args, **more)

    return require_account(shown)
