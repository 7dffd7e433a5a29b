"""The URL patterns of the lobby."""

from django.urls import path, re_path

from lobby.accounts.token_views import consent
from lobby.api.oauth import metadata
from lobby.api.urls import urlpatterns as api
from lobby.live.consumer import LobbySocket
from lobby.views import (
    challenges,
    classes,
    games,
    groups,
    lobby,
    preferences,
    profile,
    ratings,
    tournament_actions,
    tournament_cards,
    tournament_exports,
    tournament_feeds,
    tournament_forms,
    tournament_series,
    tournaments,
    webhooks,
)
from lobby.views.guests import another_name, forget
from lobby.views.tv import embedded, wall

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("tv/", wall, name="tv"),
    path("embed/tv/", embedded, name="embed-tv"),
    path("guest/", lobby.guest, name="guest"),
    path("another-name/", another_name, name="another-name"),
    path("forget/", forget, name="forget"),
    path("computer/", lobby.computer, name="computer"),
    path("one-screen/", lobby.one_screen, name="one-screen"),
    path("seek/", lobby.seek, name="seek-new"),
    path("seek/<slug:seek_id>/", lobby.seek_page, name="seek"),
    path("seek/<slug:seek_id>/picture.png", lobby.seek_picture, name="seek-picture"),
    path("seek/<slug:seek_id>/accept/", lobby.seek_accept, name="seek-accept"),
    path("seek/<slug:seek_id>/cancel/", lobby.seek_cancel, name="seek-cancel"),
    path("ratings/", ratings.index, name="ratings"),
    path("ratings/bots/", ratings.bots, name="bot-ratings"),
    path("ratings/<slug:game>/", ratings.board, name="leaderboard"),
    path("players/", profile.search_players, name="players"),
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
    path("groups/", groups.own_groups, name="groups"),
    path("groups/join/", groups.ask_code, name="group-code"),
    path("groups/join/<str:code>/", groups.join, name="group-join"),
    path("groups/<slug:group_id>/", groups.group, name="group"),
    path("groups/<slug:group_id>/leave/", groups.leave, name="group-leave"),
    path("groups/<slug:group_id>/accounts/", classes.accounts, name="group-accounts"),
    path("groups/<slug:group_id>/code/", classes.code, name="group-new-code"),
    path("groups/<slug:group_id>/change/", classes.change, name="group-change"),
    path("groups/<slug:group_id>/dissolve/", classes.dissolve, name="group-dissolve"),
    path(
        "groups/<slug:group_id>/members/<int:player_id>/password/",
        classes.passwords,
        name="group-password",
    ),
    path("groups/<slug:group_id>/passwords/", classes.passwords, name="group-passwords"),
    path(
        "groups/<slug:group_id>/members/<int:player_id>/remove/",
        classes.remove,
        name="group-remove",
    ),
    path(
        "groups/<slug:group_id>/members/<int:player_id>/move/",
        classes.transfer,
        name="group-transfer",
    ),
    path(
        "groups/<slug:group_id>/transfers/<int:transfer_id>/",
        classes.transfer_answer,
        name="group-transfer-answer",
    ),
    path(
        "groups/<slug:group_id>/members/<int:player_id>/protection/",
        classes.protection,
        name="group-protection",
    ),
    path("groups/<slug:group_id>/everybody/", tournament_actions.everybody, name="group-everybody"),
    path("tournaments/", tournaments.index, name="tournaments"),
    path("tournaments/feed.atom", tournament_feeds.feed, name="tournaments-feed"),
    path("tournaments/calendar.ics", tournament_feeds.calendar, name="tournaments-calendar"),
    path("tournaments/new/", tournament_forms.new, name="tournament-new"),
    path("tournaments/series/<slug:series_id>/", tournament_series.series, name="series"),
    path("tournaments/<slug:tournament_id>/", tournaments.tournament, name="tournament"),
    path(
        "tournaments/<slug:tournament_id>/event.ics",
        tournament_feeds.event,
        name="tournament-event",
    ),
    path(
        "tournaments/<slug:tournament_id>/change/",
        tournament_forms.change,
        name="tournament-change",
    ),
    path(
        "tournaments/<slug:tournament_id>/do/<slug:act>/",
        tournament_actions.do,
        name="tournament-do",
    ),
    path(
        "tournaments/<slug:tournament_id>/player/<int:entry_id>/",
        tournament_cards.card,
        name="tournament-card",
    ),
    path(
        "tournaments/<slug:tournament_id>/pairing/<int:pairing_id>/",
        tournament_cards.why,
        name="tournament-pairing",
    ),
    path(
        "tournaments/<slug:tournament_id>/results.<slug:form>",
        tournament_exports.results,
        name="tournament-results",
    ),
    path("oauth", consent, name="oauth"),
    path(".well-known/oauth-authorization-server", metadata, name="oauth-metadata"),
    path("accounts/webhooks/", webhooks.webhooks, name="webhooks"),
    path("accounts/webhooks/<int:pk>/remove/", webhooks.remove, name="webhook-remove"),
    path("accounts/webhooks/<int:pk>/on/", webhooks.switch_on, name="webhook-on"),
    path("preferences/", preferences.preferences, name="preferences"),
    *api,
]
websocket_urlpatterns = [re_path(r"^ws/lobby/$", LobbySocket.as_asgi())]
