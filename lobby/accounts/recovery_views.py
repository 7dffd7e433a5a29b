"""The pages of the recovery words: getting back in by them, and being shown new ones."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from games.runtime.addresses import get_request_network
from games.runtime.next_page import get_next_page
from lobby.accounts.access import mark_too_often
from lobby.accounts.account_lookup import find_stored_name
from lobby.accounts.audit_events import log_event
from lobby.accounts.forms import RecoveryForm
from lobby.accounts.limits import may_log_in
from lobby.accounts.recovery import create_words, find_owner, replace_password
from lobby.accounts.sessions import end_other_sessions
from lobby.models import Player

WORDS_DUE = "words_due"
"""In a session: the next page shows new recovery words."""


def recover_page(request: HttpRequest) -> HttpResponse:
    """By POST: check the words, set the new password, and log in; a second factor is still asked
    for. The words are used up: new ones are shown next."""
    form = RecoveryForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        answer = _try(request, form)
        if answer is not None:
            return answer
    return render(request, "accounts/recovery.html", {"form": form})


def _try(request: HttpRequest, form: Any) -> HttpResponse | None:
    data = form.cleaned_data
    name = find_stored_name(data["name"]) or data["name"]
    if not may_log_in(name, get_request_network(request)):
        mark_too_often(request)
        form.add_error(
            None,
            gettext("Too many attempts. Please wait a few minutes and try again."),
        )
        return None
    found = find_owner(name, data["words"])
    if found is None or not replace_password(*found, make_password(data["password1"])):
        log_event("recovery words failed", request, None if found is None else found[0].pk)
        form.add_error(None, gettext("Wrong name or words, or these words have already been used."))
        return None
    account, _ = found
    log_event("password reset by recovery words", request, account.pk)
    end_other_sessions(None, account)
    record_authentication(request, account, method="recovery_words")
    return perform_login(request, Login(user=account, signal_kwargs={WORDS_DUE: True}))


def words_page(request: HttpRequest) -> HttpResponse:
    """After signing up: the recovery words, once. Else by POST new ones, and the password is asked
    for before."""
    assert isinstance(request.user, Player)
    if request.session.pop(WORDS_DUE, False):
        return _show(request, request.user)
    if request.method == "POST":
        shown: HttpResponse = reauthentication_required(_new_words)(request)
        return shown
    return render(request, "accounts/words.html", {"words": None})


def _new_words(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, Player)
    return _show(request, request.user)


def _show(request: HttpRequest, account: Player) -> HttpResponse:
    words = create_words(account)
    log_event("recovery words made", request, account.pk)
    return render(
        request,
        "accounts/words.html",
        {"words": words.split(), "next": get_next_page(request) or "/"},
    )
