"""Pages of groups for their members: the list of groups, a group, joining and leaving."""

from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec import to_builtins

from games.boards import BOARDS
from games.match.outcome import get_outcome_for
from games.messages import build_message, get_game_name
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.rules import PLAYABLE_GAMES
from games.runtime.addresses import get_request_network
from lobby.accounts.access import require_account
from lobby.accounts.limits import expect_class_logins
from lobby.groups import class_closing, games, membership
from lobby.groups.care import must_not_be_paused
from lobby.groups.class_login import get_open_login
from lobby.groups.codes import count_wrong_code, format_code, may_try_code, normalize_code
from lobby.groups.member_logins import get_real_names
from lobby.groups.member_passwords import create_token
from lobby.groups.membership import Ended, can_manage, may_organise
from lobby.groups.transfers import get_offers_from, list_offers_to
from lobby.live.groups import read_group_lobbies
from lobby.live.room import lobby_room
from lobby.models import Group, Player
from lobby.models.group import LONGEST_NAME
from lobby.seeks.setup_choices import get_paces
from lobby.tournaments.queries import list_group_tournaments
from lobby.views.tournament_access import listed

_JOIN = "lobby/group_join.html"
_TOURNAMENTS = 5  # latest tournaments on the group's page


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
def own_groups(request: HttpRequest) -> HttpResponse:
    """List the player's groups. A POST by an organiser creates a group."""
    player = member(request)
    asked, fault = request.POST.get("name", ""), ""
    if request.method == "POST":
        try:
            made = membership.create_group(player, asked, bool(request.POST.get("for_minors")))
        except Refused as refusal:
            if refusal.code == "not-allowed":
                return render(request, "403.html", status=403)
            fault = render_message(refusal.words)
        else:
            messages.success(request, render_message(build_message("group.made")))
            return redirect(made)
    context = {
        "groups": membership.list_groups(player.pk),
        "may_organise": may_organise(player),
        "asked": asked,
        "for_minors": bool(request.POST.get("for_minors")),
        "fault": fault,
        "most": LONGEST_NAME,
    }
    return render(request, "lobby/groups.html", context, status=400 if fault else 200)


@require_safe
@ensure_csrf_cookie
@require_account
def group(request: HttpRequest, group_id: str) -> HttpResponse:
    """Show a group to its members: its lobby, games, tournaments and members.

    The page of a closed group has no lobby.
    """
    player, found = member(request), found_for(request, group_id)
    try:
        before = int(request.GET["before"]) if "before" in request.GET else None
        if before is not None and not 0 <= before < 2**63:
            raise ValueError("no such page")
    except ValueError:
        return render(request, "400.html", status=400)
    page, following = games.list_games(found.pk, player.pk, before)
    shown = {
        "group": found,
        "games": [_row(each) for each in page],
        "older": following,
        "is_newest": before is None,
        "tournaments": [listed(each) for each in list_group_tournaments(found.pk)[:_TOURNAMENTS]],
    }
    if found.closed_at is not None:
        return _show_closed_group(request, player, shown)
    members, is_organiser = (
        membership.list_visible_members(found, player.pk),
        can_manage(player, found),
    )
    if is_organiser:
        expect_class_logins(get_request_network(request))
        names = get_real_names(found, player)
        offered = get_offers_from(found)
        for each in members:
            each.offer = offered.get(each.player_id)
            each.real_name = names.get(each.player_id, "")
    context = {
        **shown,
        "frame": {**to_builtins(read_group_lobbies([found.pk])[found.pk]), "you": player.name},
        "kinds": [(slug, get_game_name(slug), BOARDS[slug]) for slug in PLAYABLE_GAMES],
        "paces": get_paces(),
        "members": members,
        "has_made": any(each.making_id is not None for each in members),
        "offers": list_offers_to(found) if is_organiser else [],
        "runs": is_organiser,
        "now": timezone.now(),
        "own_pause": _describe_pause(player),
        "may_leave": membership.may_leave(player.pk, found),
        "code": format_code(found.code) if is_organiser and found.code else "",
        "link": request.build_absolute_uri(f"/groups/join/{found.code}/") if found.code else "",
        "token": create_token(),
        "most": LONGEST_NAME,
        "class_login": get_open_login(found.pk) if is_organiser else None,
        "class_login_hours": settings.CLASS_LOGIN_HOURS,
    }
    return render(request, "lobby/group.html", context)


