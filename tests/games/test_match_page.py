"""The page of a finished match for its winner, its loser and a watcher."""

import html
import re
from typing import Any

import pytest

from games.models import Match
from tests.builders.matches import create_finished_match, create_match
from tests.builders.players import client_for

# By status, ended and the first player's goals.
ENDS = {
    ("over", "resignation", 100): ("You won: bob resigned", "You lost: you resigned",
                                   "alice won: bob resigned"),
    ("over", "time", 100): ("You won on time", "You lost on time", "alice won on time"),
    ("over", "agreement", 50): ("Draw by agreement",) * 3,
    ("over", "abandoned", 100): ("You won: bob stopped playing", "You lost: you stopped playing",
                                 "alice won: bob stopped playing"),
    ("over", "adjudicated", 100): (
        "You won by moderator decision", "You lost by moderator decision",
        "alice won by moderator decision"),
    ("aborted", "aborted", None): ("Game cancelled. It doesn't count.",) * 3,
    ("over", "voided", None): ("The moderators voided this game. It doesn't count.",) * 3,
}  # fmt: skip


@pytest.mark.parametrize("end", ENDS, ids=[ended for _, ended, _ in ENDS])
def test_each_reads_how_it_ended(end: tuple[str, str, int | None], alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    status, ended, goal = end
    Match.objects.filter(pk=match.pk).update(
        status=status,
        ended=ended,
        first_goal=goal,
        second_goal=None if goal is None else 100 - goal,
        ended_by=None,
    )
    pages = [client_for(who).get(f"/match/{match.pk}/") for who in (alice, bob, None)]
    assert tuple(read_status(page.content.decode()) for page in pages) == ENDS[end]


def test_result_and_reason_have_elements_of_their_own(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    page = client_for(alice).get(f"/match/{match.pk}/").content.decode()
    assert '<strong class="result">You won</strong>' in page
    assert '<span class="reason">three in a row</span>' in page


def test_a_finished_match_leads_to_the_analysis_board(alice: Any, bob: Any) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    address = f"/match/{match.pk}/analysis/"
    answer = client_for(None).get(address)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/analysis/tic-tac-toe/")
    assert client_for(None).get(answer.headers["Location"]).status_code == 200
    live = create_match("tic-tac-toe", alice, bob)
    assert client_for(alice).get(f"/match/{live.pk}/analysis/").status_code == 404


def test_a_protected_match_offers_neither_pictures_nor_an_embedded_board(
    alice: Any, bob: Any
) -> None:
    match = create_finished_match("tic-tac-toe", alice, bob)
    public = client_for(alice).get(f"/match/{match.pk}/").content.decode()
    alice.is_protected = True
    alice.save()
    protected = client_for(alice).get(f"/match/{match.pk}/").content.decode()
    for offered in ("share-embed", "game.svg", "share-native"):
        assert offered in public
        assert offered not in protected
    assert 'id="share-link"' in protected


def read_status(page: str) -> str:
    """Return the text under the board, without tags."""
    (found,) = re.findall(r'<p class="status" id="status">(.*?)</p>', page, re.S)
    return html.unescape(re.sub("<[^>]+>", "", found)).strip()
