"""The addresses of matches."""

from django.urls import path, re_path

from games import rules_pages, views
from games.live.consumer import MatchSocket
from games.words.script import script

urlpatterns = [
    path("rules/", rules_pages.every_game, name="rules-index"),
    path("rules/<slug:slug>/", rules_pages.one_game, name="rules"),
    path("match/<slug:match_id>/", views.match, name="match"),
    path("match/<slug:match_id>/record.json", views.record, name="record"),
    path("match/<slug:match_id>/picture.png", views.picture, name="picture"),
    path("match/<slug:match_id>/replay.json", views.replay, name="replay"),
    path("match/<slug:match_id>/analysis/", views.analysis_new, name="analysis"),
    path("match/<slug:match_id>/analysis.json", views.analysis_json, name="analysis-json"),
    path("match/<slug:match_id>/report/", views.report, name="report"),
    path("words/<slug:language>.<slug:digest>.js", script, name="words"),
    path("notice/<int:notice_id>/read/", views.notice_read, name="notice-read"),
]
websocket_urlpatterns = [
    re_path(r"^ws/match/(?P<match_id>[-a-zA-Z0-9_]{1,64})/$", MatchSocket.as_asgi()),
]
