"""The ASGI application: Django for HTTP, Channels for websockets."""

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
try:
    django.setup(set_prefix=False)
except ImproperlyConfigured as error:
    sys.exit(f"Cannot start: {error}")

# Not at the top: these imports need `django.setup()`.
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings

from config.server.page_handler import PageHandler
from config.urls import websocket_urlpatterns

pages = PageHandler()
application = ProtocolTypeRouter(
    {
        "http": pages,
        # There is no `AuthMiddlewareStack`, because `games.live.admission` looks up sessions in
        # batches.
        "websocket": OriginValidator(URLRouter(websocket_urlpatterns), settings.ALLOWED_ORIGINS),
    }
)
