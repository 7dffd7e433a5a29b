"""The URLs of the site. Middleware serves the health endpoints and the static files."""

from django.conf import settings
from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path, re_path
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView

import games.urls
import lobby.urls
from config import pwa
from config.status import status
from games.live.sockets import NoSuchSocket

admin.site.site_header = admin.site.site_title = format_lazy(
    _("{site}: moderation"), site=settings.SITE_NAME
)
admin.site.index_title = _("Moderation")
urlpatterns = [
    # Browsers request this address if a page names no icon, as in the admin.
    path("favicon.ico", RedirectView.as_view(url=lazy(static, str)("icons/icon.svg"))),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("service-worker.js", pwa.service_worker, name="service-worker"),
    path("offline/", pwa.offline, name="offline"),
    path("admin/status/", admin.site.admin_view(status), name="status"),
    path("admin/", admin.site.urls),
    path("accounts/", include("lobby.accounts.urls")),
    path("", include("lobby.urls")),
    path("", include("games.urls")),
]
handler400 = "config.errors.bad_request"
handler403 = "config.errors.forbidden"
handler404 = "config.errors.missing"
handler500 = "config.errors.broken"
websocket_urlpatterns = [
    *lobby.urls.websocket_urlpatterns,
    *games.urls.websocket_urlpatterns,
    re_path(r"", NoSuchSocket.as_asgi()),
]
