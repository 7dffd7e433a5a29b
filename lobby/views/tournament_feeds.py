"""An Atom feed and iCalendar files (RFC 5545) of tournaments."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.formats import date_format
from django.utils.html import linebreaks
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from msgspec import Struct

from games.messages import build_message, render
from lobby.models import Tournament
from lobby.tournaments import queries
from lobby.tournaments.names import get_organiser_name
from lobby.views.tournament_access import for_viewers, listed

_MAX_AGE = 300  # seconds for which clients can cache the file
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


_LINE = 75  # octets in a line
_FURTHER = b"\r\n "
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_PRODUCT = "-//Parlour//Tournaments//EN"
_REFRESH = "PT1H"  # how often programs should reload the calendar


class CalendarEvent(Struct, frozen=True):
    """An event of a calendar.

    `sequence` grows with each change. `ends_at` is None if the end is unknown.
    """

    uid: str
    url: str
    title: str
    about: str
    changed_at: datetime
    sequence: int
    starts_at: datetime
    ends_at: datetime | None = None
    is_off: bool = False


def render_calendar(name: str, events: Sequence[CalendarEvent]) -> bytes:
    """Render an iCalendar file."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{_PRODUCT}", "CALSCALE:GREGORIAN"]
    lines += [f"NAME:{escape_text(name)}", f"X-WR-CALNAME:{escape_text(name)}"]
    lines += [f"REFRESH-INTERVAL;VALUE=DURATION:{_REFRESH}", f"X-PUBLISHED-TTL:{_REFRESH}"]
    for event in events:
        lines += _render_event(event)
    lines.append("END:VCALENDAR")
    return b"".join(fold_line(line) + b"\r\n" for line in lines)


def escape_text(value: str) -> str:
    """Escape a text value, and remove control characters."""
    return _CONTROLS.sub("", value).translate(_ESCAPED)


def fold_line(line: str) -> bytes:
    """Fold a line into pieces of at most 75 octets, without splitting a character."""
    pieces: list[bytes] = []
    piece = b""
    for each in line:
        octets = each.encode()
        if len(piece) + len(octets) > _LINE - bool(pieces):
            pieces.append(piece)
            piece = b""
        piece += octets
    return _FURTHER.join([*pieces, piece])


def _render_event(event: CalendarEvent) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{event.uid}"
    yield f"DTSTAMP:{_moment(event.changed_at)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTART:{_moment(event.starts_at)}"
    if event.ends_at is not None and event.ends_at > event.starts_at:
        yield f"DTEND:{_moment(event.ends_at)}"
    yield f"SUMMARY:{escape_text(event.title)}"
    if event.about:
        yield f"DESCRIPTION:{escape_text(event.about)}"
    yield f"URL:{event.url}"
    yield f"STATUS:{'CANCELLED' if event.is_off else 'CONFIRMED'}"
    yield "END:VEVENT"


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


@require_safe
def feed(request: HttpRequest) -> HttpResponse:
    """Return a feed of public tournaments: up to 25 each that are running, upcoming or finished."""
    return _sent(request, lambda: _atom(request), Atom1Feed.content_type)


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """Return the tournaments of the feed as a calendar."""
    events = [_event(request, each) for each in _public()]
    return _sent(request, lambda: render_calendar(_title(), events), _CALENDAR)


@require_safe
@for_viewers
def event(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Return one tournament as a calendar, for visitors who can see it."""
    found = _event(request, tournament)
    answer = _sent(request, lambda: render_calendar(tournament.name, [found]), _CALENDAR)
    answer.headers["Content-Disposition"] = f'attachment; filename="{tournament.pk}.ics"'
    if tournament.group_id is not None:
        answer.headers["Cache-Control"] = "private, no-cache"
    return answer


_CALENDAR = "text/calendar; charset=utf-8"


def _sent(request: HttpRequest, make: Callable[[], bytes], kind: str) -> HttpResponse:
    """Return the file, or 304 if the client has it."""
    body = make()
    etag = quote_etag(hashlib.blake2s(body, digest_size=12).hexdigest())
    headers = {"ETag": etag, "Cache-Control": f"public, max-age={_MAX_AGE}"}
    known = get_conditional_response(request, etag=etag)
    if known is not None:
        return HttpResponse(status=known.status_code, headers=headers)
    return HttpResponse(body, content_type=kind, headers=headers)


def _public() -> list[Tournament]:
    lists = (
        queries.list_running_tournaments(None),
        queries.list_upcoming_tournaments(None),
        queries.list_finished_tournaments(None),
    )
    return [each for rows in lists for each in rows[: queries.PAGE]]


def _title() -> str:
    return render(build_message("tournament.feed", site=settings.SITE_NAME))


def _changed(found: Tournament) -> datetime:
    return found.ended_at or found.started_at or found.made_at


def _about(found: Tournament) -> str:
    shown = listed(found)
    when = f"{date_format(found.starts_at.astimezone(UTC), 'DATETIME_FORMAT')} UTC"
    return "\n".join(part for part in (shown["what"], shown["state"], when, found.about) if part)


class _Feed(Atom1Feed):
    def latest_post_date(self) -> datetime:
        """Return the time of the latest creation, start or end.

        An empty feed has a constant time, so that its ETag stays valid.
        """
        return max((each["updateddate"] for each in self.items), default=_LONG_AGO)


def _atom(request: HttpRequest) -> bytes:
    made = _Feed(
        title=_xml(_title()),
        link=request.build_absolute_uri(reverse("tournaments")),
        description="",
        feed_url=request.build_absolute_uri(request.path),
        language=get_language(),
        author_name=_xml(settings.SITE_NAME),
    )
    for each in sorted(_public(), key=_changed, reverse=True):
        made.add_item(
            title=_xml(each.name),
            link=request.build_absolute_uri(each.get_absolute_url()),
            unique_id=request.build_absolute_uri(each.get_absolute_url()),
            description=linebreaks(
                _xml(_about(each)), autoescape=True
            ),  # feed readers parse the description as HTML
            author_name=_xml(get_organiser_name(each)) or None,
            pubdate=each.made_at,
            updateddate=_changed(each),
        )
    return made.writeString("utf-8").encode()


def _xml(text: str) -> str:
    """Return the text without characters that XML does not allow."""
    return _NO_XML.sub("", text)


def _event(request: HttpRequest, found: Tournament) -> CalendarEvent:
    return CalendarEvent(
        uid=f"{found.pk}@{request.get_host()}",
        url=request.build_absolute_uri(found.get_absolute_url()),
        title=found.name,
        about=_about(found),
        changed_at=_changed(found),
        sequence=found.version,
        starts_at=found.started_at or found.starts_at,
        ends_at=found.expected_end,
        is_off=found.state == Tournament.State.CALLED_OFF,
    )
