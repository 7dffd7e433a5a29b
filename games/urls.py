"""The URLs of this app: matches, rules, analyses, previews, the transparency log and others."""

from django.urls import path, re_path

from games.live.consumer import MatchSocket
from games.messages.script import script
from games.views import analysis, matches, previews, rules, transparency_log

urlpatterns = [
    path("rules/", rules.list_games, name="rules-index"),
    path("rules/<slug:slug>/", rules.show_game, name="rules"),
    path("analysis/", analysis.import_record, name="bring"),
    path("analysis/look.json", analysis.look, name="look"),
    path("analysis/<slug:slug>/", analysis.start, name="analysis-start"),
    path("analysis/<slug:slug>/game/<str:moves>/", analysis.game, name="analysis-game"),
    path("analysis/<slug:slug>/<path:notation>/", analysis.position, name="analysis-position"),
    path("match/<slug:match_id>/", matches.match, name="match"),
    path("match/<slug:match_id>/record.json", matches.record, name="record"),
    path("match/<slug:match_id>/picture.png", matches.picture, name="picture"),
    path("match/<slug:match_id>/position/<int:ply>.png", previews.position_png, name="ply-png"),
    path("match/<slug:match_id>/position/<int:ply>.svg", previews.position_svg, name="ply-svg"),
    path("match/<slug:match_id>/game.svg", previews.game_svg, name="game-svg"),
    path("match/<slug:match_id>/signed.json", transparency_log.signed_record, name="signed"),
    path(".well-known/parlour-keys.json", transparency_log.keys, name="keys"),
    path("log/2/checkpoint", transparency_log.checkpoint, name="log-checkpoint"),
    path("log/2/tile/entries/<path:place>", transparency_log.entries, name="log-entries"),
    path("log/2/tile/<int:level>/<path:place>", transparency_log.tile, name="log-tile"),
    path("log/checkpoint", transparency_log.former_checkpoint, name="former-log-checkpoint"),
    path(
        "log/tile/entries/<path:place>", transparency_log.former_entries, name="former-log-entries"
    ),
    path("log/tile/<int:level>/<path:place>", transparency_log.former_tile, name="former-log-tile"),
    path("embed/match/<slug:match_id>/", previews.embedded_match, name="embed-match"),
    path("oembed", previews.oembed, name="oembed"),
    path("match/<slug:match_id>/replay.json", matches.replay, name="replay"),
    path("match/<slug:match_id>/analysis/", matches.analysis_of_match, name="analysis"),
    path("match/<slug:match_id>/analysis.json", matches.analysis_json, name="analysis-json"),
    path("match/<slug:match_id>/report/", matches.report, name="report"),
    path("words/<slug:language>.<slug:digest>.js", script, name="words"),
    path("notice/<int:notice_id>/read/", matches.mark_notice_read, name="notice-read"),
]
websocket_urlpatterns = [
    re_path(r"^ws/match/(?P<match_id>[-a-zA-Z0-9_]{1,64})/$", MatchSocket.as_asgi()),
]
