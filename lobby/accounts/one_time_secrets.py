"""Secrets that a page displays only once, when it creates them: tokens and webhook secrets."""

from collections.abc import Callable

from django.http import HttpRequest
from msgspec import Struct

from games.messages import build_message, render
from games.messages.refusal import Refused
from games.runtime.limiter import is_within_limit

_SECRETS_PER_HOUR = 20  # of one kind, for one account


class NewSecret(Struct, frozen=True):
    """A new secret with its text, which is stored only as a hash or encrypted."""

    id: int
    text: str

    def __repr__(self) -> str:
        """Return a text without the secret, so that logs never contain it."""
        return f"NewSecret(id={self.id})"


class SecretFormResult(Struct, frozen=True):
    """The result of a form that creates a secret: the secret or error, if any, and the status."""

    made: NewSecret | None = None
    fault: str = ""
    status: int = 200


def create_on_post(
    request: HttpRequest, what: str, make: Callable[[], NewSecret]
) -> SecretFormResult:
    """Create a secret with `make` if the request is a POST.

    `what` is the kind of secret; each kind has its own hourly limit.
    """
    if request.method != "POST":
        return SecretFormResult()
    if not is_within_limit(_SECRETS_PER_HOUR, what, str(request.user.pk), 60):
        return SecretFormResult(fault=render(build_message("login.too-often")), status=429)
    try:
        return SecretFormResult(make())
    except Refused as refusal:
        return SecretFormResult(fault=render(refusal.words), status=400)
