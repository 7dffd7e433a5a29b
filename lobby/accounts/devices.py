"""Which browsers an account knows. One that it does not know is shown to the account."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from lobby.models import Device, Player, SignIn

_LASTS = timedelta(days=400)  # the longest that browsers keep a cookie
_MOST = 50  # of one account: the one longest unused goes
_SOME = 500  # rows deleted in one round

# The first that is in a browser's name for itself; others pass for those that come later.
_BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "SamsungBrowser": "Samsung Internet",
             "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome",
             "Safari": "Safari", "curl": "curl"}  # fmt: skip
_SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows",
            "Mac OS X": "Mac", "CrOS": "ChromeOS", "Linux": "Linux"}  # fmt: skip


def name_of_device(agent: str) -> str:
    """A browser's name for itself in few words: "Firefox on Linux"; "" if it tells nothing."""
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return f"{browser} on {system}" if browser and system else browser or system


def meet(request: HttpRequest, response: HttpResponse, account: Player) -> SignIn | None:
    """Know the browser from now on. If it is new to an account that knows others, say so: what is
    given is to be shown to the account."""
    now = timezone.now()
    held = request.COOKIES.get(_cookie(), "")
    known = held and Device.objects.filter(player=account, token=_hashed(held)).update(seen_at=now)
    token = held if known else secrets.token_urlsafe(32)
    response.set_cookie(
        _cookie(),
        token,
        max_age=_LASTS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    if known:
        return None
    mine = Device.objects.filter(player=account).order_by("-seen_at")
    others = list(mine.values_list("pk", flat=True)[: 2 * _MOST])
    Device.objects.filter(pk__in=others[_MOST - 1 :]).delete()
    Device.objects.create(player=account, token=_hashed(token), seen_at=now)
    if not others:
        return None
    name = name_of_device(request.headers.get("User-Agent", ""))
    return SignIn.objects.create(player=account, device=name, at=now)


def unread(account: Player) -> list[SignIn]:
    """The newest sign-ins that the account has not read of yet."""
    return list(SignIn.objects.filter(player=account, seen_at=None)[:5])


def read_all(account: Player) -> None:
    """Note that the account's owner has read of them."""
    SignIn.objects.filter(player=account, seen_at=None).update(seen_at=timezone.now())


def forget_old() -> None:
    """Delete what is older than a browser remembers, some at a time."""
    old = timezone.now() - _LASTS
    for rows in (Device.objects.filter(seen_at__lt=old), SignIn.objects.filter(at__lt=old)):
        found = list(rows.values_list("pk", flat=True)[:_SOME])
        rows.model._default_manager.filter(pk__in=found).delete()


def _cookie() -> str:
    return "__Host-device" if settings.SESSION_COOKIE_SECURE else "device"


def _hashed(token: str) -> str:
    return sha256(token[:200].encode()).hexdigest()
