"""The page of a player's webhooks, which send match and tournament events to other sites."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.messages import build_message
from games.messages import render as render_message
from lobby.accounts.access import refuse_minors, require_account
from lobby.accounts.one_time_secrets import create_on_post
from lobby.models import Player, Webhook
from lobby.models.webhook import LONGEST_ADDRESS
from lobby.webhooks import registration

_FAULTS = {
    "no-name": "hook.fault.no-name",
    "private": "hook.fault.private",
    "unreachable": "hook.fault.unreachable",
    "tls": "hook.fault.tls",
    "timeout": "hook.fault.timeout",
    "no-answer": "hook.fault.no-answer",
    "gone": "hook.fault.gone",
    "unread": "hook.fault.unread",
    "suspended": "hook.fault.suspended",
    "broken": "hook.fault.broken",
}
_STATUS = "status-"  # the prefix of a fault that is an HTTP status


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@require_account
@refuse_minors
@reauthentication_required  # type: ignore[untyped-decorator]  # allauth is untyped
def webhooks(request: HttpRequest) -> HttpResponse:
    """List the player's webhooks. A POST creates one, and only its response contains the secret."""
    player = request.user
    assert isinstance(player, Player)
    address, told = request.POST.get("address", ""), request.POST.getlist("told")
    kinds = "games" in told, "tournaments" in told
    found = create_on_post(
        request, "webhook", lambda: registration.register_webhook(player.pk, address, *kinds)
    )
    context = {
        "hooks": [_shown(hook) for hook in registration.get_webhooks(player.pk)],
        "made": found.made,
        "fault": found.fault,
        "asked": address[:LONGEST_ADDRESS] if found.fault else "",
        "ticked": told if found.fault else ["games"],
        "longest": LONGEST_ADDRESS,
    }
    return render(request, "accounts/webhooks.html", context, status=found.status)


@require_POST
@require_account
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove one of the player's webhooks."""
    found = get_object_or_404(Webhook, pk=pk, player=request.user)
    registration.remove_webhooks(Webhook.objects.filter(pk=found.pk))
    messages.success(request, render_message(build_message("hook.removed")))
    return redirect("webhooks")


@require_POST
@require_account
def switch_on(request: HttpRequest, pk: int) -> HttpResponse:
    """Enable one of the player's webhooks again."""
    found = get_object_or_404(Webhook, pk=pk, player=request.user)
    if registration.enable_webhooks(Webhook.objects.filter(pk=found.pk)):
        messages.success(request, render_message(build_message("hook.on")))
    return redirect("webhooks")


def _shown(hook: Webhook) -> dict[str, Any]:
    lost = [
        {"kind": each.kind, "at": each.at, "why": _said(each.fault)}
        for each in registration.list_dropped_deliveries(hook.pk)
    ]
    return {"hook": hook, "lost": lost}


def _said(fault: str) -> str:
    if fault.startswith(_STATUS):
        return render_message(
            build_message("hook.fault.status", status=fault.removeprefix(_STATUS))
        )
    return render_message(build_message(_FAULTS[fault]))
