"""Account pages that allauth does not have, and pages that differ from allauth's."""

from typing import Any

from allauth.account import views
from allauth.account.models import EmailAddress
from allauth.mfa.base import views as factors
from allauth.mfa.webauthn import views as passkeys
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.messages import build_message
from games.messages import render as render_message
from games.messages.names import LONGEST, SHORTEST, SHORTEST_IN_CLASS
from games.messages.refusal import Refused
from games.runtime.addresses import get_request_network
from games.runtime.limiter import is_within_limit
from games.runtime.next_page import get_next_page
from games.store.suspensions import get_suspension
from lobby.accounts.access import get_guest, mark_too_often, require_account
from lobby.accounts.appeals import get_appeal, submit_appeal
from lobby.accounts.devices import get_device_name, mark_sign_ins_read
from lobby.accounts.forms import FactorAdapter
from lobby.accounts.limits import may_log_in, may_send_mail
from lobby.accounts.names import change_name, get_next_rename
from lobby.accounts.second_factors import has_second_factor
from lobby.accounts.sessions import end_other_sessions, end_user_sessions
from lobby.models import Player, RecoveryWords
from lobby.models.player import TAKEN
from lobby.privacy.account_deletion import close_account, may_close
from lobby.privacy.export import stream_export


class SignUp(views.SignupView):
    """The sign-up page, on which a guest can keep the current name."""

    def get_initial(self) -> dict[str, Any]:
        guest = get_guest(self.request)
        initial: dict[str, Any] = super().get_initial()
        return initial if guest is None else {"username": guest.username, **initial}

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            return super().form_valid(form)
        except Refused as refusal:
            if refusal.code == "taken-name":
                form.add_error("username", TAKEN)
            else:
                form.add_error(None, gettext("You already have an account. Reload the page."))
            return self.form_invalid(form)


class _Sending:
    """A mixin that limits how many e-mails a form sends, per client network and per recipient."""

    request: HttpRequest

    def form_valid(self, form: Any) -> HttpResponse:
        if not may_send_mail(self.request, form.cleaned_data["email"]):
            mark_too_often(self.request)
            form.add_error(None, gettext("Too many emails requested. Please wait an hour."))
            return self.form_invalid(form)  # type: ignore[attr-defined]
        return super().form_valid(form)  # type: ignore[misc]


class RequestLoginCode(_Sending, views.RequestLoginCodeView):
    """The page that sends a login code by e-mail."""


class PasswordReset(_Sending, views.PasswordResetView):
    """The page that sends a link for choosing a new password."""


class ConfirmEmail(views.ConfirmEmailView):
    """The page on which the owner of an address confirms it. Nobody is logged in or out."""

    def logout_other_user(self, confirmation: Any) -> None:
        pass


