"""The site's URLs, and pages that fail after a query."""

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.urls import handler400, handler403, handler404
from config.urls import urlpatterns as all_of_them
from lobby.models import Player

__all__ = ["handler400", "handler403", "handler404", "urlpatterns"]
FAILURES = {"500": RuntimeError, "403": PermissionDenied, "400": BadRequest}


def fails(request: HttpRequest, status: str) -> HttpResponse:
    Player.objects.count()
    raise FAILURES[status]("as asked")


urlpatterns = [*all_of_them, path("fails/<slug:status>/", fails)]
