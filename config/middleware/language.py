"""Middleware that chooses the language of each response."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from lobby.api.middleware import is_api_path
from lobby.models import Player
from lobby.players.preferences import set_language_cookie

_WRITTEN = (
    "text/html", "text/csv", "text/calendar", "application/atom+xml", "image/",
)  # fmt: skip
"""The types of content that contain words. Scripts are left out, because they load the words of
each language from an address of its own."""


class LanguageMiddleware:
    """Activate the language of the viewer while a request is handled.

    It is the language that the player has chosen, or else that of the cookie, or else that of the
    browser. The API is always in English.

    This middleware must come before `ResponseHeadersMiddleware`, which would otherwise forbid
    browsers from storing any page, because every page depends on the cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_api_path(request.path_info):
            return self._get_response(request)
        asked = translation.get_language_from_request(request)
        # Deactivate the language at the end, because the thread will also do other work.
        with translation.override(asked, deactivate=True):
            response = self._get_response(request)
            language = translation.get_language()
        if language != asked:  # the player's choice; this page's scripts send the cookie
            set_language_cookie(response, str(language))
        if response.headers.get("Content-Type", "").startswith(_WRITTEN):
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    def process_view(self, request: HttpRequest, *view: Any) -> None:
        """Activate the language that the player has chosen, if the request is for a page.

        Other requests use the cookie, because finding the player would need a query.
        """
        if "text/html" not in request.headers.get("Accept", "") or is_api_path(request.path_info):
            return
        if request.session.session_key and isinstance(request.user, Player):
            language = request.user.language
            if language in dict(settings.LANGUAGES):
                translation.activate(language)
