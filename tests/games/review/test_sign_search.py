"""The search for signs follows the events of ended matches and covers each at least once."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from games.match.commands import Resign
from games.models import Connection, Event, Match, Sign, SignSearch
from games.review import decisions, sign_search
from games.review.sign_search import Search
from games.runtime.db import close_db_threads
from tests.builders.matches import commit_command, create_match, deliver_events
from tests.builders.retention import delete_old

pytestmark = pytest.mark.django_db(transaction=True)


def at_one_address(match: Match) -> None:
    """A match of two players with the same address, which is a sign once it has ended."""
    at = timezone.now()
    Connection.objects.bulk_create(
        Connection(match=match, seat=seat, server="s", address="aa", opened_at=at, seen_at=at)
        for seat in (0, 1)
    )


def finished(first: Any, second: Any) -> Match:
    """A match that has ended as the journal ends it."""
    match = create_match("tic-tac-toe", first, second, plies=2)
    at_one_address(match)
    commit_command(match, second.pk, Resign())
    return match


def search(most: int = 50) -> None:
    searching = Search(most)
    while searching.go_on():
        pass


def signed() -> set[str]:
    return set(Sign.objects.filter(kind="address").values_list("match_id", flat=True))


def due() -> set[str]:
    return set(SignSearch.objects.exclude(due_at=None).values_list("match_id", flat=True))


def test_a_match_is_searched_because_its_event_says_that_it_ended(alice: Any, bob: Any) -> None:
    matches = {finished(alice, bob).pk for _ in range(7)}
    going_on = create_match("tic-tac-toe", alice, bob, plies=2)
    at_one_address(going_on)
    search()
    assert signed() == set()  # nobody has delivered the events
    deliver_events()
    assert due() == matches
    search(most=3)
    assert signed() == matches
    assert due() == set()


def test_what_was_searched_is_not_searched_again(
    alice: Any, bob: Any, django_assert_max_num_queries: Any
) -> None:
    finished(alice, bob)
    deliver_events()
    searching = Search()
    assert not searching.go_on()
    with django_assert_max_num_queries(1):
        assert not searching.go_on()


def test_another_result_is_searched_anew(alice: Any, bob: Any, rita: Any) -> None:
    match = finished(alice, bob)
    deliver_events()
    search()
    decisions.correct_result(rita, match.pk, "A test.", 0, (50, 50))
    deliver_events()
    assert due() == {match.pk}


def test_who_dies_while_searching_leaves_it_to_another(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = finished(alice, bob)
    deliver_events()
    with monkeypatch.context() as patched:
        patched.setattr(sign_search, "find_signs", _away)
        with pytest.raises(OperationalError):
            Search().go_on()
    search()
    assert signed() == set()  # the server that died holds the lease
    SignSearch.objects.update(due_at=timezone.now())  # the lease runs out
    search()
    assert signed() == {match.pk}
    assert due() == set()


def _away(record: Any) -> Any:
    raise OperationalError("a test")


def test_a_result_that_changes_during_the_search_is_searched_again(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = finished(alice, bob)
    deliver_events()

    def changes_meanwhile(record: Any) -> Any:
        sign_search.note_results([Event.objects.get(match=match, kind="ended")])
        return iter(())

    with monkeypatch.context() as patched:
        patched.setattr(sign_search, "find_signs", changes_meanwhile)
        Search().go_on()
    assert due() == {match.pk}


def test_what_ended_before_an_update_is_found(alice: Any, bob: Any, settings: Any) -> None:
    """The events were delivered when there was no handler. The catch-up has a limit."""
    known, old = finished(alice, bob), finished(alice, bob)
    Event.objects.all().delete()
    now = timezone.now()
    for match, ago in ((known, 2), (old, settings.SIGN_SEARCH_HOURS + 1)):
        at = now - timedelta(hours=ago)
        Match.objects.filter(pk=match.pk).update(ended_at=at)
    search()
    assert signed() == {known.pk}
    search()  # a referee that restarts does not search everything again
    assert SignSearch.objects.count() == 1 and due() == set()


def test_a_catch_up_goes_on_until_nothing_was_missed(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_search, "_PAGE", 3)
    matches = {finished(alice, bob).pk for _ in range(7)}
    Event.objects.all().delete()
    Match.objects.update(ended_at=timezone.now() - timedelta(hours=1))
    search()
    assert signed() == matches


def test_a_match_that_cannot_be_searched_does_not_stop_the_search(alice: Any, bob: Any) -> None:
    damaged, sound = finished(alice, bob), finished(alice, bob)
    deliver_events()
    damaged.moves.update(role="nobody")
    Match.objects.filter(pk=damaged.pk).update(notation="oxo......")
    search()
    assert sound.pk in signed()
    assert due() == set()


def test_what_was_searched_long_ago_is_forgotten(alice: Any, bob: Any, settings: Any) -> None:
    finished(alice, bob)
    waiting = finished(alice, bob)
    deliver_events()
    SignSearch.objects.update(at=timezone.now() - timedelta(hours=settings.SIGN_SEARCH_HOURS + 1))
    SignSearch.objects.exclude(match=waiting).update(due_at=None)
    delete_old(SignSearch)
    assert [row.match_id for row in SignSearch.objects.all()] == [waiting.pk]


def test_two_who_search_at_once_share_the_work(alice: Any, bob: Any) -> None:
    matches = {finished(alice, bob).pk for _ in range(6)}
    deliver_events()
    seen: list[str] = []

    def take() -> None:
        try:
            seen.extend(row.match_id for row in sign_search._lease_matches(6))
        finally:
            from django.db import connection

            connection.close()

    threads = [threading.Thread(target=take) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    close_db_threads()
    assert sorted(seen) == sorted(matches)  # each of them once
