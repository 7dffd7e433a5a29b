"""The addresses of the API."""

from django.urls import path

# Importing these modules adds their operations.
from lobby.api import account, challenges, games, live, oauth, play, tournaments, users
from lobby.api.docs import differences, docs
from lobby.api.operations import api
from lobby.api.schema import openapi

OPERATIONS = (account, challenges, games, live, oauth, play, tournaments, users)

urlpatterns = [
    path("api/openapi.json", openapi, name="api-schema"),
    path("api/docs/", docs, name="api-docs"),
    path("api/docs/differences/", differences, name="api-differences"),
    path("game/export/<str:game_id>", games.export_alias, name="game-export"),
    path("api/", api.urls),
]
