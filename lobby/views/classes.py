"""Pages on which organisers manage a group: its accounts and members, its code and its name.

Members can get new passwords, be removed, move to another class, be paused, muted or renamed, and
lose their protection.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import check_password, make_password
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST

from games.messages import Message, build_message
from games.messages import render as render_message
from games.messages.names import LONGEST, SHORTEST_IN_CLASS
from games.messages.refusal import Refused
from games.runtime.addresses import get_request_network, is_loopback_host
from games.runtime.limiter import is_within_limit
from games.runtime.streaming import ChunkedResponse
from games.store.suspensions import get_suspension
from lobby.accounts.access import require_account
from lobby.accounts.audit_events import log_event
from lobby.accounts.limits import expect_class_logins
from lobby.groups import care as members_care
from lobby.groups import class_accounts, membership, transfers
from lobby.groups.class_accounts import (
    BadListError,
    ListFault,
    Sheet,
    build_numbered_names,
    parse_names,
)
from lobby.groups.codes import count_wrong_code, format_code, may_try_code
from lobby.groups.member_passwords import (
    New,
    compute_key,
    compute_password,
    create_passwords,
    create_token,
    is_token,
    store_passwords,
)
from lobby.models import Group, Member
from lobby.privacy.protection import LONGEST_REASON, can_lift_protection, lift_protection
from lobby.views.groups import found_for, member, tell

_HOUR = 60  # minutes
_A_WEEK = timedelta(days=7)
_CHANGES = 20  # requests of an organiser per minute, counted separately for passwords and care
_FORM, _FORM_BODY = "lobby/class_form.html", "lobby/class_form_body.html"
_SHEET_BODY = "lobby/class_sheet_body.html"
_MAKING = "lobby/class_passwords_pending.html"
_FIELDS = ("how", "names", "beginning", "many")  # the fields of the form, without its token

View = Callable[..., HttpResponseBase]


def for_organiser(view: View) -> View:
    """Pass the group to the view if the player is its organiser.

    Redirect visitors and guests to the login page. Respond to other members with 403, and to other
    players with 404. If the group is closed, or if a suspended organiser sends a POST, redirect to
    the group.
    """

    @wraps(view)
    def shown(request: HttpRequest, group_id: str, *args: Any, **more: Any) -> HttpResponseBase:
        found = found_for(request, group_id)
        if found.closed_at is not None:
            messages.error(request, render_message(build_message("refused.group-closed")))
            return redirect(found)
        if not membership.can_manage(member(request), found):
            return render(request, "403.html", status=403)
        if request.method == "POST" and get_suspension(found.organiser_id) is not None:
            messages.error(request, render_message(build_message("refused.suspended-now")))
            return redirect(found)
        return view(request, found, *args, **more)

    return require_account(shown)


@require_http_methods(["GET", "HEAD", "POST"])
@ensure_csrf_cookie
@for_organiser
def accounts(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Show the form for new accounts. A POST creates them and shows the sheet with their passwords.

    The form has a list of names, or a number of names to create. The password hashes take seconds,
    so the response is streamed, with a blank chunk after each hash. Between two chunks, the thread
    serves other requests, and no database connection is held.
    """
    if request.method != "POST":
        return render(request, _FORM, _context(group, {}))
    token = request.POST.get("token", "")
    if not is_token(token):
        return render(request, "400.html", status=400)
    expect_class_logins(get_request_network(request))
    try:
        return _answer(request, group, token)
    except Refused as refusal:
        status = 429 if refusal.code == "many-classes" else 400
        return _again(request, group, [ListFault(0, "", refusal.words)], status)
    except BadListError as error:
        return _again(request, group, error.faults)


