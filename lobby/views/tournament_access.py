"""Access to the pages of tournaments, and the rows of tournament lists."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from games.match.clock import describe_clock
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from lobby.accounts.access import require_account
from lobby.models import Player, Tournament
from lobby.tournaments.labels import get_players_label, get_state_label
from lobby.tournaments.locking import can_manage
from lobby.tournaments.names import get_organiser_name
from lobby.tournaments.queries import get_visible_tournament

View = Callable[..., HttpResponse]


def viewer(request: HttpRequest) -> Player | None:
    """Return the player who is logged in, if any."""
    return request.user if isinstance(request.user, Player) else None


def for_viewers(view: View) -> View:
    """Pass the tournament to the view. Respond with 404 if the visitor cannot see it."""

    @wraps(view)
    def shown(request: HttpRequest, tournament_id: str, *args: Any, **more: Any) -> HttpResponse:
        found = get_visible_tournament(viewer(request), tournament_id)
        if found is None:
            raise Http404
        return view(request, found, *args, **more)

    return shown


def for_organiser(view: View) -> Callable[..., HttpResponseBase]:
    """Pass the tournament to the view if the player can manage it.

    Redirect visitors and guests to the login page. Respond with 404 if the player cannot see the
    tournament, or with 403 if the player can see but not manage it.
    """

    @wraps(view)
    def shown(request: HttpRequest, tournament_id: str, *args: Any, **more: Any) -> HttpResponse:
        found = get_visible_tournament(viewer(request), tournament_id)
        if found is None:
            raise Http404
        if not can_manage(viewer(request), found):
            return render(request, "403.html", status=403)
        return view(request, found, *args, **more)

    return require_account(shown)


def listed(found: Tournament) -> dict[str, Any]:
    """Return the template context of a tournament in a list."""
    parts = [
        render_message(build_message(f"tournament-kind.{found.kind}")),
        get_game_name(found.game),
        render_message(describe_clock(found.clock)),
    ]
    if found.rated:
        parts.append(render_message(build_message("tournament.rated")))
    is_over = found.state in (Tournament.State.OVER, Tournament.State.CALLED_OFF)
    return {
        "url": found.get_absolute_url(),
        "game": found.game,
        "name": found.name,
        "what": " · ".join(parts),
        "players": get_players_label(getattr(found, "players", 0)),
        "organiser": get_organiser_name(found),
        "state": get_state_label(found),
        "at": found.ended_at if is_over else found.starts_at,
        "is_running": found.state == Tournament.State.RUNNING,
    }
