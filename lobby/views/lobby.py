"""Pages of the lobby: the front page, starting matches, and invitations by link.

The browser remembers the choices in the form in a cookie, which `static/js/lobby/setup-form.js`
writes. They are not in the browser's storage, so that the server can render the page with them, and
nothing moves when the scripts run.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from asgiref.sync import async_to_sync
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe
from msgspec import Struct, to_builtins
from msgspec.structs import asdict, replace

from games.boards import BOARDS
from games.bots import LEVELS, has_bot
from games.journal.opening import are_apart
from games.lessons import LESSONS
from games.match.clock import parse_control
from games.match.setup import RATED_GAMES, Setup, checked
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from games.messages.names import isolate_name
from games.messages.refusal import Refused
from games.models import Match
from games.previews.responses import build_invitation_scene, picture_response
from games.rules import GAMES, LISTED_GAMES
from games.runtime.addresses import get_request_network
from games.runtime.next_page import get_next_page
from games.store.aliases import get_aliases
from games.store.visibility import can_see_player
from lobby.accounts.guests import get_or_create_player
from lobby.groups.membership import list_groups
from lobby.live.listing import LobbySnapshot, build_lobby_frame, list_board_changes, read_lobby
from lobby.live.player_state import PlayerState
from lobby.live.room import lobby_room
from lobby.models import Player, Seek
from lobby.models.seek import HIGHEST, LOWEST
from lobby.players.preferences import get_page_preferences
from lobby.ratings import levels
from lobby.seeks import matchmaking
from lobby.seeks.computer import FIRST_LEVELS, play_computer
from lobby.seeks.limits import may_seek
from lobby.seeks.matchmaking import SeekPairing
from lobby.seeks.one_screen import open_one_screen_match
from lobby.seeks.setup_choices import PACES, Side, get_paces, is_side
from lobby.views.player_summary import build_player_context, read_state_for_page
from lobby.views.suggestions import get_last_good_game, get_puzzle

COOKIE = "lobby"


class Remembered(Struct, frozen=True):
    """The visitor's last clock, last played games (newest first) and favourite games."""

    clock: str = ""
    recent: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()

    def order_of(self, slug: str) -> tuple[bool, int]:
        """Return the sort key of a game: favourites first, then by how recently it was played."""
        place = self.recent.index(slug) if slug in self.recent else len(self.recent)
        return slug not in self.favourites, place


def read_remembered(request: HttpRequest) -> Remembered:
    """Return the content of the cookie, without invalid parts."""
    values = parse_qs(request.COOKIES.get(COOKIE, ""))

    def games(name: str) -> tuple[str, ...]:
        return tuple(slug for slug in values.get(name, [""])[-1].split(" ") if slug in LISTED_GAMES)

    clock = values.get("clock", [""])[-1]
    return Remembered(clock if _is_clock(clock) else "", games("recent"), games("favourites"))


def _is_clock(text: str) -> bool:
    try:
        parse_control(text)
    except ValueError:
        return False
    return True


_CATALOGUE = 8  # the lobby has a filter and favourites if the site has at least this many games
_MINE = 12  # games of the visitor that the server draws
_WAITS, _THEIRS = ("mine.waits", "mine.waits-label"), ("mine.theirs", "mine.theirs-label")
_DRAWN = 6  # live matches that the server draws; the page's script then draws all of them
_SAID = {
    *("many-matches", "many-open", "many-beside", "too-many-invitations"),
    *("unrated-game", "unrated-untimed", "rated-account", "group-only", "games-paused"),
    "game-off",
}
"""The codes of refusals that are shown as a notice on the next page."""


