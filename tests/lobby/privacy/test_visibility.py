"""Only insiders may see a protected player and her matches, in every output that names players.

`WAYS` and `ACTS` are the table of every way in which a stranger might reach or learn of her.
Each address, operation of the API, message of a socket, line of a stream, mail, webhook and
command has a row in `ROWS`, or a reason in `REASONS` why it names nobody. The tests fail for any
that has neither.
"""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import timedelta
from difflib import unified_diff
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.core.management import get_commands
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

import games.live.frames
import games.live.protocol
import lobby.api.schemas.streams
import lobby.live.protocol
from config.urls import websocket_urlpatterns
from games.journal.opening import open_match
from games.live.admission import Applicant, look_up_applicants
from games.live.frames import CLOSE_RECONNECT, encode_bytes
from games.live.protocol import MatchPeople, StateFrame
from games.live.rooms import rooms
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Match
from games.runtime.db import (
    close_db_threads,
    in_db,
    in_db_for_chores,
    in_db_for_people,
    in_db_for_reading,
)
from games.runtime.streaming import NdjsonResponse, NdjsonStream
from games.runtime.tasks import end_loops
from games.store import heartbeat
from games.store.records import read_with_names, read_with_pairs
from games.store.visibility import (
    HIDDEN_NAME,
    can_see_player,
    find_hidden_players,
    find_visible_matches,
    get_names_for,
    get_pairs,
    mask_names_for_seats,
)
from lobby.accounts.merging import merge_guest
from lobby.api.operations import CALLS
from lobby.api.schema import described
from lobby.groups import membership, transfers
from lobby.groups.class_login import open_login
from lobby.live.groups import read_group_lobbies
from lobby.live.listing import (
    build_changes_frame,
    build_lobby_frame,
    list_board_changes,
    read_lobby,
)
from lobby.live.live_matches import clear_cache
from lobby.live.player_state import read_own
from lobby.live.tournaments import build_whole_frame as tournament_frame
from lobby.live.tournaments import read_tournament
from lobby.live.tv import read_wall
from lobby.management.commands.archive import list_lines as archived
from lobby.models import (
    Block,
    Delivery,
    Entry,
    FormerName,
    Group,
    Member,
    MemberLogin,
    Pairing,
    Player,
)
from lobby.players import blocks
from lobby.players.games import Filters, list_history
from lobby.privacy import export
from lobby.privacy.protection import are_kept_apart, protect_players
from lobby.privacy.visibility import build_visible_condition
from lobby.privacy.visibility import build_visible_matches_condition as visible_rows
from lobby.seeks import challenges, matchmaking
from lobby.seeks.one_screen import get_friend, open_one_screen_match
from lobby.tournaments.locking import log_action
from lobby.tournaments.views import get_nearby_rows
from tests.builders.groups import create_group
from tests.builders.matches import create_finished_match, create_match
from tests.builders.players import create_organiser, create_player
from tests.builders.prepared import Snapshot
from tests.builders.protected_player import (
    INSIDERS,
    LIVE,
    NAME,
    NOBODY,
    STRANGERS,
    UNKNOWN,
    World,
    get_whole_text,
)
from tests.builders.tournaments import (
    create_tournament,
    join_players,
    run_due_steps,
    start_tournament,
)

pytestmark = pytest.mark.django_db(transaction=True)

Ask = Callable[[World, str], tuple[int, str]]
SETUP = Setup("tic-tac-toe")
DB_THREADS = (in_db, in_db_for_chores, in_db_for_people, in_db_for_reading)


class Row(Struct, frozen=True):
    """A request by each viewer.

    `shown_to` is a viewer who would see her if she were not protected, which proves that the row
    can fail. It is None if the answer never depends on protection; `why` is the reason.
    """

    ask: Ask
    shown_to: str | None = "stranger"
    why: str = ""


class ByMatch(Struct, frozen=True):
    """A request for one of her matches; `ask` receives its id.

    Viewers other than insiders get the response for an unknown match. `seen` is the status for
    insiders, or None if it varies.
    """

    ask: Callable[[World, str, str], tuple[int, str]]
    is_for_all: bool = False  # every viewer gets the public response


class ByName(Struct, frozen=True):
    """A request for her by name. Strangers get the response for an unknown name."""

    ask: Callable[[World, str, str], tuple[int, str]]
    seen: int | None = 200


def page(path: str | Callable[[World], str]) -> Ask:
    def ask(world: World, viewer: str) -> tuple[int, str]:
        clear_cache()
        where = path if isinstance(path, str) else path(world)
        return get_whole_text(world.client(viewer).get(where))

    return ask


def log_in_to_class(world: World, viewer: str) -> tuple[int, str]:
    """Read the log-in page of her class, which is open, and on which she uses pictures."""
    open_login(world.group, world.olga, 1)
    hers = Member.objects.get(group=world.group, player=world.nora)
    known = {"pictures_hash": "x", "changed_at": timezone.now()}
    MemberLogin.objects.update_or_create(member=hers, defaults=known)
    return get_whole_text(world.client(viewer).get(f"/groups/{world.group.pk}/login/"))


def match_page(path: str, method: str = "GET") -> Callable[[World, str, str], tuple[int, str]]:
    def ask(world: World, viewer: str, match_id: str) -> tuple[int, str]:
        return get_whole_text(world.client(viewer).generic(method, path.format(match_id)))

    return ask


def name_page(path: str, method: str = "GET") -> Callable[[World, str, str], tuple[int, str]]:
    def ask(world: World, viewer: str, name: str) -> tuple[int, str]:
        return get_whole_text(
            world.client(viewer).generic(method, path.format(name.replace(" ", "%20")))
        )

    return ask


def call(method: str, path: str | Callable[[World], str], body: Any = None) -> Ask:
    def ask(world: World, viewer: str) -> tuple[int, str]:
        clear_cache()
        where = path if isinstance(path, str) else path(world)
        said = body(world) if callable(body) else body
        return followed(world.api(viewer, method, f"/api{where}", said))

    return ask


def by_match(
    method: str, path: str, body: Any = None
) -> Callable[[World, str, str], tuple[int, str]]:
    def ask(world: World, viewer: str, match_id: str) -> tuple[int, str]:
        said = body(match_id) if callable(body) else body
        return followed(world.api(viewer, method, path.format(match_id), said))

    return ask


def by_name(
    method: str, path: str, body: Any = None
) -> Callable[[World, str, str], tuple[int, str]]:
    def ask(world: World, viewer: str, name: str) -> tuple[int, str]:
        where = f"/api{path.format(name.replace(' ', '%20'))}"
        said = body(name) if callable(body) else body
        return followed(world.api(viewer, method, where, said))

    return ask


class Sink:
    """The collected text of a stream."""

    def __init__(self) -> None:
        self.text = b""

    def write(self, data: bytes) -> bool:
        self.text += data
        return True

    def finish(self) -> None:
        pass


def followed(answer: Any) -> tuple[int, str]:
    """Return the status and text of a response, or the first lines of a stream."""
    if not isinstance(answer, NdjsonResponse):
        return get_whole_text(answer)
    sink = Sink()

    async def follow() -> None:
        line = NdjsonStream(sink, answer.follower)
        try:
            await line.begin()
            for _ in range(5):  # let it read on other threads, then write, then read again
                await asyncio.gather(*(thread(int) for thread in DB_THREADS))
                await asyncio.sleep(0.002)
        finally:
            line.end()
            await asyncio.sleep(0)
            await end_loops()
            close_db_threads()

    asyncio.run(follow())
    return answer.status_code, sink.text.decode()


