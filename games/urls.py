"""The addresses of matches."""

from django.urls import path, re_path

from games import analysis_pages, rules_pages, share_pages, signed_pages, views
from games.live.consumer import MatchSocket
from games.words.script import script

urlpatterns = [
    path("rules/", rules_pages.every_game, name="rules-index"),
    path("rules/<slug:slug>/", rules_pages.one_game, name="rules"),
    path("analysis/", analysis_pages.bring, name="bring"),
    path("analysis/look.json", analysis_pages.look, name="look"),
    path("analysis/<slug:slug>/", analysis_pages.start, name="analysis-start"),
    path("analysis/<slug:slug>/game/<str:moves>/", analysis_pages.game, name="analysis-game"),
    path(
        "analysis/<slug:slug>/<path:notation>/", analysis_pages.position, name="analysis-position"
    ),
    path("match/<slug:match_id>/", views.match, name="match"),
    path("match/<slug:match_id>/record.json", views.record, name="record"),
    path("match/<slug:match_id>/picture.png", views.picture, name="picture"),
    path("match/<slug:match_id>/position/<int:ply>.png", share_pages.position_png, name="ply-png"),
    path("match/<slug:match_id>/position/<int:ply>.svg", share_pages.position_svg, name="ply-svg"),
    path("match/<slug:match_id>/game.svg", share_pages.game_svg, name="game-svg"),
    path("match/<slug:match_id>/signed.json", signed_pages.signed_record, name="signed"),
    path(".well-known/parlour-keys.json", signed_pages.keys, name="keys"),
    path("log/2/checkpoint", signed_pages.checkpoint, name="log-checkpoint"),
    path("log/2/tile/entries/<path:place>", signed_pages.entries, name="log-entries"),
    path("log/2/tile/<int:level>/<path:place>", signed_pages.tile, name="log-tile"),
    path("log/checkpoint", signed_pages.former_checkpoint, name="former-log-checkpoint"),
    path("log/tile/entries/<path:place>", signed_pages.former_entries, name="former-log-entries"),
    path("log/tile/<int:level>/<path:place>", signed_pages.former_tile, name="former-log-tile"),
    path("embed/match/<slug:match_id>/", share_pages.embedded_match, name="embed-match"),
    path("oembed", share_pages.oembed, name="oembed"),
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