@require_POST
@for_organiser
def passwords(request: HttpRequest, group: Group, player_id: int | None = None) -> HttpResponseBase:
    """Set new passwords for one member, or for all class accounts, and show them once."""
    token = request.POST.get("token", "")
    if not is_token(token):
        return render(request, "400.html", status=400)
    try:
        new = create_passwords(group, token, player_id)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
        return redirect(group)
    if not is_within_limit(_CHANGES, "new passwords", str(member(request).pk)):
        detail = render_message(build_message("login.too-often"))
        return render(request, "429.html", {"detail": detail}, status=429)
    return _in_pieces(request, group, _given(request, group, new))


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def remove(request: HttpRequest, group: Group, player_id: int) -> HttpResponseBase:
    """Ask for confirmation. A POST removes the member from the group."""
    found = other_member(group, player_id)
    if request.method != "POST":
        context = {"group": group, "member": found}
        return render(request, "lobby/group_remove.html", context)
    try:
        ended = membership.remove_member(group.pk, player_id)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
    else:
        tell(ended, player_id)
        messages.success(request, render_message(build_message("group.removed", name=found.name)))
    return redirect(group)


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def transfer(request: HttpRequest, group: Group, player_id: int) -> HttpResponseBase:
    """Ask to which class the member should move. A POST offers the member to that class.

    The class is found by its code, or is another class of the organiser, which accepts the member
    immediately. Every attempt with a code counts, as in `lobby.views.groups.join`.
    """
    found, organiser, fault = other_member(group, player_id), member(request), ""
    if request.method == "POST":
        try:
            target = _get_target(request, group)
            offer, ended = transfers.offer_transfer(organiser, group.pk, player_id, target.pk)
        except Refused as refusal:
            fault = render_message(refusal.words)
        else:
            tell(ended, player_id)
            code = "group.moved" if offer is None else "group.offered"
            log_event(
                "moved to another class" if offer is None else "offered to another class",
                request,
                player_id,
                by=organiser.pk,
                group=target.pk,
            )
            words = build_message(code, name=found.name, group=target.name)
            messages.success(request, render_message(words))
            return redirect(group)
    context = {
        "group": group,
        "member": found,
        "targets": transfers.list_own_targets(organiser, group),
        "fault": fault,
        "asked": request.POST.get("code", "")[:40],
    }
    return render(request, "lobby/group_transfer.html", context, status=400 if fault else 200)


def _get_target(request: HttpRequest, group: Group) -> Group:
    """Return the requested group.

    Raise `Refused` if the group is not one of the organiser's, if the code is wrong, or after too
    many attempts.
    """
    if chosen := request.POST.get("group", ""):
        own = transfers.list_own_targets(member(request), group)
        if found := next((each for each in own if each.pk == chosen), None):
            return found
        raise Refused("not-a-member")
    address = get_request_network(request)
    if not may_try_code(member(request).pk, address):
        raise Refused("many-tries")
    target = membership.get_group_by_code(request.POST.get("code", ""))
    if target is None:
        count_wrong_code(address)
        raise Refused("no-such-code")
    return target


@require_POST
@for_organiser
def transfer_answer(request: HttpRequest, group: Group, transfer_id: int) -> HttpResponseBase:
    """Accept or decline an offer to the group, or withdraw an offer by the group."""
    organiser = member(request)
    try:
        if "accept" in request.POST:
            offer, ended = transfers.accept_transfer(organiser, group.pk, transfer_id)
            tell(ended, offer.player_id)
            log_event(
                "moved to another class",
                request,
                offer.player_id,
                by=organiser.pk,
                group=group.pk,
            )
            words = build_message("group.accepted", name=offer.player.name)
            messages.success(request, render_message(words))
        elif transfers.withdraw_transfer(organiser, group.pk, transfer_id):
            messages.success(request, render_message(build_message("group.offer-over")))
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
    return redirect(group)


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def care(request: HttpRequest, group: Group, player_id: int) -> HttpResponseBase:
    """Show the measures for a member in the organiser's care.

    A POST pauses, mutes or renames the member, or ends one of these measures.
    """
    found, fault, asked = other_member(group, player_id), "", request.POST.get("what", "")
    if not found.is_in_care:
        messages.error(request, render_message(build_message("refused.not-in-care")))
        return redirect(group)
    if request.method == "POST":
        try:
            words = _change_care(request, group, found)
        except Refused as refusal:
            fault = render_message(refusal.words)
        else:
            messages.success(request, render_message(words))
            return redirect("group-care", group.pk, player_id)
    today = timezone.localdate()
    context = {
        "group": group,
        "member": found,
        "fault": fault,
        "asked": asked,
        "until": request.POST.get("until", f"{today + _A_WEEK:%Y-%m-%d}"),
        "name": request.POST.get("name", found.player.username)[: 2 * LONGEST],
        "least": f"{today:%Y-%m-%d}",
        "most": f"{today + members_care.LONGEST:%Y-%m-%d}",
        "now": timezone.now(),
        "shortest_name": SHORTEST_IN_CLASS,
        "longest_name": LONGEST,
    }
    return render(request, "lobby/group_care.html", context, status=400 if fault else 200)


