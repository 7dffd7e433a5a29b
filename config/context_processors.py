"""The template context of all pages that are rendered with a request."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games.review.notices import list_notices
from lobby.accounts.devices import list_unread_sign_ins
from lobby.models import Player, SignIn
from lobby.players.preferences import get_page_preferences
from lobby.views.guests import is_offered
from lobby.views.player_summary import get_player_context, get_tournament_context


def site(request: HttpRequest) -> dict[str, object]:
    """Return the context for the templates of pages.

    The values that need queries are lazy, so a query is made only if a template uses the value.
    """
    return {
        "site_name": settings.SITE_NAME,
        "sends_mail": settings.SENDS_MAIL,
        "at_door": request.path.startswith("/accounts/"),
        "looks": SimpleLazyObject(lambda: get_page_preferences(request)),
        "own": SimpleLazyObject(lambda: get_player_context(request)),
        "event": SimpleLazyObject(lambda: get_tournament_context(request)),
        "sign_ins": SimpleLazyObject(lambda: _sign_ins(request)),
        "notices": SimpleLazyObject(lambda: _notices(request)),
        "may_rename": SimpleLazyObject(lambda: is_offered(request)),
    }


def _sign_ins(request: HttpRequest) -> list[SignIn]:
    user = getattr(request, "user", None)
    return (
        list_unread_sign_ins(request, user)
        if isinstance(user, Player) and not user.is_guest
        else []
    )


def _notices(request: HttpRequest) -> list[dict[str, object]]:
    user = getattr(request, "user", None)
    return list_notices(user.pk) if user is not None and user.is_authenticated else []