# -- sockets, at the level that makes the decision


def match_socket(world: World, viewer: str, match_id: str) -> tuple[int, str]:
    """Return the first frame of a match socket; 404 if the socket is closed with 4404."""
    client = world.client(viewer)
    (admitted,) = look_up_applicants([Applicant(_key(client), match_id)])
    if admitted.state is None:
        return 404, ""
    around = MatchPeople(admitted.names, hidden=admitted.privacy.hidden)
    shown = StateFrame(admitted.state, around)
    # A patch from an empty room has the names, as a whole state does.
    former = StateFrame(admitted.state, replace(around, names=("", ""), hidden=(False, False)))
    return 200, (shown.for_seats(admitted.seats).text + shown.since(former, admitted.seats).text)


def _key(client: Any) -> str:
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    return cookie.value if cookie else ""


def frame(make: Callable[[World, Any], Any]) -> Ask:
    def ask(world: World, viewer: str) -> tuple[int, str]:
        clear_cache()
        return 200, encode_bytes(make(world, world.people[viewer])).decode()

    return ask


def _lobby(world: World, who: Any) -> Any:
    shown = read_lobby()
    return [build_lobby_frame(shown), list_board_changes(shown)]


def _changes(world: World, who: Any) -> Any:
    shown = read_lobby()
    none = msgspec.structs.replace(shown, seeks={}, matches={}, boards={})
    return build_changes_frame(none, shown)


def _own(world: World, who: Any) -> Any:
    return {} if who is None else read_own([who.pk])[who.pk]


def _tournament(world: World, who: Any) -> Any:
    return tournament_frame(read_tournament(world.event))


def _place(world: World, who: Any) -> Any:
    shown = read_tournament(world.event)
    return get_nearby_rows(shown.lines, 1)


def _group(world: World, who: Any) -> Any:
    """Return the group lobbies as shown to their members: `LobbySocket.open` checks membership."""
    lobbies = read_group_lobbies([world.group.pk, world.club.pk])
    is_in = who is not None and membership.get_group(who.pk, world.group.pk) is not None
    return lobbies[world.group.pk if is_in else world.club.pk]


# -- files


def _download(world: World, viewer: str) -> tuple[int, str]:
    who = world.people[viewer]
    if who is None:
        return 403, ""

    async def pieces() -> bytes:
        try:
            return b"".join([each async for each in export.stream_export(who)])
        finally:
            await end_loops()
            close_db_threads()

    return 200, asyncio.run(pieces()).decode()


def _archive(world: World, viewer: str) -> tuple[int, str]:
    ended_at = world.past.ended_at
    assert ended_at is not None
    text = b"".join(archived(ended_at.year, ended_at.month)).decode()
    actions = [move.action for move in world.past.moves.order_by("ply")]
    found = [f"{NAME} " for each in text.splitlines() if json.loads(each)["actions"] == actions]
    return 200, " ".join(found)


def _hooks(world: World, viewer: str) -> tuple[int, str]:
    """Return the bodies sent to the opponent's webhook, which concern only his own matches."""
    bodies = Delivery.objects.filter(hook=world.hook).values_list("body", flat=True)
    return 200, "\n".join(bodies) if viewer == "opponent" else ""


OTTO = "Otto%20Past"

PAGES: dict[str, Row | ByMatch | ByName] = {
    "match/<slug:match_id>/": ByMatch(match_page("/match/{}/")),
    "match/<slug:match_id>/record.json": ByMatch(match_page("/match/{}/record.json")),
    "match/<slug:match_id>/picture.png": ByMatch(match_page("/match/{}/picture.png")),
    "match/<slug:match_id>/position/<int:ply>.png": ByMatch(match_page("/match/{}/position/1.png")),
    "match/<slug:match_id>/position/<int:ply>.svg": ByMatch(match_page("/match/{}/position/1.svg")),
    "match/<slug:match_id>/game.svg": ByMatch(match_page("/match/{}/game.svg")),
    "match/<slug:match_id>/signed.json": ByMatch(match_page("/match/{}/signed.json")),
    "match/<slug:match_id>/replay.json": ByMatch(match_page("/match/{}/replay.json")),
    "match/<slug:match_id>/analysis/": ByMatch(match_page("/match/{}/analysis/", "POST")),
    "match/<slug:match_id>/analysis.json": ByMatch(match_page("/match/{}/analysis.json")),
    "match/<slug:match_id>/report/": ByMatch(match_page("/match/{}/report/", "POST")),
    "embed/match/<slug:match_id>/": ByMatch(match_page("/embed/match/{}/"), is_for_all=True),
    "oembed": ByMatch(match_page(f"/oembed?url={settings.ALLOWED_ORIGINS[0]}/match/{{}}/"), True),
    "game/export/<str:game_id>": ByMatch(by_match("GET", "/game/export/{}")),
    "player/<str:name>/": ByName(name_page("/player/{}/")),
    "player/<str:name>/games.json": ByName(name_page("/player/{}/games.json")),
    "player/<str:name>/challenge/": ByName(name_page("/player/{}/challenge/")),
    "player/<str:name>/block/": ByName(name_page("/player/{}/block/", "POST"), None),
    "player/<str:name>/unblock/": ByName(name_page("/player/{}/unblock/", "POST"), None),
    "player/<str:name>/report/": ByName(name_page("/player/{}/report/", "POST"), None),
    "players/": Row(page(f"/players/?q={NAME[:4]}")),
    "players/names.json": Row(page(f"/players/names.json?q={NAME[:4]}")),
    "": Row(page("/")),
    "tv/": Row(page("/tv/")),
    "embed/tv/": Row(page("/embed/tv/")),
    "seek/<slug:seek_id>/": Row(page(lambda world: f"/seek/{world.invitation.pk}/")),
    "seek/<slug:seek_id>/picture.png": Row(
        lambda world, viewer: _picture(world, viewer, f"/seek/{world.invitation.pk}/picture.png")
    ),
    "ratings/": Row(page("/ratings/")),
    "ratings/bots/": Row(page("/ratings/bots/"), None, "only bots are in it"),
    "ratings/<slug:game>/": Row(page(f"/ratings/{LIVE}/")),
    "challenge/<slug:challenge_id>/": Row(
        page(lambda world: f"/challenge/{world.challenge.pk}/"), "opponent"
    ),
    "games/": Row(page("/games/"), "opponent"),
    "games/mine.jsonl": Row(page("/games/mine.jsonl"), "opponent"),
    "preferences/": Row(page("/preferences/"), None, "a block of hers: see test_blocked_players"),
    "groups/": Row(page("/groups/"), None, "names groups"),
    "groups/<slug:group_id>/login/": Row(
        log_in_to_class, None, "names its members only to a device that knows the class's code"
    ),
    "groups/<slug:group_id>/": Row(page(lambda world: f"/groups/{world.group.pk}/"), "member"),
    "tournaments/": Row(page("/tournaments/"), "stranger"),
    "tournaments/feed.atom": Row(page("/tournaments/feed.atom")),
    "tournaments/calendar.ics": Row(page("/tournaments/calendar.ics"), None, "names no player"),
    "tournaments/series/<slug:series_id>/": Row(
        page(lambda world: f"/tournaments/series/{world.series.pk}/"), None, "see test_seasons"
    ),
    "tournaments/<slug:tournament_id>/": Row(
        lambda world, viewer: _all(
            page(f"/tournaments/{world.event.pk}/"),
            page(f"/tournaments/{world.event.pk}/?round=1"),
            page(f"/tournaments/{world.event.pk}/?display"),
            page(f"/tournaments/{world.hers.pk}/"),
        )(world, viewer)
    ),
    "tournaments/<slug:tournament_id>/event.ics": Row(
        page(lambda world: f"/tournaments/{world.event.pk}/event.ics"), None, "names no player"
    ),
    "tournaments/<slug:tournament_id>/player/<int:entry_id>/": Row(
        lambda world, viewer: _all(
            *(page(f"/tournaments/{world.event.pk}/player/{pk}/") for pk in _entries(world))
        )(world, viewer)
    ),
    "tournaments/<slug:tournament_id>/pairing/<int:pairing_id>/": Row(
        lambda world, viewer: _all(
            *(page(f"/tournaments/{world.event.pk}/pairing/{pk}/") for pk in _pairings(world))
        )(world, viewer)
    ),
    "tournaments/<slug:tournament_id>/results.<slug:form>": Row(
        lambda world, viewer: _all(
            *(
                page(f"/tournaments/{world.event.pk}/results.{form}")
                for form in ("json", "csv", "trf")
            )
        )(world, viewer)
    ),
    "accounts/download/": Row(_download, "opponent"),
}