@require_safe
@ensure_csrf_cookie
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the front page, on which visitors start, join or watch matches."""
    shown = read_lobby()
    me = request.user
    mine = read_state_for_page(me.pk, request) if isinstance(me, Player) else PlayerState()
    frame = {
        **to_builtins(build_lobby_frame(shown)),
        "boards": to_builtins(list_board_changes(shown), str_keys=True),
        "you": _name(request),
        "online": shown.online,
    }
    remembered = read_remembered(request)
    context = {
        "games": _cards(remembered),
        "is_catalogue": len(LISTED_GAMES) >= _CATALOGUE,
        "levels": [
            (level, _words(f"level.{level}"), _words(f"level.line.{level}")) for level in LEVELS
        ],
        "remembered": remembered,
        **_rating(request, remembered),
        "frame": frame,
        "matches": _drawn(shown),
        # The puzzle is always passed, because the list of matches may become empty later.
        "puzzle": get_puzzle(),
        "good_game": get_last_good_game(),
        "me": frame["you"] or "",
        "lowest": LOWEST,
        "highest": HIGHEST,
        "paces": get_paces(),
        "own": build_player_context(mine, request),
        "mine": _own_games(mine),
        "groups": list_groups(me.pk) if isinstance(me, Player) and not me.is_guest else [],
    }
    return render(request, "lobby/lobby.html", context)


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """Log the visitor in as a new guest. Do nothing for visitors who are logged in."""
    return HttpResponse(status=204) if get_or_create_player(request) else _too_fast(request)


@require_POST
def seek(request: HttpRequest) -> HttpResponse:
    """Create an invitation: a seek that only people with its link can accept."""
    try:
        setup = _setup(request)
        if setup is None:
            return render(request, "400.html", status=400)
        player = get_or_create_player(request)
        if player is None or not may_seek(player.pk, get_request_network(request)):
            return _too_fast(request)
        made = matchmaking.create_seek(player.pk, setup, by_address=True)
    except Refused as refusal:
        return _refused(request, refusal)
    async_to_sync(_tell_own)(player.pk)
    return redirect("seek", made.pk)


@require_POST
def computer(request: HttpRequest) -> HttpResponse:
    """Start a match against the computer. The player's seeks stay open if the form has `waits`."""
    level = request.POST.get("level", "")
    if not level.isascii() or not level.isdigit() or len(level) > 2:
        return render(request, "400.html", status=400)

    def play(player_id: int, setup: Setup, side: Side) -> Match:
        if int(level) in FIRST_LEVELS and not setup.options:
            setup = replace(setup, options=GAMES[setup.game].first_options)
        where = get_request_network(request)
        return play_computer(player_id, setup, int(level), where, side)

    return _started(request, play, ends_searches="waits" not in request.POST)


@require_POST
def one_screen(request: HttpRequest) -> HttpResponse:
    """Start a match between two people at this screen."""
    return _started(request, open_one_screen_match)


def _started(
    request: HttpRequest, play: Callable[..., Match], ends_searches: bool = True
) -> HttpResponse:
    """Start a casual match with the setup and the side in the lobby's form."""
    side = request.POST.get("side", "lot")
    try:
        setup = _setup(request)
    except Refused:
        setup = None
    if setup is None or setup.rated or not is_side(side):  # such a match is never rated
        return render(request, "400.html", status=400)
    player = get_or_create_player(request)
    if player is None or not may_seek(player.pk, get_request_network(request)):
        return _too_fast(request)
    try:
        match = play(player.pk, setup, side=side)
    except Refused as refusal:
        if refusal.code == "malformed":
            return render(request, "400.html", status=400)
        return _refused(request, refusal)
    if ends_searches:
        async_to_sync(_end_searches)(player.pk)
    return redirect(match)


