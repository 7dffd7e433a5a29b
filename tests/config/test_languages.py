"""Pages in several languages: no cache mixes them, and no number in a drawing depends on them."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client, override_settings

from lobby.live import live_matches
from lobby.models import Player
from tests.builders.catalogs import PSEUDO, build_pseudo_catalog
from tests.builders.players import client_for
from tests.builders.prepared import Snapshot
from tests.builders.sample_site import MEMBER, ORGANISER, REVIEWER, fill

pytestmark = pytest.mark.django_db

WORDS = {
    "aria-label",
    "title",
    "content",
    "placeholder",
    "alt",
    "value",
    "aria-valuetext",
    "lang",
    "aria-current",
}
"""Attributes with texts, or with values for people."""
GERMAN = [("en", "English"), ("de", "Deutsch"), (PSEUDO, "Þśéúđó")]


@pytest.fixture(scope="module")
def pages(django_db_setup: None, django_db_blocker: Any) -> Iterator[list[tuple[Client, str]]]:
    """Yield representative pages, each with the client that opens it."""
    with (
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patched,
        override_settings(LANGUAGES=GERMAN, LOCALE_PATHS=[build_pseudo_catalog()]),
        ExitStack() as at_end,
    ):
        # Otherwise, the choice and the order of the live matches would change with time.
        patched.setattr(live_matches, "_NEW_PLACES", 0)
        for name in ("_LATELY", "_UNBEGUN", "_IDLE_AFTER"):
            patched.setattr(live_matches, name, timedelta(days=1))
        at_end.callback(Snapshot().restore)
        found = fill()
        anyone, member, organiser, reviewer = (
            client_for(Player.objects.get(username=name) if name else None)
            for name in ("", MEMBER, ORGANISER, REVIEWER)
        )
        over = found["over six-in-a-row"]
        public = (
            "/", "/tv/", "/rules/", "/rules/dots-and-boxes/", "/rules/six-in-a-row/", "/offline/",
            "/service-worker.js", "/ratings/", "/ratings/six-in-a-row/", "/tournaments/",
            "/tournaments/feed.atom", "/tournaments/calendar.ics", "/nowhere/", "/accounts/signup/",
            "/analysis/", "/analysis/tic-tac-toe/xo......x/", "/embed/tv/", found["embed"], over,
            f"{over}picture.png", f"{over}game.svg", f"{over}position/3.svg", f"{over}replay.json",
            found["player"], found["live dots-and-boxes"], found["swiss over"],
            found["arena running"], found["knockout over"], f"{found['swiss over']}results.csv",
        )  # fmt: skip
        yield [
            *((anyone, path) for path in public),
            *((member, path) for path in ("/", "/games/", "/preferences/", found["group"])),
            *((member, found[page]) for page in ("player", "live six-in-a-row", "timed", "rated")),
            *((organiser, found[page]) for page in ("group", "swiss running", "class cards")),
            *((reviewer, path) for path in ("/admin/", "/admin/games/sign/", "/admin/status/")),
        ]


def fetch(client: Client, path: str, language: str) -> tuple[str, dict[str, str]]:
    """Return the page without what differs at each request, and its headers."""
    client.cookies["django_language"] = language
    answer: Any = client.get(path, HTTP_ACCEPT="text/html")
    content = b"".join(answer) if answer.streaming else answer.content
    text = content.decode("latin-1" if path.endswith(".png") else "utf-8")
    text = re.sub(r'value="(?:\w{64}|[\w-]{60,}:[\w-]+:[\w-]+)"', "", text)  # signed, or random
    text = re.sub(r'datetime="[^"]*"|\d\d:\d\d(?::\d\d)?|\b\d{10}\.\d+', "", text)
    return re.sub(r"\b\d+(?:[.,]\d+)? [GMǦḾ][BƁ]", "", text), dict(answer.headers)


def test_no_page_is_kept_in_the_language_of_another_reader(
    pages: list[tuple[Client, str]],
) -> None:
    rounds = []
    for language in ("en", PSEUDO, "en", PSEUDO):
        rounds.append([fetch(client, path, language) for client, path in pages])
    for (_, path), english, pseudo, english_again, pseudo_again in zip(pages, *rounds, strict=True):
        assert english[0] == english_again[0], path
        assert pseudo[0] == pseudo_again[0], path
        if path.endswith((".png", ".svg")):
            assert english[1]["ETag"] != pseudo[1]["ETag"], path
        elif not path.endswith((".json", ".csv")):  # which have codes and names
            assert not re.search("[łŧħ]", english[0]), path
            assert english[0] != pseudo[0], path


class Attributes(HTMLParser):
    """The attributes of a page that are not for people to read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str | None]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [
            (tag, name, re.sub(r"/words/.*", "/words/", value or ""))
            for name, value in attributes
            if name not in WORDS and not name.startswith("data-")
        ]


def test_no_number_in_a_drawing_has_a_decimal_comma(pages: list[tuple[Client, str]]) -> None:
    """German writes 1,5 for 1.5, which no browser reads."""
    for client, path in pages:
        if path.endswith((".png", ".json", ".js", ".ics", ".csv", ".atom")):
            continue
        found = []
        for language in ("en", "de"):
            parser = Attributes()
            parser.feed(fetch(client, path, language)[0])
            found.append(parser.found)
        # The lists of the admin are sorted by names, so their rows differ in order.
        assert sorted(found[0], key=str) == sorted(found[1], key=str), path