def _all(*asks: Ask) -> Ask:
    """Combine several requests into one row."""

    def ask(world: World, viewer: str) -> tuple[int, str]:
        answers = [each(world, viewer) for each in asks]
        return max(status for status, _ in answers), " ".join(text for _, text in answers)

    return ask


def _picture(world: World, viewer: str, path: str) -> tuple[int, str]:
    """Return the ETag of a picture, which covers all that it draws."""
    answer = world.client(viewer).get(path)
    return answer.status_code, world.invitation.pk if answer.status_code == 200 else ""


def _entries(world: World) -> list[int]:
    """Return her entry, and that of the viewer who met her."""
    return [world.entry.pk, world.event.entries.get(player=world.otto).pk]


def _pairings(world: World) -> list[int]:
    """Return a pairing with her in each seat, and one of two others."""
    rows = Pairing.objects.filter(tournament=world.event, second__isnull=False)
    hers = rows.filter(first=world.entry), rows.filter(second=world.entry)
    others = rows.exclude(first=world.entry).exclude(second=world.entry)
    return [each.order_by("pk")[0].pk for each in (*hers, others)]


OPERATIONS: dict[str, Row | ByMatch | ByName] = {
    "user": ByName(by_name("GET", "/user/{}")),
    "users": ByName(by_name("POST", "/users", lambda name: f"Otto Past,{name}")),
    "status": ByName(by_name("GET", "/users/status?ids={},Otto%20Past&withGameIds=true")),
    "rating-history": ByName(by_name("GET", "/user/{}/rating-history")),
    "performance": ByName(by_name("GET", f"/user/{{}}/perf/{LIVE}")),
    "crosstable": ByName(
        lambda world, viewer, name: _two(
            by_name("GET", f"/crosstable/{{}}/{OTTO}")(world, viewer, name),
            by_name("GET", f"/crosstable/{OTTO}/{{}}")(world, viewer, name),
        )
    ),
    "games-of-user": ByName(
        lambda world, viewer, name: _two(
            by_name("GET", "/games/user/{}?ongoing=true")(world, viewer, name),
            by_name("GET", f"/games/user/{OTTO}?vs={{}}")(world, viewer, name),
        )
    ),
    "current-game": ByName(by_name("GET", "/user/{}/current-game")),
    "challenge-player": ByName(by_name("POST", "/challenge/{}"), None),
    "tournaments-made-by": ByName(by_name("GET", "/user/{}/tournament/created")),
    "export-game": ByMatch(by_match("GET", "/api/games/export/{}")),
    "export-moves": ByMatch(by_match("GET", "/api/games/export/{}/moves.kif")),
    "export-games": Row(
        call("POST", "/games/export/_ids", lambda world: ",".join(sorted(world.secret_ids)))
    ),
    "stream-game": ByMatch(by_match("GET", "/api/stream/game/{}")),
    "stream-games": Row(
        call("POST", "/stream/games/x", lambda world: ",".join(sorted(world.secret_ids)))
    ),
    "stream-games-of-users": Row(
        call(
            "POST",
            "/stream/games-by-users?withCurrentGames=true",
            lambda world: f"{NAME},{world.ben.username}",
        )
    ),
    **{
        f"board-{name}": ByMatch(by_match(method, f"/api/board/game/{{}}/{path}", body))
        for name, method, path, body in (
            ("move", "POST", "move/place%208%208", None),
            ("resign", "POST", "resign", None),
            ("abort", "POST", "abort", None),
            ("draw", "POST", "draw/yes", None),
            ("claim-victory", "POST", "claim-victory", None),
            ("claim-draw", "POST", "claim-draw", None),
            ("say", "POST", "chat", {"text": "hello"}),
            ("chat", "GET", "chat", None),
            ("legal", "GET", "legal", None),
        )
    },
    "bot-move": ByMatch(by_match("POST", "/api/bot/game/{}/move/place%208%208")),
    "stream-board-game": ByMatch(by_match("GET", "/api/board/game/stream/{}")),
    "stream-bot-game": ByMatch(by_match("GET", "/api/bot/game/stream/{}")),
    "stream-events": Row(call("GET", "/stream/event"), "opponent"),
    "own-challenges": Row(call("GET", "/challenge"), None, "only open ones: hers have ended"),
    "show-challenge": Row(
        call("GET", lambda world: f"/challenge/{world.challenge.pk}/show"), "opponent"
    ),
    "accept-challenge": Row(
        call("POST", lambda world: f"/challenge/{world.invitation.pk}/accept"),
        None,
        "says nothing but whether it was done",
    ),
    "playing": Row(call("GET", "/account/playing"), None, "live games with strangers have ended"),
    "top": Row(call("GET", "/player")),
    "leaderboard": Row(call("GET", f"/player/top/10/{LIVE}")),
    "online-bots": Row(call("GET", "/bot/online"), None, "only bots are in it"),
    "channels": Row(call("GET", "/tv/channels")),
    "feed": Row(call("GET", "/tv/feed")),
    "channel-feed": Row(call("GET", f"/tv/{LIVE}/feed")),
    "channel-games": Row(call("GET", f"/tv/{LIVE}")),
    "tournaments": Row(call("GET", "/tournament")),
    "tournament": Row(
        lambda world, viewer: _all(
            call("GET", f"/tournament/{world.event.pk}"),
            call("GET", f"/tournament/{world.hers.pk}"),
        )(world, viewer)
    ),
    "tournament-results": Row(call("GET", lambda world: f"/tournament/{world.event.pk}/results")),
    "tournament-games": Row(call("GET", lambda world: f"/tournament/{world.event.pk}/games")),
}


def _two(one: tuple[int, str], other: tuple[int, str]) -> tuple[int, str]:
    return max(one[0], other[0]), one[1] + other[1]


SOCKETS: dict[str, Row | ByMatch] = {
    "state and patch": ByMatch(match_socket),
    "lobby": Row(frame(_lobby)),
    "changes": Row(frame(_changes)),
    "own": Row(frame(_own), "opponent"),
    "wall": Row(frame(lambda world, who: [entry.match for entry in read_wall()])),
    "group": Row(frame(_group), "member"),
    "tournament": Row(frame(_tournament)),
    "place": Row(frame(_place)),
}

LINES = {
    "gameStart": "stream-events",
    "challengeDeclined": "stream-events",
    "gameFull": "stream-board-game",
    "featured": "feed",
}
"""Lines of streams, which the rows of these operations cover."""