def _change_care(request: HttpRequest, group: Group, found: Member) -> Message:
    """Apply the submitted form, and return the sentence that confirms the change.

    Raise `Refused` if the form is invalid, if the change is not allowed, or after too many changes.
    """
    organiser, player_id, form = member(request), found.player_id, request.POST
    what, ends = form.get("what", ""), "end" in form
    until = None if ends else members_care.parse_end(form.get("until", ""))
    day = "" if until is None else members_care.format_day(until)
    name = found.name
    if not is_within_limit(_CHANGES, "care", str(organiser.pk)):
        raise Refused("many-tries")
    if what == "pause":
        tell(members_care.pause_member(organiser, group.pk, player_id, until), player_id)
        words = build_message("group.unpaused" if ends else "group.paused", name=name, until=day)
    elif what == "mute":
        members_care.mute_member(organiser, group.pk, player_id, until)
        words = build_message("group.unmuted" if ends else "group.muted", name=name, until=day)
    elif what == "name" and until is None:
        members_care.free_name(organiser, group.pk, player_id)
        words = build_message("group.name-free", name=name)
    elif what == "name" and until is not None:
        new = members_care.rename_member(
            organiser, group.pk, player_id, form.get("name", ""), until
        )
        words = build_message("group.renamed", before=name, name=new, until=day)
    else:
        raise Refused("malformed")
    ends_at = str(until or "")
    log_event(f"member {what}", request, player_id, by=organiser.pk, group=group.pk, until=ends_at)
    return words


@require_http_methods(["GET", "HEAD", "POST"])
@for_organiser
def protection(request: HttpRequest, group: Group, player_id: int) -> HttpResponseBase:
    """Ask for confirmation and a reason. A POST ends the member's protection."""
    found, player = other_member(group, player_id), member(request)
    if not found.player.is_protected or found.is_hidden:
        raise Http404
    if not can_lift_protection(player, player_id):
        messages.error(request, render_message(build_message("group.cannot-lift", name=found.name)))
        return redirect(group)
    reason, fault = " ".join(request.POST.get("reason", "").split())[:LONGEST_REASON], ""
    if request.method == "POST":
        if reason and request.POST.get("confirmed"):
            lift_protection(found.player, player, reason)
            log_event("protection lifted", request, player_id, by=player.pk)
            messages.success(
                request, render_message(build_message("group.lifted", name=found.name))
            )
            return redirect(group)
        fault = render_message(build_message("group.lift-unconfirmed"))
    context = {
        "group": group,
        "member": found,
        "reason": reason,
        "fault": fault,
        "longest": LONGEST_REASON,
    }
    return render(request, "lobby/group_protection.html", context, status=400 if fault else 200)


def other_member(group: Group, player_id: int) -> Member:
    """Return a member of the group, with the attributes for its organiser.

    Raise `Http404` if there is no such member, or if the member is the organiser.
    """
    members = membership.list_visible_members(group, group.organiser_id)
    for found in members:
        if found.player_id == player_id != group.organiser_id:
            return found
    raise Http404


