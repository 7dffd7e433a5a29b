"""The addresses of the lobby."""

from django.urls import path, re_path

from lobby import views
from lobby.another_name import another_name
from lobby.forget import forget
from lobby.live.consumer import LobbySocket
from lobby.pages import challenges, games, preferences, profile
from lobby.tv import wall

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("tv/", wall, name="tv"),
    path("guest/", views.guest, name="guest"),
    path("another-name/", another_name, name="another-name"),
    path("forget/", forget, name="forget"),
    path("computer/", views.computer, name="computer"),
    path("one-screen/", views.one_screen, name="one-screen"),
    path("seek/", views.seek, name="seek-new"),
    path("seek/<slug:seek_id>/", views.seek_page, name="seek"),
    path("seek/<slug:seek_id>/picture.png", views.seek_picture, name="seek-picture"),
    path("seek/<slug:seek_id>/accept/", views.seek_accept, name="seek-accept"),
    path("seek/<slug:seek_id>/cancel/", views.seek_cancel, name="seek-cancel"),
    path("player/<str:name>/", profile.player, name="player"),
    path("player/<str:name>/games.json", profile.games_json, name="player-games"),
    path("player/<str:name>/challenge/", challenges.challenge_new, name="challenge-new"),
    path("player/<str:name>/block/", profile.block, name="block"),
    path("player/<str:name>/unblock/", profile.unblock, name="unblock"),
    path("player/<str:name>/report/", profile.report, name="report-player"),
    path("challenge/<slug:challenge_id>/", challenges.challenge, name="challenge"),
    path(
        "challenge/<slug:challenge_id>/accept/",
        challenges.challenge_accept,
        name="challenge-accept",
    ),
    path(
        "challenge/<slug:challenge_id>/decline/",
        challenges.challenge_decline,
        name="challenge-decline",
    ),
    path(
        "challenge/<slug:challenge_id>/withdraw/",
        challenges.challenge_withdraw,
        name="challenge-withdraw",
    ),
    path("games/", games.own_games, name="own-games"),
    path("games/mine.jsonl", games.download, name="own-games-download"),
    path("preferences/", preferences.preferences, name="preferences"),
]
websocket_urlpatterns = [re_path(r"^ws/lobby/$", LobbySocket.as_asgi())]