OTHERS: dict[str, Row] = {
    "webhook match": Row(_hooks, "opponent"),
    "command archive": Row(_archive),
}

_FORM = "changes something of the viewer's own, and names nobody"
_SELF = "names only who asks"
REASONS: dict[str, str] = {
    r"admin/.*": "staff alone, who see everything; tests/games/review has who may ask for what",
    r"accounts/(?!download/).*": _SELF,
    r"favicon\.ico|manifest.webmanifest|service-worker.js|offline/|words/.*": "names nobody",
    r"guest/|another-name/|forget/|language/|computer/|one-screen/|seek/": _FORM,
    r"seek/<slug:seek_id>/(accept|cancel)/": "leads to another page: the invitation's own, or none",
    r"challenge/<slug:challenge_id>/(accept|decline|withdraw)/": "as the challenge's page, or none",
    r"groups/join/.*": "names the organiser, who is no minor",
    "class/": "asks for a code, and names nobody",
    "groups/<slug:group_id>/login/<int:player_id>/": "without the code, redirects to class/",
    r"groups/<slug:group_id>/(?!login/$).+": "for members or the organiser of that group alone",
    r"tournaments/new/|tournaments/<slug:tournament_id>/(change|do)/.*": "for the organiser alone",
    r"oauth|\.well-known/.*|api/openapi.json|api/docs/.*": "names nobody",
    r"log/.*": "entries of the log name neither matches nor players: tests/games/transparency_log",
    r"rules/.*|analysis/.*": "positions that the visitor brought; no match of the site",
    r"notice/<int:notice_id>/read/": _FORM,
}
"""Addresses that name no other player."""

CALL_REASONS = {
    **dict.fromkeys(
        ("account", "email", "own-preferences", "upgrade", "check-tokens", "found-tokens"), _SELF
    ),
    **dict.fromkeys(("revoke-token", "exchange-code", "seek", "challenge-computer"), _FORM),
    **dict.fromkeys(("challenge-open", "make-tournament", "end-tournament"), _SELF),
    **dict.fromkeys(("join-tournament", "withdraw-from-tournament"), _FORM),
    "game-sheet": "names nobody",
    **dict.fromkeys(
        (
            *("bot-resign", "bot-abort", "bot-draw", "bot-claim-victory", "bot-claim-draw"),
            *("bot-say", "bot-chat", "bot-legal"),
        ),
        "as bot-move: persons are refused before a match is read",
    ),
    **dict.fromkeys(("decline-challenge", "cancel-challenge"), "as show-challenge, or nothing"),
}

FRAME_REASONS = {
    **dict.fromkeys(("pong", "error", "there"), "names nobody"),
    **dict.fromkeys(("seeking", "cancelled", "paired"), "the tab's own search, by its id"),
    "phrase": "names a role",
    **dict.fromkeys(("gameState", "opponentGone"), "names nobody; only to the match's players"),
    "chatLine": "to the match's players, by the names that they read: test_phrases",
    "gameFinish": "as gameStart",
    **dict.fromkeys(("challenge", "challengeCanceled"), "as challengeDeclined"),
    "fen": "as featured",
}
_ASKED = {"ping", "echo", "seek", "join", "cancel", "resume", "look"}  # sent by clients

COMMAND_REASONS = {
    **dict.fromkeys(("backup", "restore"), "the operator's copy of everything"),
    **dict.fromkeys(("bots", "listen", "referee", "serve"), "run the site"),
    **dict.fromkeys(("erase_player", "reset_factor", "token"), "the operator names an account"),
    **dict.fromkeys(
        ("verify_matches", "verify_log", "verify_ratings", "verify_tournaments", "histories"),
        "says ids to the operator alone",
    ),
    **dict.fromkeys(("create_staff", "make_organiser"), "the operator names an account"),
    **dict.fromkeys(("add_game", "install_service", "update"), "read no player"),
    "seed_demo": "on a database of its own",
    "log_matches": "writes the log, whose entries name nobody",
}


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[World, Snapshot]]:
    with django_db_blocker.unblock():
        empty = Snapshot()
        clear_cache()
        try:
            yield World(), Snapshot()
        finally:
            empty.restore()


@pytest.fixture
def world(built: tuple[World, Snapshot]) -> Iterator[World]:
    heartbeat._known.__dict__.clear()
    clear_cache()
    built[1].restore()
    yield deepcopy(built[0])
    heartbeat._known.__dict__.clear()
    clear_cache()


# -- nothing is left out


def routes(resolver: Any, before: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from routes(each, before + str(each.pattern))
        elif isinstance(each, URLPattern):
            yield before + str(each.pattern)


def test_every_address_has_a_row() -> None:
    found = {each for each in routes(get_resolver()) if not re.match(r"api/(?!docs|openapi)", each)}
    reasoned = {each for each in found if any(re.fullmatch(why, each) for why in REASONS)}
    assert found - reasoned - PAGES.keys() == set()
    assert PAGES.keys() - found == set()


def test_every_operation_of_the_api_has_a_row() -> None:
    found = {
        operation["operationId"]
        for operations in described()["paths"].values()
        for operation in operations.values()
    }
    assert found == set(CALLS)
    assert found - OPERATIONS.keys() - CALL_REASONS.keys() == set()
    assert OPERATIONS.keys() - found == set()
    hidden = {each for each in routes(get_resolver()) if each.startswith("api/")}
    known = {re.sub(r"\{(\w+)\}", r"<\1>", path).lstrip("/") for path in described()["paths"]}
    simple = {re.sub(r"<\w+:", "<", each) for each in hidden}
    assert simple - known <= {
        "api/", "api/openapi.json", "api/docs/", "api/docs/differences/",
        *(f"api/{kind}/game/<game_id>/claim-victory/" for kind in ("board", "bot")),
    }  # fmt: skip


def test_every_message_has_a_row() -> None:
    modules = (
        *(games.live.frames, games.live.protocol, lobby.live.protocol),
        *(lobby.api.schemas.streams, lobby.api.schemas.streams),
    )
    found = {
        str(each.__struct_config__.tag)
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Struct) and each.__struct_config__.tag
    }
    shown = set(chain(*(each.split(" and ") for each in SOCKETS)))
    assert found - shown - LINES.keys() - FRAME_REASONS.keys() - _ASKED == set()
    assert set(LINES.values()) <= OPERATIONS.keys()
    assert {str(each.pattern) for each in websocket_urlpatterns} == {
        r"^ws/lobby/$", r"^ws/match/(?P<match_id>[-a-zA-Z0-9_]{1,64})/$", "",
    }  # fmt: skip


def test_every_mail_command_and_webhook_has_a_row() -> None:
    mails = (Path(settings.BASE_DIR) / "templates/account/email").iterdir()
    read = set(chain(*(re.findall(r"{{ ?(\w+)", each.read_text()) for each in mails)))
    # The recipient and the recipient's own actions, but no other player.
    assert read <= {
        *("activate_url", "code", "device", "from_email", "name", "password_reset_url"),
        *("site_name", "to_email", "username"),
    }
    own = {name for name, app in get_commands().items() if app in {"config", "games", "lobby"}}
    rows = {each.removeprefix("command ") for each in OTHERS}
    assert own - rows - COMMAND_REASONS.keys() == set()


# -- and nothing leaks


