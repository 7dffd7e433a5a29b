"""Pages of the accounts that allauth does not have, or not so."""

from typing import Any

from allauth.account import views
from allauth.account.models import EmailAddress
from allauth.mfa.base import views as factors
from allauth.mfa.webauthn import views as passkeys
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from games.messages.refusal import Refused
from games.runtime.next_page import get_next_page
from lobby.accounts.access import get_guest, mark_too_often
from lobby.accounts.devices import get_device_name, mark_sign_ins_read
from lobby.accounts.factors import FactorAdapter
from lobby.accounts.limits import may_send_mail
from lobby.accounts.sessions import end_other_sessions, end_user_sessions
from lobby.accounts.staff_site import has_second_factor
from lobby.models import Player, RecoveryWords
from lobby.models.player import TAKEN


class SignUp(views.SignupView):
    """Signing up; a guest keeps their name, if they like."""

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
    """A form by which somebody has a mail sent to an address. Only so many are."""

    request: HttpRequest

    def form_valid(self, form: Any) -> HttpResponse:
        if not may_send_mail(self.request, form.cleaned_data["email"]):
            mark_too_often(self.request)
            form.add_error(None, gettext("Too many emails requested. Please wait an hour."))
            return self.form_invalid(form)  # type: ignore[attr-defined]
        return super().form_valid(form)  # type: ignore[misc]


class RequestLoginCode(_Sending, views.RequestLoginCodeView):
    """Asking for a code by mail to log in with."""


class PasswordReset(_Sending, views.PasswordResetView):
    """Asking for a link by mail to choose a new password."""


class ConfirmEmail(views.ConfirmEmailView):
    """Confirming an address by the link in a mail. It logs nobody in, and nobody out."""

    def logout_other_user(self, confirmation: Any) -> None:
        pass


class Email(views.EmailView):
    """The account's address: one, and a new one until it is confirmed."""

    def post(self, request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        asked = request.POST.get("email", "")
        if "action_remove" not in request.POST and not may_send_mail(request, asked):
            mark_too_often(request)
            messages.error(request, gettext("Too many emails requested. Please wait an hour."))
            return redirect("account_email")
        return super().post(request, *args, **more)


class Factors(factors.IndexView):
    """What the account has for a second step."""

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        mine = has_second_factor(self.request.user)
        return {**super().get_context_data(**more), "has_factor": mine}


class RemovePasskey(passkeys.RemoveWebAuthnView):
    """Removing a passkey. Staff keep one, or the app."""

    def form_valid(self, form: Any) -> HttpResponse:
        if not FactorAdapter().can_delete_authenticator(self.get_object()):
            messages.error(
                self.request, gettext("Moderators need two-step login: add another factor first.")
            )
            return redirect("mfa_index")
        return super().form_valid(form)


def account(request: HttpRequest) -> HttpResponse:
    """What an account consists of."""
    assert isinstance(request.user, Player)
    mine = EmailAddress.objects.filter(user=request.user)
    context = {
        "address": mine.order_by("-verified", "-primary").first(),
        "has_factor": has_second_factor(request.user),
        "has_words": RecoveryWords.objects.filter(player=request.user).exists(),
    }
    return render(request, "accounts/account.html", context)


def sessions(request: HttpRequest) -> HttpResponse:
    """Where the account is logged in; by POST, log out everywhere else."""
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
    """Note that the account's owner has read of the new sign-ins."""
    assert isinstance(request.user, Player)
    mark_sign_ins_read(request, request.user)
    return redirect(get_next_page(request) or "/")


@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """End one session of the account's own."""
    assert isinstance(request.user, Player)
    found = get_object_or_404(UserSession, pk=pk, user=request.user)
    if found.is_current():
        raise Http404  # that is what logging out is for
    end_user_sessions([found])
    messages.success(request, gettext("The session has ended."))
    return redirect("usersessions_list")
