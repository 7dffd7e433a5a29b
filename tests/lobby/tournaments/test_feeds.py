"""The feed and the calendars of tournaments: content, escaping, limits and access."""

import re
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from lobby.models import Player, Tournament
from lobby.tournaments import draft
from lobby.tournaments.queries import PAGE
from lobby.views.tournament_feeds import escape_text, fold_line
from tests.builders.groups import create_group
from tests.builders.players import client_for, create_organiser, create_player
from tests.builders.tournaments import create_draft, create_tournament

pytestmark = pytest.mark.django_db

FEED, CALENDAR = "/tournaments/feed.atom", "/tournaments/calendar.ics"
ATOM = "{http://www.w3.org/2005/Atom}"
ODD = "A;b,c\\n & <i>\N{LATIN SMALL LETTER E WITH ACUTE}\N{BLACK CHESS PAWN}\N{PILE OF POO}</i> \"'"
ODD_ABOUT = "BEGIN:VEVENT\r\nLine; two, \\ \x01\x08\ufffe<script>alert(1)</script>\n" + "é" * 500


def odd(by: Player, **more: Any) -> Tournament:
    """A tournament whose name and description contain all kinds of characters."""
    return create_tournament(by, name=ODD, about=ODD_ABOUT, **more)


def read(body: bytes) -> list[tuple[str, str]]:
    """Parse a calendar by RFC 5545 into lines of name and value."""
    assert body.endswith(b"\r\n")
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", body)
    for line in body.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()  # no character is split
    whole = body.decode().replace("\r\n ", "")
    lines = []
    for line in whole.split("\r\n")[:-1]:
        name, colon, value = line.partition(":")
        assert colon and re.fullmatch(r"[A-Z-]+(;[A-Z]+=[A-Z]+)?", name), line
        assert not re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value), line
        lines.append((name, value))
    return lines


def plain(value: str) -> str:
    """Unescape a text."""
    assert not re.search(r"(?<!\\)(?:\\\\)*[;,]", value), value
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], value)


def events(body: bytes) -> list[dict[str, str]]:
    """Return the events, and check that each is complete."""
    lines = read(body)
    assert lines[0] == ("BEGIN", "VCALENDAR") and lines[-1] == ("END", "VCALENDAR")
    assert ("VERSION", "2.0") in lines and "PRODID" in dict(lines)
    found: list[dict[str, str]] = []
    for name, value in lines[1:-1]:
        if (name, value) == ("BEGIN", "VEVENT"):
            found.append({})
        elif found and (name, value) != ("END", "VEVENT"):
            assert name not in found[-1], name  # each property occurs once
            found[-1][name] = value
    for each in found:
        assert {"UID", "DTSTAMP", "DTSTART", "SUMMARY", "URL", "STATUS"} <= set(each)
    assert len({each["UID"] for each in found}) == len(found)
    return found


def moment(value: str) -> datetime:
    return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


def test_odd_names_come_through_the_calendar_unchanged() -> None:
    made = odd(create_player("Olga Brook"), kind="arena", minutes=90)
    for path in (CALENDAR, f"/tournaments/{made.pk}/event.ics"):
        answer = Client().get(path)
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
        (one,) = events(answer.content)
        assert plain(one["SUMMARY"]) == made.name
        about = plain(one["DESCRIPTION"])
        assert "Line; two, \\ \ufffe<script>" in about and about.endswith("é" * 500)
        assert "\x01" not in about
        assert moment(one["DTSTART"]) == made.starts_at.replace(microsecond=0)
        assert moment(one["DTEND"]) - moment(one["DTSTART"]) == timedelta(minutes=90)
        assert one["URL"] == f"http://testserver/tournaments/{made.pk}/"
        assert one["STATUS"] == "CONFIRMED"


def test_odd_names_come_through_the_feed_unchanged() -> None:
    made = odd(create_player("Olga Brook"))
    answer = Client().get(FEED)
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    root = ET.fromstring(answer.content)
    (entry,) = root.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == made.name
    summary = entry.find(f"{ATOM}summary")
    assert summary is not None and summary.get("type") == "html"
    assert "<script" not in str(summary.text)  # parsed as HTML, as a feed reader does
    assert "<script>alert(1)</script>" in unescape(str(summary.text))
    assert entry.findtext(f"{ATOM}author/{ATOM}name") == "Olga Brook"
    (link,) = entry.findall(f"{ATOM}link")
    assert link.get("href") == f"http://testserver/tournaments/{made.pk}/"
    for each in (root, entry):
        assert each.findtext(f"{ATOM}id")
        assert datetime.fromisoformat(str(each.findtext(f"{ATOM}updated"))).tzinfo is not None
    own = {each.get("rel"): each.get("href") for each in root.findall(f"{ATOM}link")}
    assert own["self"] == f"http://testserver{FEED}"


