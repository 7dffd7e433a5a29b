"""Rendering of iCalendar files (RFC 5545)."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from msgspec import Struct

_LINE = 75  # octets
_FURTHER = b"\r\n "
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_PRODUCT = "-//Parlour//Tournaments//EN"
_REFRESH = "PT1H"  # how often programs should reload


class Event(Struct, frozen=True):
    """A calendar event. `sequence` grows with its changes; `ends_at` is None if unknown."""

    uid: str
    url: str
    title: str
    about: str
    changed_at: datetime
    sequence: int
    starts_at: datetime
    ends_at: datetime | None = None
    is_off: bool = False


def calendar(name: str, events: Sequence[Event]) -> bytes:
    """Render the calendar file."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{_PRODUCT}", "CALSCALE:GREGORIAN"]
    lines += [f"NAME:{text(name)}", f"X-WR-CALNAME:{text(name)}"]
    lines += [f"REFRESH-INTERVAL;VALUE=DURATION:{_REFRESH}", f"X-PUBLISHED-TTL:{_REFRESH}"]
    for event in events:
        lines += _event(event)
    lines.append("END:VCALENDAR")
    return b"".join(folded(line) + b"\r\n" for line in lines)


def text(value: str) -> str:
    """Escape a text value, and drop control characters."""
    return _CONTROLS.sub("", value).translate(_ESCAPED)


def folded(line: str) -> bytes:
    """Fold a line into pieces of at most 75 octets, never within a character."""
    pieces: list[bytes] = []
    piece = b""
    for each in line:
        octets = each.encode()
        if len(piece) + len(octets) > _LINE - bool(pieces):
            pieces.append(piece)
            piece = b""
        piece += octets
    return _FURTHER.join([*pieces, piece])


def _event(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{event.uid}"
    yield f"DTSTAMP:{_moment(event.changed_at)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTART:{_moment(event.starts_at)}"
    if event.ends_at is not None and event.ends_at > event.starts_at:
        yield f"DTEND:{_moment(event.ends_at)}"
    yield f"SUMMARY:{text(event.title)}"
    if event.about:
        yield f"DESCRIPTION:{text(event.about)}"
    yield f"URL:{event.url}"
    yield f"STATUS:{'CANCELLED' if event.is_off else 'CONFIRMED'}"
    yield "END:VEVENT"


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
