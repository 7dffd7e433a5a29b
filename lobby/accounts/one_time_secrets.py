"""What its owner is shown once, when it is made on a page: a token, the secret of a webhook."""

from collections.abc import Callable

from django.http import HttpRequest
from msgspec import Struct

from games.messages import build_message, render
from games.messages.refusal import Refused
from games.runtime.limiter import may

_AN_HOUR = 20  # made by one account


class Shown(Struct, frozen=True):
    """What has just been made, with its text, which is nowhere else."""

    id: int
    text: str

    def __repr__(self) -> str:
        """Without the text: this may come into a log."""
        return f"Shown(id={self.id})"


class Tried(Struct, frozen=True):
    """What became of the page's form: what was made, or why not, and the status of the answer."""

    made: Shown | None = None
    fault: str = ""
    status: int = 200


def tried(request: HttpRequest, what: str, make: Callable[[], Shown]) -> Tried:
    """Make one if the request is a POST."""
    if request.method != "POST":
        return Tried()
    if not may(_AN_HOUR, what, str(request.user.pk), 60):
        return Tried(fault=render(build_message("login.too-often")), status=429)
    try:
        return Tried(make())
    except Refused as refusal:
        return Tried(fault=render(refusal.words), status=400)