class ChangeEmail(views.EmailView):
    """The page for the account's e-mail address, and for a new one that is not confirmed yet."""

    def post(self, request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        asked = request.POST.get("email", "")
        if "action_remove" not in request.POST and not may_send_mail(request, asked):
            mark_too_often(request)
            messages.error(request, gettext("Too many emails requested. Please wait an hour."))
            return redirect("account_email")
        return super().post(request, *args, **more)


class Factors(factors.IndexView):
    """The page for the account's second factors."""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        mine = has_second_factor(self.request.user)
        return {**super().get_context_data(**more), "has_factor": mine}


class RemovePasskey(passkeys.RemoveWebAuthnView):
    """The page that removes a passkey. Staff must keep at least one second factor."""

    def form_valid(self, form: Any) -> HttpResponse:
        if not FactorAdapter().can_delete_authenticator(self.get_object()):
            messages.error(
                self.request, gettext("Staff need two-step login: add another factor first.")
            )
            return redirect("mfa_index")
        return super().form_valid(form)


def account(request: HttpRequest) -> HttpResponse:
    """Show an overview of the player's account."""
    assert isinstance(request.user, Player)
    mine = EmailAddress.objects.filter(user=request.user)
    context = {
        "address": mine.order_by("-verified", "-primary").first(),
        "has_factor": has_second_factor(request.user),
        "has_words": RecoveryWords.objects.filter(player=request.user).exists(),
        "may_close": may_close(request.user),
    }
    return render(request, "accounts/account.html", context)


def sessions(request: HttpRequest) -> HttpResponse:
    """List the account's sessions. A POST ends all other sessions."""
    assert isinstance(request.user, Player)
    if request.method == "POST":
        end_other_sessions(request, request.user)
        messages.success(request, gettext("You have been logged out on all other devices."))
        return redirect("usersessions_list")
    found = UserSession.objects.purge_and_list(request.user)
    for each in found:
        each.device = get_device_name(each.user_agent)
    found.sort(key=lambda each: (not each.is_current(), -each.last_seen_at.timestamp()))
    return render(request, "usersessions/usersession_list.html", {"sessions": found})


@require_POST
def sign_ins_read(request: HttpRequest) -> HttpResponse:
    """Mark as read the unread logins that this browser is allowed to see."""
    assert isinstance(request.user, Player)
    mark_sign_ins_read(request, request.user)
    return redirect(get_next_page(request) or "/")


@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """End another session of the account."""
    assert isinstance(request.user, Player)
    found = get_object_or_404(UserSession, pk=pk, user=request.user)
    if found.is_current():
        raise Http404  # players can log out instead
    end_user_sessions([found])
    messages.success(request, gettext("The session has ended."))
    return redirect("usersessions_list")


_TRIES = 20  # attempts per minute; each one reveals whether a name is taken
_DOWNLOADS = 3  # downloads per hour


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
def name(request: HttpRequest) -> HttpResponse:
    """Show the form for another name. A POST changes the name, or shows why it is refused."""
    assert isinstance(request.user, Player)
    asked = request.POST.get("name", "")
    fault, status = "", 200
    if request.method == "POST" and not is_within_limit(_TRIES, "own name", str(request.user.pk)):
        fault, status = render_message(build_message("login.too-often")), 429
    elif request.method == "POST":
        try:
            chosen = change_name(request.user.pk, asked)
        except Refused as refusal:
            fault, status = render_message(refusal.words), 400
        else:
            messages.success(request, render_message(build_message("name.changed", name=chosen)))
            return redirect(get_next_page(request) or "account")
    context = {
        "asked": asked[: 2 * LONGEST] or request.user.username,
        "fault": fault,
        "free_at": get_next_rename(request.user),
        "days": settings.RENAME_INTERVAL_DAYS,
        "kept_days": settings.FORMER_NAME_DAYS,
        "least": SHORTEST_IN_CLASS if request.user.is_class_account else SHORTEST,
        "most": LONGEST,
        "next": get_next_page(request),
    }
    return render(request, "accounts/change_name.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@require_account
def close(request: HttpRequest) -> HttpResponse:
    """Ask for the password. A POST schedules the account's deletion and logs out everywhere."""
    player = request.user
    assert isinstance(player, Player)
    if not may_close(player):
        messages.error(request, render_message(build_message("refused.class-closes")))
        return redirect("account")
    fault, status = "", 200
    if request.method == "POST":
        if not may_log_in(player.username, get_request_network(request)):
            fault, status = render_message(build_message("login.too-often")), 429
        elif not player.check_password(request.POST.get("password", "")[:500]):
            fault, status = render_message(build_message("closing.wrong-password")), 400
        elif not close_account(player.pk):
            fault, status = gettext("Moderators cannot close their account."), 400
        else:
            player.refresh_from_db()
            end_other_sessions(request, player)
            logout(request)
            said = build_message("closing.asked", on=f"{player.closing_at:%Y-%m-%d %H:%M}")
            messages.success(request, render_message(said))
            return redirect("lobby")
    context = {"fault": fault, "days": settings.ACCOUNT_CLOSING_DAYS}
    return render(request, "accounts/close_account.html", context, status=status)


@require_safe
@require_account
def download(request: HttpRequest) -> HttpResponseBase:
    """Download the player's personal data as one JSON file."""
    assert isinstance(request.user, Player)
    if not is_within_limit(_DOWNLOADS, "download", str(request.user.pk), 60):
        detail = render_message(build_message("login.too-often"))
        return render(request, "429.html", {"detail": detail}, status=429)
    response = StreamingHttpResponse(stream_export(request.user), content_type="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="my-data.json"'
    response.headers["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def appeals(request: HttpRequest) -> HttpResponse:
    """Show the form for an appeal against the current suspension, or the appeal and its answer.

    A POST submits the appeal.
    """
    if not isinstance(request.user, Player):
        return redirect("lobby")
    fault, asked = "", request.POST.get("words", "")
    if request.method == "POST":
        try:
            submit_appeal(request.user.pk, asked)
        except Refused as refusal:
            fault = render_message(refusal.words)
        else:
            messages.success(request, render_message(build_message("appeal.sent")))
            return redirect("appeal")
    held = get_suspension(request.user.pk)
    context = {
        "held": held and render_message(held.refusal.words),
        "appeal": get_appeal(request.user.pk),
        "fault": fault,
        "asked": asked[:2000],
    }
    return render(request, "accounts/appeal.html", context, status=400 if fault else 200)
