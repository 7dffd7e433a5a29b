"""Recovery words: eight words with which the owner can replace a lost password, once.

They are drawn from 2,048 words (`words.txt`, the English list of BIP-39, MIT licence), which gives
88 bits. They can replace the password, but never a second factor. The pages that create and use
them are in this module.
"""

import secrets
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext

from games.runtime.addresses import get_request_network
from games.runtime.next_page import get_next_page
from lobby.accounts.access import mark_too_often
from lobby.accounts.audit_events import log_event
from lobby.accounts.forms import RecoveryForm
from lobby.accounts.limits import may_log_in
from lobby.accounts.names import find_stored_name
from lobby.accounts.sessions import end_other_sessions
from lobby.accounts.tokens import revoke_all_tokens
from lobby.models import Player, RecoveryWords

WORDS = 8
_LONGEST = 400  # characters; the rest of a longer text is ignored


@cache
def word_list() -> tuple[str, ...]:
    return tuple(Path(__file__).with_name("words.txt").read_text(encoding="ascii").split())


def create_words(account: Player) -> str:
    """Replace the account's recovery words, and return the new ones. Only their hash is stored."""
    words = " ".join(secrets.choice(word_list()) for _ in range(WORDS))
    hashed = make_password(words)
    RecoveryWords.objects.update_or_create(
        player=account, defaults={"hash": hashed, "made_at": timezone.now()}
    )
    return words


def find_owner(name: str, words: str) -> tuple[Player, RecoveryWords] | None:
    """Return the account with this stored name, and its recovery words, if the words are right.

    Return None otherwise. One hash is computed in every case, so that the duration does not reveal
    whether the account exists or has recovery words.
    """
    found = (
        RecoveryWords.objects.filter(player__username=name, player__is_active=True)
        .select_related("player")
        .first()
    )
    given = " ".join(unicodedata.normalize("NFKC", words[:_LONGEST]).casefold().split())
    if not check_password(given, found.hash if found else "!") or found is None:
        return None
    return found.player, found


def replace_password(account: Player, used: RecoveryWords, password: str) -> bool:
    """Delete the words, set `password`, which is a hash, and revoke the account's tokens.

    Return False if the words have already been used.
    """
    with transaction.atomic():
        gone, _ = RecoveryWords.objects.filter(pk=used.pk, hash=used.hash).delete()
        if gone:
            account.password = password
            account.save(update_fields=["password"])
            revoke_all_tokens(account)
    return bool(gone)


WORDS_DUE = "words_due"
"""The key in a session, or in the arguments of a login signal, that makes the next page show new
recovery words."""


def recover_page(request: HttpRequest) -> HttpResponse:
    """Ask for the recovery words and a new password. A POST sets the password and logs in.

    Owners who have a second factor must still use it. The next page shows new words.
    """
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
    """Show new recovery words if they are due, and otherwise a button that creates new ones.

    They are due after a sign-up without an e-mail address, and after a recovery. Before a POST
    creates new words, players must authenticate again unless they have done so recently.
    """
    assert isinstance(request.user, Player)
    if request.session.pop(WORDS_DUE, False):
        return _show(request, request.user)
    if request.method == "POST":
        shown: HttpResponse = reauthentication_required(_new_words)(request)
        return shown
    return render(request, "accounts/recovery_words.html", {"words": None})


def _new_words(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, Player)
    return _show(request, request.user)


def _show(request: HttpRequest, account: Player) -> HttpResponse:
    words = create_words(account)
    log_event("recovery words made", request, account.pk)
    return render(
        request,
        "accounts/recovery_words.html",
        {"words": words.split(), "next": get_next_page(request) or "/"},
    )
