"""What the organiser and the system did, for all to read."""

from django.utils import timezone

from games.messages import build_message
from lobby.models import LogLine, Player, Tournament

PAGE = 50  # lines on one page


def note(tournament: Tournament, by: Player | None, code: str, **params: str | int) -> None:
    """Note that somebody did something, or the system (None). `code` is a sentence's."""
    LogLine.objects.create(
        tournament=tournament, at=timezone.now(), by=by, said=build_message(code, **params)
    )


def log_of(tournament_id: str, before: int | None = None) -> tuple[list[LogLine], int | None]:
    """A page of the log, newest first, and where the next one begins."""
    rows = LogLine.objects.filter(tournament=tournament_id).select_related("by").order_by("-id")
    if before is not None:
        rows = rows.filter(id__lt=before)
    found = list(rows[: PAGE + 1])
    return found[:PAGE], found[PAGE - 1].pk if len(found) > PAGE else None
