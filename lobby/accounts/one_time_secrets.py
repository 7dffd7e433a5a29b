"""What its owner is shown once, when it is made on a page: a token, the secret of a webhook."""

from collections.abc import Callable

from django.http import HttpRequest
from msgspec import Struct

from games.messages import build_message, render
from games.messages.refusal import Refused
from games.runtime.limiter import is_within_limit

_AN_HOUR = 20  # made by one account


class NewSecret(Struct, frozen=True):
    """What has just been made, with its text, which is nowhere else."""

    id: int
    text: str

    def __repr__(self) -> str:
        """Without the text: this may come into a log."""
        return f"Shown(id={self.id})"


class SecretFormResult(Struct, frozen=True):
    """What became of the page's form: what was made, or why not, and the status of the answer."""

    made: NewSecret | None = None
    fault: str = ""
    status: int = 200


def create_on_post(
    request: HttpRequest, what: str, make: Callable[[], NewSecret]
) -> SecretFormResult:
    """Make one if the request is a POST."""
    if request.method != "POST":
        return SecretFormResult()
    if not is_within_limit(_AN_HOUR, what, str(request.user.pk), 60):
        return SecretFormResult(fault=render(build_message("login.too-often")), status=429)
    try:
        return SecretFormResult(make())
    except Refused as refusal:
        return SecretFormResult(fault=render(refusal.words), status=400)