def _show_closed_group(request: HttpRequest, player: Player, shown: dict[str, Any]) -> HttpResponse:
    """Show a closed group, with a button to reopen it if the player may do so."""
    found: Group = shown["group"]
    context = {
        **shown,
        "is_organiser": membership.is_organiser_of(player, found),
        "may_reopen": class_closing.may_reopen(player, found),
        "hidden": class_closing.count_hidden_accounts(found),
        "members": membership.list_visible_members(found, player.pk),
    }
    return render(request, "lobby/group_closed.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
def ask_code(request: HttpRequest) -> HttpResponse:
    """Ask for a code. A POST redirects to the page for joining the group with that code."""
    code = normalize_code(request.POST.get("code", ""))
    return redirect("group-join", code) if code else render(request, _JOIN)


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Show the group with this code. A POST joins the group.

    Every attempt counts for the player. Wrong codes also count for the address.
    """
    player, address = member(request), get_request_network(request)
    if not may_try_code(player.pk, address):
        detail = render_message(build_message("login.too-often"))
        return render(request, "429.html", {"detail": detail}, status=429)
    found = membership.get_group_by_code(code)
    if found is None:
        count_wrong_code(address)
        context = {
            "fault": render_message(build_message("refused.no-such-code")),
            "asked": code[:40],
        }
        return render(request, _JOIN, context, status=404)
    if membership.get_group(player.pk, found.pk) is not None:
        return redirect(found)
    fault = ""
    if request.method == "POST":
        try:
            joined, ended = membership.join_group(player, code)
        except Refused as refusal:
            fault = render_message(refusal.words)
        else:
            tell(ended, player.pk)
            messages.success(
                request, render_message(build_message("group.joined", name=joined.name))
            )
            return redirect(joined)
    return render(request, _JOIN, {"group": found, "fault": fault}, status=400 if fault else 200)


@require_POST
@require_account
def leave(request: HttpRequest, group_id: str) -> HttpResponse:
    """Leave the group."""
    player, found = member(request), found_for(request, group_id)
    try:
        ended = membership.leave_group(player.pk, found.pk)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
        return redirect(found)
    tell(ended, player.pk)
    messages.success(request, render_message(build_message("group.left", name=found.name)))
    return redirect("groups")


def member(request: HttpRequest) -> Player:
    """Return the account that makes the request."""
    assert isinstance(request.user, Player)
    return request.user


def found_for(request: HttpRequest, group_id: str) -> Group:
    """Return the group if the viewer is a member. Otherwise, raise `Http404`."""
    found = membership.get_group(request.user.pk, group_id)
    if found is None:
        raise Http404
    return found


def tell(ended: Ended, *player_ids: int) -> None:
    """Notify the lobby on all servers of seeks that have ended, and of changed memberships."""
    async_to_sync(_tell)(ended, player_ids)


async def _tell(ended: Ended, player_ids: tuple[int, ...]) -> None:
    if ended:
        await lobby_room().cancelled(ended)
    lobby_room().changed_everywhere(player_ids)


def _describe_pause(player: Player) -> str:
    """Return the sentence that says until when the player is paused, or "" without a pause.

    There is no query for players who are neither protected nor have a class account, because nobody
    can pause them.
    """
    if not (player.is_protected or player.is_class_account):
        return ""
    try:
        must_not_be_paused([player.pk])
    except Refused as refusal:
        return render_message(refusal.words)
    return ""


def _row(game: games.MemberGame) -> dict[str, Any]:
    """Return the template context of a game in the list."""
    state = game.state
    return {
        "id": state.id,
        "game": get_game_name(state.game),
        "names": list(game.names.values()),
        "clock": state.clock,
        "how": render_message(get_outcome_for(game.ended, game.names, None)) if game.ended else "",
        "ended_at": state.ended_at,
        "is_live": state.is_live,
    }