@require_POST
@for_organiser
def code(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Give the group a new code, or remove its code."""
    is_open = not request.POST.get("close")
    membership.change_group_code(group.pk, is_open)
    messages.success(
        request, render_message(build_message("group.new-code" if is_open else "group.no-code"))
    )
    return redirect(group)


@require_POST
@for_organiser
def change(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Rename the group, and set whether its members are minors."""
    try:
        ended = membership.update_group(
            group.pk, request.POST.get("name", ""), bool(request.POST.get("for_minors"))
        )
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
    else:
        tell(ended, *ended.values())
        messages.success(request, render_message(build_message("group.kept")))
        if not request.POST.get("for_minors") and membership.has_protected_members(group):
            messages.warning(request, render_message(build_message("group.still-protected")))
    return redirect(group)


@require_POST
@for_organiser
def dissolve(request: HttpRequest, group: Group) -> HttpResponseBase:
    """Delete a group that has no other members."""
    try:
        membership.delete_group(group.pk)
    except Refused as refusal:
        messages.error(request, render_message(refusal.words))
        return redirect(group)
    messages.success(request, render_message(build_message("group.dissolved")))
    return redirect("groups")


def _answer(request: HttpRequest, group: Group, token: str) -> HttpResponseBase:
    """Return a page that creates the accounts and shows their sheet.

    If the form is sent again, return the earlier sheet. Raise `Refused` if the accounts cannot be
    created, and `BadListError` if the names are invalid.
    """
    key = compute_key(token, "\n".join(request.POST.get(name, "") for name in _FIELDS))
    known = class_accounts.get_created_sheet(group, key, token)
    if known is not None:
        return _in_pieces(request, group, _shown_again(request, group, known))
    names = _names(request)
    class_accounts.must_have_room_for(group, len(names))
    if not is_within_limit(settings.CLASSES_PER_HOUR, "class", str(member(request).pk), _HOUR):
        raise Refused("many-classes", most=settings.CLASSES_PER_HOUR)
    return _in_pieces(request, group, _made(request, group, names, key, token))


def _names(request: HttpRequest) -> list[str]:
    """Return the names in the form. Raise `BadListError` if there are none, or invalid ones."""
    if request.POST.get("how") == "numbers":
        many = request.POST.get("many", "").strip()
        is_number = many.isascii() and many.isdigit() and len(many) < 4
        return build_numbered_names(
            request.POST.get("beginning", ""), int(many) if is_number else 0
        )
    return parse_names(request.POST.get("names", ""))


def _made(
    request: HttpRequest, group: Group, names: list[str], key: str, token: str
) -> Iterator[str]:
    """Yield a blank chunk for each hash, and then the sheet or the faults of the list."""
    sheet: Sheet = [(name, compute_password(token, name)) for name in names]
    hashes = []
    for name, secret in sheet:
        hashes.append((name, make_password(secret)))
        yield ""
    faults: list[ListFault] = []
    try:
        class_accounts.create_accounts(group, member(request), key, hashes)
    except Refused as refusal:
        faults = [ListFault(0, "", refusal.words)]
    except BadListError as error:
        faults = list(error.faults)
    if faults:
        context = _context(group, request.POST, faults)
        yield render_to_string(_FORM_BODY, context, request)
        return
    log_event("class made", request, member(request).pk, group=group.pk, accounts=len(names))
    yield render_to_string(_SHEET_BODY, _sheet(request, group, sheet), request)


def _shown_again(
    request: HttpRequest, group: Group, known: list[tuple[str, str, str]]
) -> Iterator[str]:
    """Yield a blank chunk for each hash, and then the sheet, with a dash for changed passwords."""
    sheet = []
    for name, secret, hashed in known:
        sheet.append((name, secret if check_password(secret, hashed) else "\N{EM DASH}"))
        yield ""
    yield render_to_string(_SHEET_BODY, _sheet(request, group, sheet), request)


def _given(request: HttpRequest, group: Group, new: list[New]) -> Iterator[str]:
    """Yield a blank chunk for each hash, and then the sheet of new passwords, or a refusal."""
    hashes = []
    for each in new:
        hashes.append((each.player, make_password(each.password)))
        yield ""
    try:
        store_passwords(group, member(request), hashes)
    except Refused as refusal:
        yield format_html('<p class="notice" role="alert">{}</p>', render_message(refusal.words))
        return
    for each in new:
        log_event("password given by organiser", request, each.player.pk, by=member(request).pk)
    sheet = [(each.player.username, each.password) for each in new]
    yield render_to_string(_SHEET_BODY, _sheet(request, group, sheet, is_new=True), request)


def _in_pieces(request: HttpRequest, group: Group, parts: Iterator[str]) -> HttpResponseBase:
    """Stream a page that announces the work immediately, and continues with these chunks."""
    mark = create_token()  # a text that occurs nowhere else on the page
    context = {"group": group, "mark": mark}
    before, _, after = render_to_string(_MAKING, context, request).partition(mark)

    def pieces() -> Iterator[bytes]:
        yield before.encode()
        for part in parts:
            yield f"{part}\n".encode()
        yield after.encode()

    answer = ChunkedResponse(pieces())
    answer.headers["Content-Type"] = "text/html; charset=utf-8"
    return answer


def _again(request: HttpRequest, group: Group, faults: Any, status: int = 400) -> HttpResponseBase:
    """Show the form again, with its values and faults."""
    return render(request, _FORM, _context(group, request.POST, faults), status=status)


def _context(group: Group, asked: Any, faults: Any = ()) -> dict[str, Any]:
    return {
        "group": group,
        "faults": [{"line": f.line, "text": f.text, "why": render_message(f.why)} for f in faults],
        "names": asked.get("names", ""),
        "beginning": asked.get("beginning", "class"),
        "many": asked.get("many", "30"),
        "how": asked.get("how", "list"),
        "token": create_token(),
        "most": settings.ACCOUNTS_PER_CLASS,
    }


def _sheet(
    request: HttpRequest, group: Group, sheet: Sheet, is_new: bool = False
) -> dict[str, Any]:
    return {
        "group": group,
        "sheet": sheet,
        "is_new": is_new,
        "address": request.build_absolute_uri("/"),
        "is_loopback": is_loopback_host(request),
        "code": format_code(group.code) if group.code else "",
    }
