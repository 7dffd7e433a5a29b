"""The progressive web app: the manifest, the service worker and the offline page.

All three are the same for all visitors who use the same language.
"""

import json
import re
from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

OFFLINE = "/offline/"
PAGE_COLOUR = "#f3ece0"  # the same as --page in static/css/colours.css
BAR_COLOUR = "#1f4a3d"  # the same as --bar in that file
_FONT = "fonts/fraunces-600.woff2"


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest."""
    icons = [
        {"src": static(f"icons/icon-{side}.png"), "sizes": f"{side}x{side}", "type": "image/png",
         "purpose": purpose}
        for side, purpose in ((192, "any"), (512, "any"), (512, "maskable"))
    ]  # fmt: skip
    return JsonResponse(
        {
            "name": settings.SITE_NAME,
            "short_name": settings.SITE_NAME,
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": PAGE_COLOUR,
            "theme_color": BAR_COLOUR,
            "icons": icons,
        },
        content_type="application/manifest+json",
        headers={"Cache-Control": "public, max-age=3600"},
    )


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker stores for use without a connection."""
    return HttpResponse(_offline(), headers={"Cache-Control": "public, max-age=3600"})


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker.

    It contains the list of files to cache, so it changes when they do.
    """
    files = [] if settings.DEBUG else _files()
    version = sha256(json.dumps([files, _offline()]).encode()).hexdigest()[:16]
    kept = {"version": version, "offline": OFFLINE, "files": files}
    script = render_to_string("service-worker.js", {"kept": _as_script(kept)})
    return HttpResponse(
        script, content_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )


def _as_script(value: Any) -> SafeString:
    """Return a value as JavaScript, with escapes for the characters that HTML treats specially."""
    text = json.dumps(value).translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"})
    return SafeString(text)  # nosec B703  # JSON in ASCII is JavaScript


def _offline() -> str:
    # The page is rendered without the request, so that it cannot depend on the viewer.
    return render_to_string("offline.html", {"site_name": settings.SITE_NAME})


@cache
def _files() -> list[str]:
    """Return the addresses of the static files that the offline page needs."""
    named = re.findall(rf'(?:href|src)="({re.escape(settings.STATIC_URL)}[^"]+)"', _offline())
    return sorted({*named, static(_FONT)})
