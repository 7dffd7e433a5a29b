"""The addresses of the lobby."""

from django.urls import path, re_path

from lobby import views
from lobby.another_name import another_name
from lobby.forget import forget
from lobby.live.consumer import LobbySocket
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
]
websocket_urlpatterns = [re_path(r"^ws/lobby/$", LobbySocket.as_asgi())]