@pytest.mark.parametrize("viewer", INSIDERS)
def test_what_insiders_read(world: World, viewer: str) -> None:
    failed = []
    for key, row in ROWS.items():
        if isinstance(row, Row) and row.shown_to is None:
            continue  # insiders read what everybody reads
        failed += [(key, each) for each in _faults(world, viewer, row)]
    assert failed == []


ROWS: dict[str, Any] = {
    **{f"page /{key}": row for key, row in PAGES.items()},
    **{f"api {key}": row for key, row in OPERATIONS.items()},
    **{f"frame {key}": row for key, row in SOCKETS.items()},
    **OTHERS,
}
"""All rows, by the kind of output and its name."""

WAYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "profile": (
        "404, as for an unknown name",
        ("page /player/<str:name>/", "page /player/<str:name>/games.json", "api user*"),
    ),
    "status and performance": ("as for an unknown name", ("api status", "api performance")),
    "player search": ("no result", ("page /players/", "page /players/names.json")),
    "challenge": (
        "as for an unknown name; who challenged before reads nothing of it any more",
        (
            *("page /player/<str:name>/challenge/", "page /challenge/*", "api challenge-player"),
            *("api own-challenges", "api show-challenge", "api accept-challenge"),
        ),
    ),
    "block and report": (
        "as for an unknown name or match",
        ("page /player/<str:name>/*block/", "page */report/", "page /preferences/"),
    ),
    "invitation link": ("404, and no picture", ("page /seek/*",)),
    "lobby: seeks, offers and live games": (
        "nothing",
        ("page /", "frame lobby", "frame changes", "frame own"),
    ),
    "TV": ("nothing", ("page /tv/", "frame wall", "api feed", "api chann*")),
    "embeds": ("the answer for an unknown match", ("page /embed/*", "page /oembed")),
    "match page and analysis": (
        "404; an earlier opponent reads “Hidden player”",
        (
            *("page /match/<slug:match_id>/", "page /match/<slug:match_id>/analysis*"),
            *("page /match/<slug:match_id>/replay.json", "frame state and patch"),
        ),
    ),
    "records": (
        "404; an earlier opponent reads “Hidden player”",
        (
            *("page *record.json", "page *signed.json", "page /game/export/*", "api export-game*"),
            *("api export-moves", "api games-of-user"),
        ),
    ),
    "pictures": ("404", ("page *picture.png", "page *<int:ply>.*", "page *game.svg")),
    "playing through the API": (
        "404",
        ("api board-*", "api bot-*", "api stream-b*-game", "api playing", "api current-game"),
    ),
    "streams of the API": (
        "nothing",
        (*("api stream-events", "api stream-game*", "api stream-games-of-users"),),
    ),
    "webhooks": ("bodies without the name", ("webhook match",)),
    "ratings and leaderboards": (
        "not listed",
        ("page /ratings/*", "api rating-history", "api top", "api leaderboard", "api online-bots"),
    ),
    "crosstable of two players": ("as for an unknown name", ("api crosstable",)),
    "public tournaments": (
        "“Player 7” with points and results, no link, no game",
        (
            *("page /tournaments/", "page /tournaments/<slug:tournament_id>/"),
            *("page *player/<int:entry_id>/", "page *pairing/<int:pairing_id>/", "api tournament*"),
            *("frame tournament", "frame place"),
        ),
    ),
    "files of tournaments (TRF, CSV, JSON)": ("“Player 7”", ("page *results.<slug:form>",)),
    "feeds and calendars": ("no names", ("page *.atom", "page *.ics")),
    "seasons of tournaments": ("“Player 7”", ("page /tournaments/series/*",)),
    "the class: page, lobby and log-in": ("404", ("page /groups/*", "frame group")),
    "the games and the export of an opponent": (
        "the opponent's own games, with “Hidden player”",
        ("page /games/*", "page /accounts/download/"),
    ),
    "the public archive": ("none of the games", ("command archive",)),
}
"""Every way to reach or learn of a protected player by reading: what a stranger gets, and the rows.

A row belongs to the last way that has a pattern for it."""


def get_rows_of(way: str) -> dict[str, Any]:
    owner = {
        key: name
        for name, (_, patterns) in WAYS.items()
        for pattern in patterns
        for key in ROWS
        if fnmatchcase(key, pattern)
    }
    return {key: ROWS[key] for key, name in owner.items() if name == way}


def test_every_row_belongs_to_a_way() -> None:
    found = {way: get_rows_of(way).keys() for way in WAYS}
    assert all(found.values())
    assert ROWS.keys() - set().union(*found.values()) == set()
    for way, (_, patterns) in WAYS.items():
        for pattern in patterns:
            assert any(fnmatchcase(key, pattern) for key in ROWS), (way, pattern)


@pytest.mark.parametrize("way", WAYS)
def test_no_stranger_learns_of_her_by_reading(world: World, way: str) -> None:
    failed = []
    for key, row in get_rows_of(way).items():
        # Guests have no tokens: to the API, they are as anonymous as visitors.
        for viewer in STRANGERS if not key.startswith("api ") else set(STRANGERS) - {"guest"}:
            failed += [(key, viewer, each) for each in _faults(world, viewer, row)]
    assert failed == []


# -- ways that are not one address


def by_seeking(world: World, viewer: str) -> Iterator[str]:
    """Her seek in the class is neither listed, counted nor offered, and nobody can join it."""
    who = world.people[viewer]
    before = read_lobby()
    seek = matchmaking.create_seek(world.nora.pk, SETUP, group_id=world.group.pk)
    after = read_lobby()
    if (before.seeks.keys(), before.matches.keys()) != (after.seeks.keys(), after.matches.keys()):
        yield "the lobby lists it"
    if who is not None:
        own = encode_bytes(read_own([who.pk])[who.pk]).decode()
        if seek.pk in own or NAME in own:
            yield "it is offered"
        for pk in (seek.pk, world.invitation.pk):
            yield from must_refuse("taken", matchmaking.join_seek, who.pk, pk)


def by_challenging(world: World, viewer: str) -> Iterator[str]:
    who = world.people[viewer]
    if who is not None:
        challenge = challenges.create_challenge
        yield from must_refuse("no-challenges", challenge, who.pk, world.nora.pk, SETUP)
        yield from must_refuse("group-only", challenge, world.nora.pk, who.pk, SETUP)
        for people in ((who.pk, world.nora.pk), (world.nora.pk, who.pk)):
            yield from must_refuse("not-allowed", open_arranged_now, *people)


def open_arranged_now(first_id: int, second_id: int) -> None:
    with transaction.atomic():
        open_match(SETUP, first_id, second_id)


def by_inviting(world: World, viewer: str) -> Iterator[str]:
    """An organiser of a tournament by invitation gets the same answer as for an unknown name."""
    who = world.people[viewer]
    if who is None or who.is_guest:
        return
    made = create_tournament(who, registration="invitation", name="By invitation")
    path = f"/tournaments/{made.pk}/do/add/"
    said = []
    for name in (NAME, NOBODY):
        answer = world.client(viewer).post(path, {"player": name}, follow=True)
        page, _, _ = get_whole_text(answer)[1].partition('<script id="frame"')  # has times
        said.append(_without_name(page, name))
    if said[0] != said[1]:
        yield "\n".join(unified_diff(*(each.splitlines() for each in said), n=0, lineterm=""))
    if Entry.objects.filter(tournament=made).exclude(player=who).exists():
        yield "she is entered"