@require_safe
@ensure_csrf_cookie
def seek_page(request: HttpRequest, seek_id: str) -> HttpResponse:
    """Show an invitation: to its player the link, and to others a button to accept it.

    If it has been accepted, redirect its players to the match.
    """
    known = Seek.objects.filter(game__in=GAMES, group=None).select_related("player", "match")
    found = _invitation(request, known, seek_id)
    match = found.match
    mine = get_aliases(request.user.pk)
    if match is not None and (match.first_id in mine or match.second_id in mine):
        return redirect(match)
    context = {
        "seek": found,
        "game": found.game,
        "game_name": get_game_name(found.game),
        "board_summary": gettext(BOARDS[found.game].summary),
        "address": request.build_absolute_uri(),
        "owner": found.player_id in mine,
        "player": found.player.name,
        "share_title": gettext("%(player)s invited you to play %(game)s")
        % {"player": isolate_name(found.player.name), "game": get_game_name(found.game)},
        "state": _get_invitation_state(request, found),
        "needs_account": found.rated and not _has_account(request),
        "me": _name(request) or "",
    }
    return render(request, "lobby/seek.html", context)


@require_safe
def seek_picture(request: HttpRequest, seek_id: str) -> HttpResponse:
    """Return the preview picture of an invitation."""
    known = Seek.objects.filter(game__in=GAMES, group=None).select_related("player")
    found = _invitation(request, known, seek_id)
    told = gettext("%(player)s invited you") % {"player": isolate_name(found.player.name)}
    position = LESSONS[found.game].typical if found.game in LESSONS else GAMES[found.game].start
    scene = build_invitation_scene(found.game, position.diagram, told)
    is_public = not found.player.is_protected
    return picture_response(request, scene, found.match_id is not None, is_public)


@require_POST
def seek_accept(request: HttpRequest, seek_id: str) -> HttpResponse:
    """Accept an invitation or an offered seek. The first player who accepts gets the seat."""
    player = get_or_create_player(request)
    if player is None or not may_seek(player.pk, get_request_network(request)):
        return _too_fast(request)
    try:
        pairing = matchmaking.join_seek(player.pk, seek_id)
    except Refused as refusal:
        if page := get_next_page(request):
            messages.error(request, render_message(refusal.words))
            return redirect(page)
        # The page of the invitation shows its current state.
        return _refused(request, refusal, "seek", seek_id)
    async_to_sync(_tell_paired)(pairing)
    return redirect("match", pairing.match_id)


@require_POST
def seek_cancel(request: HttpRequest, seek_id: str) -> HttpResponse:
    """End the viewer's own seek or invitation, and return to the page of the request."""
    if request.user.pk is not None:
        gone = matchmaking.cancel_seeks(request.user.pk, seek_id)
        async_to_sync(_tell_cancelled)(gone)
    return redirect(get_next_page(request) or "lobby")


async def _tell_paired(pairing: SeekPairing) -> None:
    await lobby_room().paired(pairing)


async def _tell_cancelled(seeks: dict[str, int]) -> None:
    await lobby_room().cancelled(seeks)


async def _tell_own(player_id: int) -> None:
    lobby_room().changed_everywhere([player_id])


async def _end_searches(player_id: int) -> None:
    await lobby_room().end_searches({player_id})


def _setup(request: HttpRequest) -> Setup | None:
    """Return the setup in the form, or None if it cannot be played.

    Raise `Refused` for a rated setup that cannot be rated.
    """
    asked = {name: request.POST.get(name, "") for name in ("game", "clock", "options")}
    try:
        return checked(**asked, rated=bool(request.POST.get("rated")))
    except ValueError:
        return None


def _refused(request: HttpRequest, refusal: Refused, *page: str) -> HttpResponse:
    """Redirect to the lobby or the given page with a notice, or to the sign-up page.

    Only the refusals in `_SAID` get a notice.
    """
    if refusal.code in _SAID:
        messages.error(request, render_message(refusal.words))
    if refusal.code == "rated-account":
        back = reverse(page[0], args=page[1:]) if page else "/"
        return redirect(f"{reverse('account_signup')}?next={back}")
    return redirect(*(page or ["lobby"]))


def _invitation(request: HttpRequest, known: QuerySet[Seek], seek_id: str) -> Seek:
    """Return the invitation if the viewer may see its player. Otherwise, raise `Http404`."""
    found: Seek = get_object_or_404(known, pk=seek_id)
    if found.player.is_protected and not can_see_player(request.user.pk, found.player_id):
        raise Http404
    return found


