"""Preferences of accounts.

Guests keep their preferences in the browser. A new account takes them over from there.
"""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from msgspec import Struct

from lobby.models import Player, Preferences

_YES, _NO = "yes", "no"
_FLAGS = ("sound", "confirm", "phrases", "rated")
_CHOICES: Mapping[str, list[str]] = {
    "scheme": Preferences.Scheme.values,
    "board": Preferences.Board.values,
    "challenges": Preferences.Challenges.values,
    "archived": Preferences.Archived.values,
}
_MEDIA = {"light": "not all", "dark": "all"}
_BY_SYSTEM = "(prefers-color-scheme: dark)"


class Looks(Struct, frozen=True):
    """The viewer's preferences, as far as a page needs them for rendering.

    `kept` is "account", "new" for an account that takes over the preferences of the browser, or ""
    for everybody else. `values` has those preferences of the account that pages need, as text.
    Preferences that depend on the device are left out.
    """

    kept: str = ""
    values: Mapping[str, str] = {}

    @property
    def dark(self) -> str:
        """The media query for dark colours."""
        return _MEDIA.get(self.values.get("scheme", ""), _BY_SYSTEM)


def get_page_preferences(request: HttpRequest) -> Looks:
    """Return the preferences for the page of this request."""
    user = getattr(request, "user", None)
    if not isinstance(user, Player) or user.is_guest:
        return Looks()
    known = Preferences.objects.filter(player=user).first()
    return Looks("new") if known is None else Looks("account", _get_texts(known))


def get_preferences(player: Player) -> Preferences:
    """Return the player's preferences, or unsaved ones with the defaults if none are stored."""
    return Preferences.objects.filter(player=player).first() or Preferences(player=player)


def store_preferences(player: Player, asked: Mapping[str, str]) -> Preferences:
    """Store the given preferences, and leave the others unchanged.

    If a value is invalid, store nothing and raise `ValueError`.
    """
    wanted: dict[str, str | bool | None] = {}
    for name, values in _CHOICES.items():
        if name in asked:
            if asked[name] not in values:
                raise ValueError(f"no such {name}")
            wanted[name] = asked[name]
    for name in _FLAGS:
        if name in asked:
            wanted[name] = _parse_flag(name, asked[name])
    kept, _ = Preferences.objects.update_or_create(player=player, defaults=wanted)
    return kept


def store_first_preferences(player: Player, asked: Mapping[str, str]) -> Preferences:
    """Store the preferences of a new account, unless it already has some."""
    known = Preferences.objects.filter(player=player).first()
    return known if known is not None else store_preferences(player, asked)


def _parse_flag(name: str, text: str) -> bool | None:
    if name == "confirm" and text == "":
        return None  # the preference depends on the device
    if text not in {_YES, _NO}:
        raise ValueError(f"{name} is yes or no")
    return text == _YES


def _get_texts(known: Preferences) -> dict[str, str]:
    texts = {name: str(getattr(known, name)) for name in ("scheme", "board")}
    for name in _FLAGS:
        value = getattr(known, name)
        if value is not None:
            texts[name] = _YES if value else _NO
    return texts


def set_language_cookie(response: HttpResponseBase, language: str) -> None:
    """Store the language in a cookie, so that it also applies after a logout."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.IS_HTTPS,
        httponly=True,
        samesite="Lax",
    )