def by_other_names(world: World, viewer: str) -> Iterator[str]:
    """Neither her former name, her guest's name nor her friend at one screen lead to her."""
    FormerName.objects.create(
        player=world.nora,
        name="Norakin",
        name_key="norakin",
        until=timezone.now() + timedelta(days=9),
    )
    guest = create_player("Low Lynx", is_guest=True)
    merge_guest(guest.pk, world.nora.pk)
    friend = get_friend(Player.objects.get(pk=world.nora.pk))
    for name in ("Norakin", "Low Lynx", friend.username):
        path = f"/player/{name.replace(' ', '%20')}/"
        status, text = get_whole_text(world.client(viewer).get(path))
        if status != 404 or world.leaks(viewer, _without_name(text, name)):
            yield f"{name}: {status}"


def by_signing_up(world: World, viewer: str) -> Iterator[str]:
    """The form says of her name what it says of any name that is taken."""
    if world.people[viewer] is not None and not world.people[viewer].is_guest:
        return
    said = []
    for name in (NAME, "Quin Four"):
        form = {"username": name, "password1": "amber-otter-472-x"}
        text = get_whole_text(world.client(viewer).post("/accounts/signup/", form))[1]
        said.append(_without_name(text, name))
    if said[0] != said[1]:
        yield "another answer than for a public player"


def by_the_admin(world: World, viewer: str) -> Iterator[str]:
    """The pages of moderators lead strangers to the login."""
    for path in (
        "/admin/",
        f"/admin/lobby/player/{world.nora.pk}/change/",
        f"/admin/lobby/player/?q={NAME[:4]}",
        f"/admin/lobby/group/{world.group.pk}/change/",
        f"/admin/games/match/{world.past.pk}/change/",
        "/admin/games/case/",
    ):
        status, text = get_whole_text(world.client(viewer).get(path))
        if status not in (302, 403, 404) or NAME in text:
            yield f"{path}: {status}"


def by_the_code_of_another_class(world: World, viewer: str) -> Iterator[str]:
    """The organiser of another class learns her name only when she is offered to that class."""
    other = create_group(create_organiser("Otto Brook"), for_minors=True)
    assert other.organiser is not None
    transfers.offer_transfer(world.olga, world.group.pk, world.nora.pk, other.pk)
    for path in (f"/groups/{other.pk}/", f"/groups/{world.group.pk}/"):
        if world.leaks(viewer, get_whole_text(world.client(viewer).get(path))[1]):
            yield path
    if can_see_player(other.organiser.pk, world.nora.pk):
        yield "the other organiser sees her before she is there"
    if not can_see_player(world.olga.pk, world.nora.pk):
        yield "her own organiser does not see her"


def after_removal(world: World) -> Iterator[None]:
    """The moment after she was removed, she is as hidden as before, also from her class."""
    membership.remove_member(world.group.pk, world.nora.pk)
    yield


def after_a_move(world: World) -> Iterator[None]:
    """The same when she was moved to another class of the same organiser."""
    other = create_group(world.olga, for_minors=True)
    transfers.offer_transfer(world.olga, world.group.pk, world.nora.pk, other.pk)
    yield


def after_the_end_of_the_class(world: World) -> Iterator[None]:
    """The same when the class is no longer for minors, and when it is deleted."""
    membership.update_group(world.group.pk, "7b", False)
    yield
    Group.objects.filter(pk=world.group.pk).delete()
    yield


def after_an_adult_loses_a_role(world: World) -> Iterator[None]:
    """Her organiser sees her no more after the class was given to somebody else."""
    otto = create_organiser("Otto Brook")
    Group.objects.filter(pk=world.group.pk).update(organiser=otto)
    membership.add_organiser(Group.objects.get(pk=world.group.pk), otto)
    membership.remove_member(world.group.pk, world.olga.pk)
    yield


def must_be_hidden(world: World, viewer: str) -> Iterator[str]:
    """Yield what the viewer can still see of her, or do with her."""
    who = world.people[viewer]
    viewer_id = None if who is None else who.pk
    if can_see_player(viewer_id, world.nora.pk):
        yield f"{viewer} sees her"
    if world.client(viewer).get(f"/player/{NAME.replace(' ', '%20')}/").status_code != 404:
        yield f"{viewer} sees her profile"
    for match in (world.past, world.classed, world.playing):
        row = Match.objects.get(pk=match.pk)
        if row.status == "live" and are_kept_apart(row.first_id, row.second_id):
            yield f"{match.pk} goes on"
        if viewer_id in (row.first_id, row.second_id):
            text = get_whole_text(world.client(viewer).get(f"/match/{match.pk}/"))[1]
            if NAME in text:
                yield f"{viewer} reads her name in {match.pk}"
        elif find_visible_matches(viewer_id, [match.pk]):
            yield f"{viewer} sees {match.pk}"
    if who is not None:
        code = "group-only" if viewer == "member" else "no-challenges"  # he is protected himself
        yield from must_refuse(code, challenges.create_challenge, who.pk, world.nora.pk, SETUP)


def must_refuse(code: str, act: Callable[..., Any], *args: Any) -> Iterator[str]:
    try:
        act(*args)
    except Refused as refusal:
        if refusal.code != code:
            yield f"{act.__name__} is refused as {refusal.code}, not {code}"
    else:
        yield f"{act.__name__} is not refused"


ACTS = {
    "a seek in the lobby, an offer, a count": (by_seeking, "nothing; “taken” to who tries"),
    "challenge and direct match": (by_challenging, "as if she accepted none"),
    "invitation to a tournament": (by_inviting, "as for an unknown name"),
    "former name, guest name, friend at one screen": (by_other_names, "404"),
    "signing up with her name": (by_signing_up, "“taken”, as for anybody's name"),
    "pages of moderators": (by_the_admin, "the log-in page"),
    "offering her to another class": (by_the_code_of_another_class, "nothing"),
}
"""Ways that need an action: the check, and what a stranger gets."""

AFTERWARDS: dict[str, tuple[Callable[[World], Iterator[None]], tuple[str, ...], str]] = {
    "the moment after removal": (after_removal, ("member",), "nothing, also her former classmates"),
    "the moment after a move": (after_a_move, ("member",), "nothing, also her former classmates"),
    "the end of her class": (after_the_end_of_the_class, (), "nothing"),
    "a former organiser": (after_an_adult_loses_a_role, ("organiser",), "nothing"),
}
"""Changes: each step of them, who is then as strange as `STRANGERS`, and what they get."""


@pytest.mark.parametrize("viewer", STRANGERS)
@pytest.mark.parametrize("way", ACTS)
def test_no_stranger_reaches_her_by_acting(world: World, way: str, viewer: str) -> None:
    assert list(ACTS[way][0](world, viewer)) == []


@pytest.mark.parametrize("change", AFTERWARDS)
def test_she_is_hidden_at_once_after_a_change(world: World, change: str) -> None:
    act, formerly_seen_by, _ = AFTERWARDS[change]
    for _ in act(world):
        for viewer in (*formerly_seen_by, *STRANGERS):
            assert list(must_be_hidden(world, viewer)) == []


def _faults(world: World, viewer: str, row: Any) -> Iterator[str]:
    if isinstance(row, ByName):
        yield from _faults_by_name(world, viewer, row)
    elif isinstance(row, ByMatch):
        yield from _faults_by_match(world, viewer, row)
    else:
        status, text = row.ask(world, viewer)
        if status >= 500:
            yield f"status {status}"
        yield from world.leaks(viewer, text)


