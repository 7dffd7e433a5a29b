"""Every list of the review finds a player by name, even a name of several words."""

from typing import Any

import pytest

from games.models import Sign
from games.review import reports
from games.review.decisions import void_match, warn_player
from tests.builders.matches import create_match
from tests.builders.players import create_player


def rows(client: Any, where: str, query: str) -> int:
    """The number of rows that the list shows for a search."""
    page = client.get(f"/admin/games/{where}/", {"q": query})
    assert page.status_code == 200
    return int(page.context["cl"].result_count)


QUERIES = ("Brave Otter", "brave otter", "Brave Otter Pilot", "otter p", " Brave  Otter Pilot ")


@pytest.mark.parametrize("where", ["case", "sign", "decision", "match"])
def test_a_name_of_several_words_is_found(where: str, alice: Any, sara: Any, client: Any) -> None:
    guest, other = (
        create_player("Brave Otter Pilot", is_guest=True),
        create_player("Calm Otter", is_guest=True),
    )
    match = create_match("tic-tac-toe", alice, guest)
    made = reports.store_report(alice.pk, match.pk, guest.pk, "name", "")
    Sign.objects.create(key="k", kind="pair", match=match, player=guest, words="so", at=made.at)
    warn_player(sara, guest.pk, "Be kind.", 0, match.pk)
    elsewhere = create_match("tic-tac-toe", alice, other)
    reports.store_report(alice.pk, elsewhere.pk, other.pk, "name", "")
    Sign.objects.create(key="l", kind="pair", match=elsewhere, player=other, words="so", at=made.at)
    client.force_login(sara)
    assert [rows(client, where, query) for query in QUERIES] == [1] * len(QUERIES)
    assert rows(client, where, match.pk) == 1
    assert rows(client, where, "otter") == (1 if where == "decision" else 2)
    assert rows(client, where, "Nobody At All") == 0


def test_decisions_are_found_by_who_made_them(alice: Any, bob: Any, client: Any) -> None:
    senior = create_player("Stern Old Owl", "senior reviewer")
    void_match(senior, create_match("tic-tac-toe", alice, bob).pk, "A program.", 0)
    client.force_login(senior)
    assert rows(client, "decision", "stern old owl") == 1