@pytest.mark.parametrize("path", [FEED, CALENDAR])
def test_an_empty_one_is_whole_and_whoever_has_it_is_not_sent_it_again(path: str) -> None:
    for many in (0, 1):
        if many:
            create_tournament(create_player("Olga Brook"))
        answer = Client().get(path)
        if path == FEED:
            assert len(ET.fromstring(answer.content).findall(f"{ATOM}entry")) == many
        else:
            assert len(events(answer.content)) == many
        again = Client().get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert not Client().get(path).cookies


def test_they_are_bounded_and_ask_a_few_queries(django_assert_max_num_queries: Any) -> None:
    olga, now = create_player("Olga Brook"), timezone.now()
    Tournament.objects.bulk_create(
        Tournament(
            name=f"Evening {number}", kind="swiss", game="six-in-a-row", rounds=3, most=9,
            state=state, organiser=olga, made_at=now, starts_at=now + timedelta(minutes=number),
            started_at=now if state in ("running", "over") else None,
            ended_at=now + timedelta(minutes=number) if state == "over" else None,
        )
        for state in ("registration", "running", "over") for number in range(PAGE + 5)
    )  # fmt: skip
    with django_assert_max_num_queries(8):  # one per state, and the players
        found = events(Client().get(CALENDAR).content)
    assert len(found) == 3 * PAGE
    with django_assert_max_num_queries(8):
        root = ET.fromstring(Client().get(FEED).content)
    assert len(root.findall(f"{ATOM}entry")) == 3 * PAGE


def test_a_groups_tournament_is_in_none_of_them_and_its_event_is_for_members() -> None:
    olga, mia, eve = create_organiser(), create_player("Mia"), create_player("Eve")
    group = create_group(olga, mia)
    made = draft.create_tournament(olga, create_draft(registration="group", group_id=group.pk))
    for who in (None, eve, mia, olga):
        assert events(client_for(who).get(CALENDAR).content) == []
        assert made.pk not in client_for(who).get(FEED).content.decode()
    path = f"/tournaments/{made.pk}/event.ics"
    assert client_for(None).get(path).status_code == client_for(eve).get(path).status_code == 404
    answer = client_for(mia).get(path)
    assert len(events(answer.content)) == 1
    assert "public" not in answer.headers["Cache-Control"]


def test_what_is_called_off_leaves_the_calendar_and_is_cancelled_by_itself() -> None:
    made = create_tournament(create_player("Olga Brook"))
    before = events(Client().get(f"/tournaments/{made.pk}/event.ics").content)[0]
    draft.update_tournament(
        made.organiser, made.pk, create_draft(starts_at=timezone.now() + timedelta(hours=5))
    )
    (moved,) = events(Client().get(CALENDAR).content)
    assert moved["UID"] == before["UID"] and moved["DTSTART"] > before["DTSTART"]
    assert int(moved["SEQUENCE"]) > int(before["SEQUENCE"])
    Tournament.objects.update(state=Tournament.State.CALLED_OFF)
    assert events(Client().get(CALENDAR).content) == []
    (off,) = events(Client().get(f"/tournaments/{made.pk}/event.ics").content)
    assert off["STATUS"] == "CANCELLED"


def test_the_pages_link_to_them() -> None:
    made = create_tournament(create_player("Olga Brook"))
    assert (
        f'href="/tournaments/{made.pk}/event.ics"'
        in Client().get(f"/tournaments/{made.pk}/").content.decode()
    )
    page = " ".join(Client().get("/tournaments/").content.decode().split())
    for path, kind in ((FEED, "application/atom+xml"), (CALENDAR, "text/calendar")):
        assert re.search(rf'<link rel="alternate" type="{re.escape(kind)}"[^>]*href="{path}"', page)
        assert f'<a class="button" href="{path}">' in page


@pytest.mark.parametrize("each", ["e", "é", "\N{BLACK CHESS PAWN}", "\N{PILE OF POO}"])
def test_lines_are_folded_between_characters(each: str) -> None:
    for many in range(160):
        line = f"SUMMARY:{each * many}"
        pieces = fold_line(line).split(b"\r\n")
        assert all(len(piece) <= 75 for piece in pieces)
        assert all(piece.startswith(b" ") for piece in pieces[1:])
        assert pieces[0].decode() + "".join(p[1:].decode() for p in pieces[1:]) == line


def test_text_is_escaped() -> None:
    assert escape_text('a\\b;c,d\ne\r\x00\x7f\x85:"') == 'a\\\\b\\;c\\,d\\ne:"'
