"""Pages to challenge a player by name, and to answer or withdraw a challenge."""

from typing import Any
from urllib.parse import urlencode

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.boards import BOARDS
from games.match.setup import RATED_GAMES, Setup, checked
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.rules import GAMES, PLAYABLE_GAMES
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit
from games.store.visibility import find_hidden_players
from lobby.accounts.guests import get_or_create_player
from lobby.live.room import lobby_room
from lobby.models import Challenge, Player
from lobby.players import preferences
from lobby.players.people import find_player
from lobby.seeks import challenges
from lobby.seeks.challenges import WORDS, Accepted
from lobby.seeks.limits import may_seek
from lobby.seeks.setup_choices import CONTROLS, RATED_CONTROL, describe_choice


@require_http_methods(["GET", "HEAD", "POST"])
@ensure_csrf_cookie
def challenge_new(request: HttpRequest, name: str) -> HttpResponse:
    """Show the form for a challenge. A POST sends the challenge."""
    whom = find_player(name, request.user.pk)
    if whom is None or whom.bot_level is not None:
        raise Http404
    if request.method != "POST":
        prefers_rated = (
            isinstance(request.user, Player) and preferences.get_preferences(request.user).rated
        )
        context = {
            "player": whom,
            "games": [(slug, get_game_name(slug), BOARDS[slug]) for slug in PLAYABLE_GAMES],
            # The values of the refused form, or else the player's preferences.
            "asked": request.GET.get("game", ""),
            "clock": request.GET.get("clock", RATED_CONTROL if prefers_rated else ""),
            "rated": request.GET.get("rated", "yes" if prefers_rated else "") == "yes",
            "controls": [describe_choice(control) for control in CONTROLS],
            "is_self": request.user.pk == whom.pk,
            "why_unrated": _why_unrated(request.user, whom),
            "unrated": [get_game_name(slug) for slug in PLAYABLE_GAMES if slug not in RATED_GAMES],
        }
        return render(request, "lobby/challenge_new.html", context)
    side, asked = request.POST.get("side", ""), _asked(request)
    try:
        setup = _setup(request)
        if setup is None or side not in Challenge.Side.values:
            return render(request, "400.html", status=400)
        player = get_or_create_player(request)
        if player is None or not _may(player, request):
            return _too_fast(request)
        made = challenges.create_challenge(player.pk, whom.pk, setup, side)
    except Refused as refusal:
        messages.error(request, render_message({**refusal.words, "name": whom.name}))
        again = urlencode({name: value[:40] for name, value in asked.items()})
        return redirect(f"{reverse('challenge-new', args=[whom.username])}?{again}")
    if not player.is_guest and setup.clock and setup.game in RATED_GAMES:
        preferences.store_preferences(player, {"rated": "yes" if setup.rated else "no"})
    async_to_sync(_tell)([player.pk, whom.pk])
    return redirect("challenge", made.pk)


@require_safe
@ensure_csrf_cookie
def challenge(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Show a challenge to its two players, with buttons to answer or withdraw it.

    If it has been accepted, redirect to its match.
    """
    found, player_id = _found(request, challenge_id)
    is_mine = found.challenger_id == player_id
    if found.match is not None:
        return redirect(found.match)
    state = "open" if found.answer == "" else str(found.answer)
    if state == "open" and found.expires_at <= timezone.now():
        state = "expired"
    first = found.side == Challenge.Side.FIRST
    context = {
        "challenge": found,
        "state": state,
        "is_mine": is_mine,
        "other": found.challenged if is_mine else found.challenger,
        "game": found.game,
        "game_name": get_game_name(found.game),
        "setup": found.setup,
        "side": "chance" if not found.side else "you" if first == is_mine else "they",
        "word": render_message(build_message(f"decline.{found.word}")) if found.word else "",
        "words": [(word, render_message(build_message(f"decline.{word}"))) for word in WORDS],
    }
    return render(request, "lobby/challenge.html", context)


@require_POST
def challenge_accept(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Accept the challenge and start the match."""
    _, player_id = _found(request, challenge_id)
    if not may_seek(player_id, get_request_network(request)):
        return _too_fast(request)
    try:
        accepted = challenges.accept_challenge(player_id, challenge_id)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
        return redirect("lobby")
    async_to_sync(_tell_accepted)(accepted)
    return redirect("match", accepted.match_id)


@require_POST
def challenge_decline(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Decline the challenge, with a reason from the form.

    A script gets 204, or 409 if the challenge is no longer open.
    """
    _, player_id = _found(request, challenge_id)
    word = request.POST.get("word", "no")
    if word not in WORDS:
        return render(request, "400.html", status=400)
    try:
        declined = challenges.decline_challenge(player_id, challenge_id, word)
    except Refused as refusal:
        if _is_script(request):
            return HttpResponse(status=409)
        messages.error(request, render_message(refusal.words))
        return redirect("lobby")
    async_to_sync(_tell)([declined.challenger_id, declined.challenged_id])
    if _is_script(request):
        return HttpResponse(status=204)
    messages.success(request, render_message(build_message("challenge.declined-by-me")))
    return redirect("lobby")


@require_POST
def challenge_withdraw(request: HttpRequest, challenge_id: str) -> HttpResponse:
    """Withdraw the viewer's own challenge, or dismiss its answer."""
    if request.user.pk is None:
        raise Http404
    whom = challenges.withdraw_challenge(request.user.pk, challenge_id)
    if whom is not None:
        async_to_sync(_tell)([request.user.pk, whom])
    return HttpResponse(status=204) if _is_script(request) else redirect("lobby")


def _found(request: HttpRequest, challenge_id: str) -> tuple[Challenge, int]:
    """Return the challenge and the viewer's id.

    Raise `Http404` unless the viewer is one of its players and may see the other one.
    """
    found = (
        Challenge.objects.select_related("challenger", "challenged", "match")
        .filter(pk=challenge_id)
        .first()
    )
    if found is None or found.game not in GAMES:
        raise Http404
    player_id = request.user.pk
    people = found.challenger_id, found.challenged_id
    if player_id is None or player_id not in people or find_hidden_players(player_id, people):
        raise Http404
    return found, player_id


def _why_unrated(by: object, whom: Player) -> str:
    """Return the sentence that says which of the two has no account for rated games, or ""."""
    if not isinstance(by, Player) or by.is_guest:
        return render_message(build_message("refused.rated-account"))
    return (
        render_message(build_message("refused.rated-guest", name=whom.name))
        if whom.is_guest
        else ""
    )


def _setup(request: HttpRequest) -> Setup | None:
    asked = _asked(request)
    try:
        return checked(**{**asked, "rated": bool(asked["rated"])})
    except ValueError:
        return None


def _asked(request: HttpRequest) -> dict[str, Any]:
    return {part: request.POST.get(part, "") for part in Setup.__struct_fields__}


def _may(player: Player, request: HttpRequest) -> bool:
    return is_within_limit(
        settings.CHALLENGES_PER_MINUTE, "challenge", str(player.pk)
    ) and may_seek(player.pk, get_request_network(request))


def _is_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


def _too_fast(request: HttpRequest) -> HttpResponse:
    detail = render_message(build_message("refused.many-at-once"))
    return render(request, "429.html", {"detail": detail}, status=429)


async def _tell(player_ids: list[int]) -> None:
    lobby_room().changed_everywhere(player_ids)


async def _tell_accepted(accepted: Accepted) -> None:
    if accepted.ended:
        await lobby_room().cancelled(accepted.ended)
    lobby_room().changed_everywhere(accepted.players)
