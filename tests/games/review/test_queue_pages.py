"""The pages of the queue: access, content, and information that players never see."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.utils import timezone

from games.messages.refusal import Refused
from games.models import Connection, Match, Note
from games.review import bulk, decisions, handling, reports
from games.store.audit import hash_address, list_neighbours
from tests.builders.matches import create_match
from tests.builders.players import create_player, create_staff
from tests.builders.pseudo_language import activate_pseudo_language, get_unmarked_text
from tests.builders.reviews import create_decision_form, create_sign

SECRET = "Perhaps his brother plays too."


@pytest.fixture
def reported(finished: Callable[..., Match], alice: Any, bob: Any) -> Match:
    match = finished("tic-tac-toe")
    reports.store_report(alice.pk, match.pk, bob.pk, "cheating", "never blinks")
    create_sign(match, bob)
    return match


def where(whom: Any, what: str = "") -> str:
    return f"/admin/games/case/queue/{whom.pk}/{what}"


def test_the_front_page_counts_what_is_open(reported: Match, bob: Any, client: Any) -> None:
    for staff, sees in ((create_player("rex", "reviewer"), True), (create_staff("idle"), False)):
        client.force_login(staff)
        page = client.get("/admin/").content.decode()
        assert ("1 player in the queue" in page) is sees, staff
        assert ("1 open report<" in page) is sees
        assert ("1 open sign<" in page) is sees


def test_one_screen_has_all_that_a_decision_needs(
    reported: Match, alice: Any, bob: Any, charlie: Any, rita: Any, sara: Any, client: Any
) -> None:
    other = create_match("tic-tac-toe", charlie, alice)
    for match, seat, whom in ((reported, 1, "home"), (other, 0, "home"), (other, 1, "away")):
        Connection.objects.create(
            match=match, seat=seat, server="s", address=hash_address(whom),
            opened_at=timezone.now(), seen_at=timezone.now(),
        )  # fmt: skip
    undone = decisions.warn_player(rita, bob.pk, "So.", 0)
    decisions.reverse_decision(sara, undone.pk, "It was his sister.")
    handling.write_note(bob.pk, rita, SECRET, reported.pk)
    client.force_login(rita)
    handling.take_player(bob.pk, rita)
    page = client.get(where(bob)).content.decode()
    for there in ("never blinks", "moves at constant intervals", "charlie", SECRET, 'class="mark"',
                  "It was his sister.", "Analyse the game", 'name="open"', "data-key"):  # fmt: skip
        assert there.lower() in page.lower(), there
    assert "xplayer" not in Text.of(page)
    assert client.get(where(bob, "?match=nosuch")).status_code == 200
    assert client.get(f"/admin/games/match/{reported.pk}/change/").status_code == 200


def test_notes_are_for_moderators_alone(
    reported: Match, alice: Any, bob: Any, rita: Any, client: Any
) -> None:
    idle = create_staff("idle")
    for who in (alice, bob, idle):
        with pytest.raises(Refused, match="no-right"):
            handling.write_note(bob.pk, who, SECRET)
    for text, told in (("  ", "no-note"), ("x" * 501, "reason-too-long")):
        with pytest.raises(Refused, match=told):
            handling.write_note(bob.pk, rita, text)
    made = handling.write_note(bob.pk, rita, f" {SECRET} ", reported.pk)
    assert handling.write_note(bob.pk, rita, SECRET).pk == made.pk  # the form was sent twice
    assert handling.write_note(alice.pk, rita, "Another.", "nosuch").match is None
    assert (made.words, made.match, Note.objects.count()) == (SECRET, reported, 2)
    paths = ("/", f"/match/{reported.pk}/", f"/match/{reported.pk}/record.json",
             f"/match/{reported.pk}/replay.json", where(bob),
             f"/admin/games/match/player/{bob.pk}/",
             f"/admin/games/match/{reported.pk}/record.json")  # fmt: skip
    for who in (None, alice, bob, idle):
        client.logout()
        if who is not None:
            client.force_login(who)
        for path in paths:
            assert SECRET not in client.get(path, follow=True).content.decode(), (who, path)
    client.force_login(rita)
    assert SECRET in client.get(where(bob)).content.decode()


def test_a_refusal_keeps_what_was_written(
    reported: Match, bob: Any, rita: Any, client: Any
) -> None:
    client.force_login(rita)
    handling.take_player(bob.pk, rita)
    sent = create_decision_form(
        bob, kind="rename", name="x", reason="It offends.", note="Careful with him."
    )
    answer = client.post(where(bob, "handle/"), sent)
    assert answer.status_code == 409
    page = " ".join(answer.content.decode().split())
    for kept in ("It offends.", "Careful with him.", 'value="rename" checked', 'value="x"'):
        assert kept in page, kept
    assert "A name needs at least 3 characters." in page


def test_after_the_last_one_the_queue_is_shown(
    reported: Match, bob: Any, rita: Any, client: Any
) -> None:
    client.force_login(rita)
    assert client.post("/admin/games/case/queue/next/").headers["Location"] == where(bob)
    answer = client.post(where(bob, "handle/"), create_decision_form(bob), follow=True)
    assert answer.redirect_chain[-1][0] == "/admin/games/case/queue/"
    page = answer.content.decode()
    assert "The player was warned." in page
    assert "The queue has no players that you can take." in page


def test_neighbours_are_those_of_the_players_own_addresses(
    alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    one, two = create_match("tic-tac-toe", alice, bob), create_match("tic-tac-toe", charlie, rita)
    now = timezone.now()
    for match, seat, address in ((one, 0, "a"), (one, 1, "b"), (two, 0, "a"), (two, 1, "c"),
                                 (two, 1, "")):  # fmt: skip
        Connection.objects.create(
            match=match, seat=seat, server="s", address=address, opened_at=now, seen_at=now
        )
    decisions.suspend_player(rita, charlie.pk, "So.", 0, 3)
    (found,) = list_neighbours(alice.pk)
    assert (found.player_id, found.is_suspended) == (charlie.pk, True)
    assert list_neighbours(bob.pk) == []
    assert list_neighbours(10**9) == []


def test_every_word_of_the_review_is_marked(
    reported: Match, alice: Any, bob: Any, rita: Any, sara: Any, client: Any
) -> None:
    decisions.reverse_decision(sara, decisions.warn_player(rita, bob.pk, "123", 0).pk, "123")
    decided = decisions.void_match(rita, reported.pk, "123", 0)
    other = create_player("charlie")
    reports.store_report(alice.pk, None, other.pk, "lobby", "123")
    done = bulk.dismiss_players(sara, [other.pk], "123", "k", bulk.get_latest())
    handling.take_player(bob.pk, sara)
    client.force_login(sara)
    case, seen = reported.cases.get(), reported.signs.get()
    loose: dict[str, list[str]] = {}
    for path in (
        "case/queue/",
        f"case/queue/{bob.pk}/",
        f"match/{reported.pk}/change/",
        f"match/player/{bob.pk}/",
        f"case/{case.pk}/change/",
        f"sign/{seen.pk}/change/",
        f"decision/{decided.pk}/change/",
        f"bulkaction/{done.action.pk}/change/",
        "case/queue/?select=1",
        "case/search/?q=bob",
    ):
        client.get(f"/admin/games/{path}")  # the table for scripts is now in English
        with activate_pseudo_language():
            answer = client.get(f"/admin/games/{path}")
        left = Text.of(answer.content.decode())
        for known in ("alice", "bob", "charlie", "rita", "sara", "never blinks", "UTC", "So.",
                      reported.pk, "player"):  # fmt: skip
            left = left.replace(known, "")
        # Places on the board ("B2") are the same in every language.
        words = (word for word in left.split() if not re.fullmatch("[A-O][0-9]+", word))
        loose[path] = [word for word in words if any(map(str.isalpha, word))]
    assert not any(loose.values()), loose


class Text(HTMLParser):
    """The text of the review's part of a page, outside all marked elements."""

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.found = 0, ""
        self.open: list[str] = []

    @classmethod
    def of(cls, page: str) -> str:
        parser = cls()
        start = re.search(r'<div\s+class="review', page)
        assert start is not None
        parser.feed(page[start.start() : page.index('<footer id="footer"', start.start())])
        return get_unmarked_text(parser.found)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style", "svg", "kbd"} & set(self.open):
            self.found += data
