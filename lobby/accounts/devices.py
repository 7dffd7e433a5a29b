"""Browsers known to an account, and notices of logins from new browsers."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from lobby.models import Device, Player, SignIn

REMEMBERED = timedelta(days=400)
"""How long a browser is remembered. Some browsers limit the lifetime of cookies to this value."""

SHARED_DEVICE = "shared_device"
"""The key in the signal's arguments for a login on a shared browser, which is not remembered."""

_MAX_BROWSERS = 50  # per account; the least recently used ones are deleted

# The first match wins, because browsers also claim to be the ones listed after them.
_BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "SamsungBrowser": "Samsung Internet",
             "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome",
             "Safari": "Safari", "curl": "curl"}  # fmt: skip
_SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows",
            "Mac OS X": "Mac", "CrOS": "ChromeOS", "Linux": "Linux"}  # fmt: skip


def get_device_name(agent: str) -> str:
    """Return a name for the browser from its User-Agent, such as "Firefox on Linux".

    If the browser or the system is unknown, name the other one alone, or return "" if both are.
    """
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return f"{browser} on {system}" if browser and system else browser or system


def remember_device(request: HttpRequest, response: HttpResponse, account: Player) -> SignIn | None:
    """Remember the browser for the account.

    If the browser is new to an account that has other browsers, return the login, so that it can be
    reported. Otherwise, return None.
    """
    now = timezone.now()
    held = request.COOKIES.get(_cookie(), "")
    known = held and Device.objects.filter(player=account, token=_hashed(held)).update(seen_at=now)
    # A browser that was used with another account keeps its token. Neither account then reports it
    # as new again, and moderators see that both accounts use it.
    is_shared = not known and held and Device.objects.filter(token=_hashed(held)).exists()
    token = held if known or is_shared else secrets.token_urlsafe(32)
    response.set_cookie(
        _cookie(),
        token,
        max_age=REMEMBERED,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    if known:
        return None
    mine = Device.objects.filter(player=account).order_by("-seen_at")
    others = list(mine.values_list("pk", flat=True)[: 2 * _MAX_BROWSERS])
    Device.objects.filter(pk__in=others[_MAX_BROWSERS - 1 :]).delete()
    signed_in = None
    if others:
        name = get_device_name(request.headers.get("User-Agent", ""))
        signed_in = SignIn.objects.create(player=account, device=name, at=now)
    Device.objects.create(player=account, token=_hashed(token), seen_at=now, sign_in=signed_in)
    return signed_in


def list_unread_sign_ins(request: HttpRequest, account: Player) -> list[SignIn]:
    """Return the unread logins that this browser is allowed to see, newest first, at most five."""
    found = SignIn.objects.filter(player=account, seen_at=None)
    if not found.exists():
        return []
    known_since = _known_since(request, account)
    return [] if known_since is None else list(found.filter(pk__gt=known_since)[:5])


def mark_sign_ins_read(request: HttpRequest, account: Player) -> None:
    """Mark as read the unread logins that this browser is allowed to see."""
    known_since = _known_since(request, account)
    if known_since is not None:
        found = SignIn.objects.filter(player=account, seen_at=None, pk__gt=known_since)
        found.update(seen_at=timezone.now())


def _known_since(request: HttpRequest, account: Player) -> int | None:
    """Return the id of the login that made this browser known to the account.

    Return 0 if that login is not stored, as for the account's first browser, and None if the
    browser is unknown. A browser sees only later logins, so that intruders cannot dismiss the
    notice about themselves.
    """
    held = request.COOKIES.get(_cookie(), "")
    known = Device.objects.filter(player=account, token=_hashed(held)).values_list("sign_in_id")
    found = known.first()
    return None if found is None else found[0] or 0


def _cookie() -> str:
    return "__Host-device" if settings.SESSION_COOKIE_SECURE else "device"


def _hashed(token: str) -> str:
    return sha256(token[:200].encode()).hexdigest()