def _get_invitation_state(request: HttpRequest, seek: Seek) -> str:
    """Return the state of the invitation for the viewer.

    It is "open", "gone", or "elsewhere" for protected players, who play in their class. An
    invitation looks gone to blocked players, because blocks are secret.
    """
    viewer = request.user
    if seek.match or viewer.pk is None or not are_apart([viewer.pk, seek.player_id]):
        return "gone" if seek.match else "open"
    return "elsewhere" if isinstance(viewer, Player) and viewer.is_protected else "gone"


def _has_account(request: HttpRequest) -> bool:
    return isinstance(request.user, Player) and not request.user.is_guest


def _name(request: HttpRequest) -> str | None:
    return request.user.name if isinstance(request.user, Player) else None


def _rating(request: HttpRequest, remembered: Remembered) -> dict[str, Any]:
    """Return the template context for rated games: whether the player may play them, and wants to.

    `rated_note` is the code of the sentence that the page shows.
    """
    has_account = _has_account(request)
    may_rate = has_account and bool(remembered.clock)
    wants_rated = may_rate and get_page_preferences(request).values.get("rated") == "yes"
    note = "rated.wanted" if wants_rated else "rated.casual"
    return {
        "has_account": has_account,
        "may_rate": may_rate,
        "wants_rated": wants_rated,
        "rated_note": note if remembered.clock else "refused.unrated-untimed",
        "custom": None if remembered.clock in PACES else parse_control(remembered.clock),
    }


def _words(code: str) -> str:
    return render_message(build_message(code))


def _cards(remembered: Remembered) -> list[dict[str, Any]]:
    """Return the template context of the games, in the order of the visitor's interest."""
    strengths = levels.get_level_ratings(list(RATED_GAMES))
    cards = [
        {
            "slug": game.slug,
            "name": get_game_name(game.slug),
            "summary": gettext(BOARDS[game.slug].summary),
            "sample": LESSONS[game.slug].typical if game.slug in LESSONS else game.start,
            "computer": has_bot(game.slug),
            "strengths": strengths.get(game.slug, {}),
            "rated": game.slug in RATED_GAMES,
            "is_favourite": game.slug in remembered.favourites,
        }
        for game in map(GAMES.__getitem__, LISTED_GAMES)
    ]
    return sorted(cards, key=lambda card: remembered.order_of(card["slug"]))


def _own_games(mine: PlayerState) -> list[dict[str, Any]]:
    """Return up to `_MINE` of the visitor's live games with their boards.

    Games in which it is the visitor's turn come first. Matches that have just begun are displayed
    elsewhere on the page.
    """
    told = {match.match for match in mine.own.begun}
    games = [game for game in mine.own.games if game.match not in told][:_MINE]
    found = []
    for game in games:
        state, label = _WAITS if game.waits else _THEIRS
        about = build_message(f"{game.game}.name")
        said = {
            "state": render_message(build_message(state)),
            "label": render_message(build_message(label, game=about, name=game.opponent)),
        }
        found.append({**asdict(game), **asdict(mine.boards[game.match]), **said})
    return found


def _drawn(shown: LobbySnapshot) -> list[dict[str, Any]]:
    """Return the template context of the first matches, with their boards."""
    found = []
    for match_id, match in list(shown.matches.items())[:_DRAWN]:
        board = shown.boards[match_id]
        seats = [
            {
                "name": seat.name,
                "rating": seat.rating or "",
                "mark": board.badges[role],
                "moves": role == board.turn,
            }
            for role, seat in match.seats.items()
        ]
        found.append({**asdict(match), **asdict(board), "seats": seats})
    return found


def _too_fast(request: HttpRequest) -> HttpResponse:
    detail = render_message(build_message("refused.many-at-once"))
    return render(request, "429.html", {"detail": detail}, status=429)