def _faults_by_name(world: World, viewer: str, row: ByName) -> Iterator[str]:
    status, text = row.ask(world, viewer, NAME)
    if viewer in INSIDERS:
        if row.seen is not None and status != row.seen:
            yield f"status {status} for {viewer}"
        return
    nobody = row.ask(world, viewer, NOBODY)
    if (status, _without_name(text, NAME)) != (nobody[0], _without_name(nobody[1], NOBODY)):
        yield f"{status} {text[:300]!r}, but for nobody {nobody[0]} {nobody[1][:300]!r}"


def _faults_by_match(world: World, viewer: str, row: ByMatch) -> Iterator[str]:
    unknown: tuple[int, str] | None = None
    for match in (world.past, world.classed, world.playing):
        status, text = row.ask(world, viewer, match.pk)
        is_seen = viewer in INSIDERS or (viewer == "opponent" and match == world.past)
        is_seen = is_seen and not row.is_for_all
        if unknown is None and (not is_seen or status == 404):
            unknown = row.ask(world, viewer, UNKNOWN)
        if is_seen:
            if (status, text) == unknown and status == 404 and "none" not in text:
                yield f"{match.pk} is not shown to {viewer}"
            yield from world.leaks(viewer, text)
        elif (status, text.replace(match.pk, UNKNOWN)) != unknown:
            yield f"{match.pk}: {status} {text[:300]!r}, but for none {unknown}"


def _without_name(text: str, name: str) -> str:
    for each in (name, name.replace(" ", "%20"), name.casefold(), name.replace(" ", "").casefold()):
        text = text.replace(each, "SOMEBODY")
    return text


def test_every_row_would_show_her_without_the_policy(world: World) -> None:
    world.lift()
    failed = []
    rows = {**PAGES, **OPERATIONS, **SOCKETS, **OTHERS}
    for key, row in rows.items():
        viewer = getattr(row, "shown_to", "stranger")
        if viewer is None:
            assert isinstance(row, Row) and row.why
            continue
        if isinstance(row, Row):
            status, text = row.ask(world, viewer)
            secret = {NAME, NAME.replace(" ", "%20"), NAME.casefold(), *world.secret_ids}
            is_shown = any(each in text for each in secret)
        elif isinstance(row, ByMatch):
            status, text = row.ask(world, viewer, world.past.pk)
            is_shown = (status, text) != row.ask(world, viewer, UNKNOWN)
            is_shown = is_shown or status in (401, 403)
        else:
            status, text = row.ask(world, viewer, NAME)
            is_shown = status != 404
        if not is_shown:
            failed.append((key, status, text[:500]))
    assert failed == []


# -- rules that a row cannot express


def test_the_opponent_reads_another_name_everywhere(world: World) -> None:
    otto, past = world.client("opponent"), world.past.pk
    for path in (f"/match/{past}/", f"/match/{past}/record.json", "/games/", "/games/mine.jsonl",
                 f"/player/{OTTO}/"):  # fmt: skip
        status, text = get_whole_text(otto.get(path))
        assert status == 200 and past in text and HIDDEN_NAME in text, path
    assert "/player/Hidden" not in get_whole_text(otto.get(f"/match/{past}/"))[1]
    assert HIDDEN_NAME in match_socket(world, "opponent", past)[1]
    assert NAME in match_socket(world, "member", past)[1]
    assert HIDDEN_NAME in _download(world, "opponent")[1]
    status, text = get_whole_text(otto.get("/"))
    assert HIDDEN_NAME in text  # the notice about his report
    # She herself reads both names.
    world.people["pupil"] = world.nora
    text = match_socket(world, "pupil", past)[1]
    assert NAME in text and "Otto Past" in text


def test_the_opponent_reads_another_name_whichever_seat_is_hers() -> None:
    nora, otto = create_player("Nora Berg"), create_player("Otto Past")
    matches = [
        (seats, create_finished_match("tic-tac-toe", *seats).pk)
        for seats in ((nora, otto), (otto, nora))
    ]
    Player.objects.filter(pk=nora.pk).update(is_protected=True)
    for seats, match in matches:
        read = tuple(HIDDEN_NAME if each is nora else each.name for each in seats)
        assert get_names_for(otto.pk, get_pairs([match])) == {match: read}
        names = (seats[0].name, seats[1].name)
        hidden = (seats[0] is nora, seats[1] is nora)
        assert mask_names_for_seats((seats.index(otto),), names, hidden) == read


def test_no_cache_keeps_what_is_not_for_everybody(world: World) -> None:
    public = create_finished_match("tic-tac-toe", world.stan, world.quin).pk
    for path in ("picture.png", "position/1.png", "position/1.svg", "game.svg"):
        kept = world.client("member").get(f"/match/{world.classed.pk}/{path}")
        assert kept.status_code == 200 and "no-store" in kept.headers["Cache-Control"]
        shown = world.client("anonymous").get(f"/match/{public}/{path}")
        assert shown.headers["Cache-Control"].startswith("public")
    answer = world.api("member", "GET", f"/api/games/export/{world.classed.pk}")
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "private, no-store"


def test_tournaments_name_her_by_a_number(world: World) -> None:
    seed = world.entry.seed
    called = f"Player {seed}"
    url = f"/tournaments/{world.event.pk}/"
    for viewer in ("anonymous", "member", "staff"):  # the same for all viewers
        for path in (url, f"{url}?display", f"{url}player/{world.entry.pk}/", f"{url}results.json",
                     f"{url}results.csv", f"{url}results.trf"):  # fmt: skip
            text = get_whole_text(world.client(viewer).get(path))[1]
            assert called in text and NAME not in text, path
            assert f"/player/{called.replace(' ', '%20')}/" not in text
    assert called in frame(_tournament)(world, "anonymous")[1]
    Player.objects.filter(pk=world.nora.pk).update(is_protected=False)
    assert NAME in get_whole_text(world.client("anonymous").get(url))[1]


def test_a_file_that_is_kept_elsewhere_is_sent_again_without_her_name(world: World) -> None:
    world.event.state = "over"
    world.event.save()
    Player.objects.filter(pk=world.nora.pk).update(is_protected=False)
    url = f"/tournaments/{world.event.pk}/results.csv"
    tag = world.client("anonymous").get(url).headers["ETag"]
    api = world.api("anonymous", "GET", f"/api/tournament/{world.event.pk}").headers["ETag"]
    Player.objects.filter(pk=world.nora.pk).update(is_protected=True)
    assert world.client("anonymous").get(url, headers={"If-None-Match": tag}).status_code == 200
    again = world.client("anonymous").get(
        f"/api/tournament/{world.event.pk}", headers={"If-None-Match": api}
    )
    assert again.status_code == 200


def test_the_log_of_a_tournament_does_not_name_her(world: World) -> None:
    FormerName.objects.create(
        player=world.nora, name="Norakin", name_key="norakin", until=timezone.now()
    )
    for name in (NAME, "Norakin", "Long Gone", "Otto Past"):
        log_action(world.event, world.pia, "event.removed", name=name)
    log_action(world.event, world.nora, "event.late.1", first=NAME, second="Otto Past")
    text = get_whole_text(world.client("anonymous").get(f"/tournaments/{world.event.pk}/"))[1]
    assert NAME not in text and "Norakin" not in text and "Long Gone" not in text
    assert "Removed \u2068Otto Past\u2069" in text or "Removed Otto Past" in text
    assert f"Player {world.entry.seed}" in text


def test_the_class_names_her_in_its_own_tournament(world: World) -> None:
    made = create_tournament(world.olga, group_id=world.group.pk, registration="group")
    join_players(made, [world.nora, world.ben])
    start_tournament(made)
    url = f"/tournaments/{made.pk}/"
    text = get_whole_text(world.client("member").get(url))[1]
    assert NAME in text and "Player 1" not in text
    assert world.client("opponent").get(url).status_code == 404
    frame = encode_bytes(tournament_frame(read_tournament(made))).decode()
    assert NAME in frame and "board" in frame


