"""The queue's order: by kind of report and number of reporters, not by number of reports."""

from typing import Any

import pytest

from games.models import Report, Sign
from games.review import queue, reports
from games.review.queue import get_weight, weigh_items
from tests.builders.matches import create_match
from tests.builders.players import create_player
from tests.builders.reviews import create_sign


def test_more_tell_more_but_ever_less() -> None:
    one, two, twenty = (weigh_items({"cheating": n}, {}) for n in (1, 2, 20))
    assert one < two < twenty < 5 * one
    assert two - one > weigh_items({"cheating": 3}, {}) - two
    assert weigh_items({}, {}) == 0


def test_what_says_the_same_tells_more_together() -> None:
    agree = weigh_items({"losing": 1}, {"thrown": 1})
    assert agree > weigh_items({"losing": 1}, {}) + weigh_items({}, {"thrown": 1})
    assert weigh_items({"name": 1}, {"thrown": 1}) == get_weight("name") + get_weight("thrown")


@pytest.mark.parametrize("kind", [*Report.Reason.values, *Sign.Kind.values])
def test_each_kind_has_its_weight(kind: str) -> None:
    assert get_weight(kind) > 0


def test_one_entry_per_player_with_all_that_is_open(
    alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    first = create_match("tic-tac-toe", alice, bob)
    others = [create_match("tic-tac-toe", alice, bob) for _ in range(4)]
    for match in (first, *others):
        reports.store_report(alice.pk, match.pk, bob.pk, "stalling", "")
    reports.store_report(charlie.pk, first.pk, alice.pk, "cheating", "")
    reports.store_report(charlie.pk, others[0].pk, alice.pk, "cheating", "")
    create_sign(first, alice, "address")
    top, low = queue.list_entries()
    assert (top.player_id, top.reports, top.signs) == (alice.pk, {"cheating": 1}, {"address": 1})
    # Five reports by one player count as one.
    assert (low.player_id, low.reports, low.signs) == (bob.pk, {"stalling": 1}, {})
    counted = queue.count_items()
    assert (counted.players, counted.reports, counted.signs) == (2, 7, 1)


def test_of_two_that_tell_the_same_the_older_is_first(alice: Any) -> None:
    people = [create_player(f"player {n}") for n in range(3)]
    for who in people:
        reports.store_report(
            alice.pk, create_match("tic-tac-toe", alice, who).pk, who.pk, "name", ""
        )
    found = queue.list_entries()
    assert [entry.player_id for entry in found] == [who.pk for who in people]
    assert queue.get_neighbours(found, people[1].pk) == (people[0].pk, people[2].pk)
    assert queue.get_neighbours(found, people[0].pk) == (None, people[1].pk)
    assert queue.get_neighbours(found, people[2].pk) == (people[1].pk, None)
    assert queue.get_neighbours(found, alice.pk) == (None, people[0].pk)
