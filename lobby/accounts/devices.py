"""Which browsers an account knows. One that it does not know is shown to the account."""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from lobby.models import Device, Player, SignIn

REMEMBERED = timedelta(days=400)
"""How long a browser is remembered: browsers keep no cookie for longer."""

_MOST = 50  # of one account: the one longest unused goes

# The first that is in a browser's name for itself; others pass for those that come later.
_BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "SamsungBrowser": "Samsung Internet",
             "Firefox": "Firefox", "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome",
             "Safari": "Safari", "curl": "curl"}  # fmt: skip
_SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows",
            "Mac OS X": "Mac", "CrOS": "ChromeOS", "Linux": "Linux"}  # fmt: skip


def get_device_name(agent: str) -> str:
    """A browser's name for itself in few words: "Firefox on Linux"; "" if it tells nothing."""
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return f"{browser} on {system}" if browser and system else browser or system


def remember_device(request: HttpRequest, response: HttpResponse, account: Player) -> SignIn | None:
    """Know the browser from now on. If it is new to an account that knows others, say so: what is
    given is to be shown to the account."""
    now = timezone.now()
    held = request.COOKIES.get(_cookie(), "")
    known = held and Device.objects.filter(player=account, token=_hashed(held)).update(seen_at=now)
    token = held if known else secrets.token_urlsafe(32)
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
    others = list(mine.values_list("pk", flat=True)[: 2 * _MOST])
    Device.objects.filter(pk__in=others[_MOST - 1 :]).delete()
    signed_in = None
    if others:
        name = get_device_name(request.headers.get("User-Agent", ""))
        signed_in = SignIn.objects.create(player=account, device=name, at=now)
    Device.objects.create(player=account, token=_hashed(token), seen_at=now, sign_in=signed_in)
    return signed_in


def list_unread_sign_ins(request: HttpRequest, account: Player) -> list[SignIn]:
    """The newest sign-ins of which the account has not read yet, as far as this browser is told."""
    found = SignIn.objects.filter(player=account, seen_at=None)
    if not found.exists():
        return []
    told_from = _told_from(request, account)
    return [] if told_from is None else list(found.filter(pk__gt=told_from)[:5])


def mark_sign_ins_read(request: HttpRequest, account: Player) -> None:
    """Note that the account's owner has read of them: of those of which this browser is told."""
    told_from = _told_from(request, account)
    if told_from is not None:
        found = SignIn.objects.filter(player=account, seen_at=None, pk__gt=told_from)
        found.update(seen_at=timezone.now())


def _told_from(request: HttpRequest, account: Player) -> int | None:
    """The sign-in since which this browser knows the account; 0: it is the first. It is told of
    later ones only: whoever broke in must not be able to put the warning away. None: not known."""
    held = request.COOKIES.get(_cookie(), "")
    known = Device.objects.filter(player=account, token=_hashed(held)).values_list("sign_in_id")
    found = known.first()
    return None if found is None else found[0] or 0


def _cookie() -> str:
    return "__Host-device" if settings.SESSION_COOKIE_SECURE else "device"


def _hashed(token: str) -> str:
    return sha256(token[:200].encode()).hexdigest()
