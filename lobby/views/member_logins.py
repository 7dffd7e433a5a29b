"""Pages on which organisers print cards and picture passwords, and note real names."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.messages import build_message
from games.messages import render as render_message
from games.messages.refusal import Refused
from games.runtime.addresses import is_loopback_host
from games.runtime.limiter import is_within_limit
from lobby.accounts.audit_events import log_event
from lobby.accounts.qr_codes import draw_qr_code
from lobby.groups import class_login, member_logins, membership
from lobby.groups.codes import format_code
from lobby.groups.member_logins import NewLogin, get_real_names, store_real_names
from lobby.models import Group, MemberLogin
from lobby.models.group import LONGEST_REAL_NAME
from lobby.views.classes import for_organiser
from lobby.views.groups import member

_CHANGES = 20  # forms that an organiser can submit per minute
_KINDS = ("cards", "pictures", "both")


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def member_logins_page(request: HttpRequest, group: Group) -> HttpResponseBase:
    """List the members' cards and picture passwords. A POST creates or revokes some of them.

    The response to a form that creates cards or picture passwords is a sheet to be printed. No
    other page shows them.
    """
    if request.method != "POST":
        return _show_list(request, group)
    player, do = member(request), request.POST.get("do", "")
    chosen = {int(text) for text in request.POST.getlist("player") if _is_number(text)}
    if not is_within_limit(_CHANGES, "member logins", str(player.pk)):
        detail = render_message(build_message("login.too-often"))
        return render(request, "429.html", {"detail": detail}, status=429)
    try:
        if do == "revoke":
            for each in member_logins.revoke_logins(group, player, chosen):
                log_event("class login revoked", request, each.pk, by=player.pk)
            messages.success(request, render_message(build_message("class.logins-revoked")))
            return redirect("member-logins", group.pk)
        if do not in _KINDS:
            return render(request, "400.html", status=400)
        new = member_logins.create_logins(
            group,
            player,
            request.POST.get("token", ""),
            chosen,
            with_card=do != "pictures",
            with_pictures=do != "cards",
        )
    except Refused as refusal:
        return _show_list(request, group, chosen, render_message(refusal.words))
    for login in new:
        log_event("class login made", request, login.member.player_id, by=player.pk, kind=do)
    names = get_real_names(group, player) if request.POST.get("with_names") else {}
    context = {
        "group": group,
        "kind": do,
        "slips": [_build_slip(request, each, names) for each in new],
        "is_loopback": is_loopback_host(request),
    }
    return render(request, "lobby/member_logins_sheet.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@for_organiser
def real_names(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Show the real names of the members to the organiser. A POST stores those that changed."""
    player = member(request)
    members = membership.list_visible_members(group, player.pk)
    known, fault, typed = get_real_names(group, player), "", dict[int, str]()
    if request.method == "POST":
        for each in members:
            name = request.POST.get(f"name-{each.player_id}")
            # Store only what was changed here, because another tab may have changed other fields.
            if name is not None and name != request.POST.get(f"was-{each.player_id}"):
                typed[each.player_id] = name
        try:
            store_real_names(group, player, typed)
        except Refused as refusal:
            fault = render_message(refusal.words)
        else:
            messages.success(request, render_message(build_message("class.real-names-kept")))
            return redirect("real-names", group.pk)
    rows = [
        (each, known.get(each.player_id, ""), typed.get(each.player_id))
        for each in members
        if each.player_id != group.organiser_id
    ]
    context = {
        "group": group,
        "rows": [
            {"member": each, "was": was, "name": was if name is None else name[:200]}
            for each, was, name in rows
        ],
        "fault": fault,
        "most": LONGEST_REAL_NAME,
    }
    return render(request, "lobby/real_names.html", context, status=400 if fault else 200)


def _show_list(
    request: HttpRequest, group: Group, chosen: Any = (), fault: str = ""
) -> HttpResponseBase:
    logins = member_logins.list_logins(group)
    is_all = request.GET.get("tick") == "all" and not fault
    rows = [
        {
            "member": each,
            "login": login,
            "is_chosen": each.player_id in chosen if fault else is_all or not _has_any(login),
        }
        for each, login in logins
    ]
    context = {
        "can_tick_more": not all(row["is_chosen"] for row in rows),
        "group": group,
        "rows": rows,
        "token": member_logins.create_form_token(),
        "fault": fault,
    }
    return render(request, "lobby/member_logins.html", context, status=400 if fault else 200)


def _has_any(login: MemberLogin | None) -> bool:
    return login is not None and bool(login.card_hash or login.pictures_hash)


def _build_slip(request: HttpRequest, login: NewLogin, names: dict[int, str]) -> dict[str, Any]:
    where = request.build_absolute_uri(reverse("class-login", args=[login.member.group_id]))
    slip = {
        "name": login.member.player.name,
        "real_name": names.get(login.member.player_id, ""),
        "pictures": [(name, class_login.PICTURES[name]) for name in login.pictures],
    }
    if login.card:
        label = gettext("QR code of the card")
        slip |= {
            "code": format_code(login.card),
            "qr": draw_qr_code(f"{where}#{login.card}", label),
        }
    return slip


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