def test_seasons_do_not_name_her(world: World) -> None:
    world.event.state = "over"
    world.event.save()
    Entry.objects.filter(tournament=world.event).update(rank=1)
    for viewer in ("anonymous", "opponent"):
        text = get_whole_text(world.client(viewer).get(f"/tournaments/series/{world.series.pk}/"))[
            1
        ]
        assert "Otto Past" in text and NAME not in text
    Player.objects.filter(pk=world.nora.pk).update(is_protected=False)
    text = get_whole_text(world.client("anonymous").get(f"/tournaments/series/{world.series.pk}/"))[
        1
    ]
    assert NAME in text


def test_blocked_players(world: World) -> None:
    assert Block.objects.filter(by=world.otto, whom=world.nora).exists()
    assert blocks.list_blocked(world.otto.pk) == []
    Block.objects.create(by=world.ben, whom=world.nora, at=timezone.now())
    assert blocks.list_blocked(world.ben.pk) == [world.nora]


def test_phrases(world: World) -> None:
    names = (NAME, "Otto Past")
    assert mask_names_for_seats((1,), names, (True, False)) == (HIDDEN_NAME, "Otto Past")
    assert mask_names_for_seats((0,), names, (True, False)) == names
    assert mask_names_for_seats((), names, (True, False)) == names
    assert mask_names_for_seats((0, 1), names, (True, True)) == names


class Watcher:
    """A viewer of a match."""

    seats: tuple[int, ...] = ()
    address = ""
    is_counted = True

    def __init__(self, player_id: int | None) -> None:
        self.player_id, self.code = player_id, 0

    def last_here(self) -> float:
        return time.time()

    def show(self, state: StateFrame) -> None:
        pass

    def send_text(self, text: str) -> None:
        pass

    def close(self, code: int) -> None:
        self.code = code


@pytest.mark.parametrize("is_told", [True, False], ids=["told", "looks"])
def test_who_watches_is_admitted_again_when_somebody_is_protected(is_told: bool) -> None:
    """A hint notifies the room. If the hint is lost, the room's database check finds the change."""
    one, other = create_player("One Player"), create_player("Other Player")
    match, second = (
        create_match(LIVE, one, other),
        create_match(LIVE, other, create_player("Third Player")),
    )

    async def watch() -> list[int]:
        watchers = []
        for each in (match, second):
            watcher = Watcher(None)
            state, pair = (await in_db(read_with_pairs, [each.pk]))[each.pk]
            rooms().enter(state, pair.names, watcher)
            watchers.append(watcher)
        await in_db(_protect_silently, one.pk)
        if is_told:
            await rooms().protected([one.pk])
        else:
            await rooms()._upkeep.look(list(rooms()._rooms))
            before = watchers[0].code
            watchers[0].code = 0
            await rooms()._upkeep.look(list(rooms()._rooms))  # one check is enough
            watchers[0].code = before or watchers[0].code
        codes = [each.code for each in watchers]
        await end_loops()
        close_db_threads()
        return codes

    assert asyncio.run(watch()) == [CLOSE_RECONNECT, 0]


def _protect_silently(player_id: int) -> None:
    Player.objects.filter(pk=player_id).update(is_protected=True)


def test_protection_tells_the_rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    told_of: list[int] = []

    async def close(player_ids: list[int]) -> None:
        told_of.extend(player_ids)

    monkeypatch.setattr("lobby.privacy.protection._close_to_strangers", close)
    nora = create_player(NAME)
    with transaction.atomic():
        protect_players([nora.pk])
        assert told_of == []  # only committed events
    assert told_of == [nora.pk]


def test_conditions_say_the_same_as_the_policy() -> None:
    """SQL conditions and the policy agree for every viewer, player and kind of row."""
    olga, otto = create_organiser(), create_organiser("Otto Brook")
    anna, ben, dora = (
        create_player("Anna Berg"),
        create_player("Ben Cole"),
        create_player("Dora Dean"),
    )
    stan, rita = create_player("Stan Ger"), create_player("rita", "reviewer")
    create_group(olga, anna, ben, for_minors=True)
    create_group(otto, ben, for_minors=True)
    open_club = create_group(create_organiser("Carl Club"), anna, stan)
    open_one_screen_match(anna.pk, Setup("tic-tac-toe"))
    guest = create_player("Sly Fox", is_guest=True)
    merge_guest(guest.pk, dora.pk)
    Player.objects.filter(pk__in=(dora.pk, guest.pk)).update(is_protected=True)
    gone = create_player("gone", "reviewer")
    Player.objects.filter(pk=gone.pk).update(is_active=False)
    assert open_club.members.count() == 3
    everybody = list(Player.objects.values_list("pk", flat=True))
    viewers = [
        None,
        999_999,
        *(each.pk for each in (olga, otto, anna, ben, dora, stan, rita, gone)),
    ]
    games_ = [
        create_match(LIVE, one, other).pk
        for one, other in ((anna, ben), (olga, otto), (anna, olga))
    ]
    games_.append(Match.objects.exclude(pk__in=games_).get().pk)
    for viewer in viewers:
        seen = set(
            Player.objects.filter(build_visible_condition(viewer)).values_list("pk", flat=True)
        )
        assert seen == set(everybody) - find_hidden_players(viewer, everybody), viewer
        rows = set(Match.objects.filter(visible_rows(viewer)).values_list("pk", flat=True))
        assert rows == find_visible_matches(viewer, games_), viewer
    assert anna.pk in find_hidden_players(stan.pk, everybody)
    assert anna.pk not in find_hidden_players(ben.pk, everybody)
    assert anna.pk in find_hidden_players(otto.pk, everybody)


def test_public_matches_cost_no_further_query() -> None:
    match = create_finished_match(
        "tic-tac-toe", create_player("One Player"), create_player("Other Player")
    ).pk
    with CaptureQueriesContext(connection) as queries:
        assert read_with_names([match], None)
    assert len(queries) == 1
    with CaptureQueriesContext(connection) as queries:
        look_up_applicants([Applicant("", match)])
    plain = len(queries)
    Player.objects.filter(username="One Player").update(is_protected=True)
    with CaptureQueriesContext(connection) as queries:
        (admitted,) = look_up_applicants([Applicant("", match)])
    assert admitted.state is None
    assert len(queries) <= plain + 4


def test_pages_of_a_history_are_full_although_many_rows_are_hidden() -> None:
    otto, stan, nora = create_player("Otto Past"), create_player("Stan Ger"), create_player(NAME)
    shown = []
    for number in range(6):
        shown.append(create_finished_match("tic-tac-toe", otto, stan, number).pk)
        create_finished_match("tic-tac-toe", otto, nora, number)
    run_due_steps()
    Player.objects.filter(pk=nora.pk).update(is_protected=True)
    page = list_history(otto.pk, Filters(), most=4, viewer_id=None)
    assert [each.state.id for each in page.entries] == shown[::-1][:4]
    rest = list_history(otto.pk, Filters(), page.next, most=4, viewer_id=None)
    assert [each.state.id for each in rest.entries] == shown[::-1][4:] and not rest.next
    own = list_history(otto.pk, Filters(), most=50, viewer_id=otto.pk)
    assert len(own.entries) == 12
    assert {each.opponent.name for each in own.entries} == {"Stan Ger", HIDDEN_NAME}
