"""Histories and totals are written from events, and always agree with the matches."""

import random
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.journal import events
from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Abort, Resign
from games.match.setup import Setup
from games.models import Match
from games.review import decisions
from lobby.accounts.merging import merge_guest
from lobby.models import Adoption, Block, HistoryMark, Played, Tally
from lobby.players import games, history
from lobby.players.games import Filters
from lobby.players.history import Backfill, backfill_batch, get_head_to_head, get_totals
from lobby.seeks.computer import play_computer
from tests.builders.matches import create_finished_match, create_match, deliver_events, play_ply
from tests.builders.players import create_player

pytestmark = pytest.mark.django_db


def resigned(game: str, winner: Any, loser: Any) -> Match:
    match = create_match(game, winner, loser, plies=2)
    commit_requests([Request(match.pk, loser.pk, Resign())])
    match.refresh_from_db()
    return match


def rows(of: Any) -> list[tuple[str, str, int]]:
    found = Played.objects.filter(player=of).order_by("pk")
    return list(found.values_list("match", "result", "seat"))


def counted() -> dict[Any, Any]:
    """Compute the totals from the histories."""
    with_computer = Match.objects.exclude(first_level=None, second_level=None)
    computer = set(with_computer.values_list("pk", flat=True))
    found: Counter[Any] = Counter()
    for row in Played.objects.all():
        found[row.player_id, row.game, row.match_id in computer, row.result] += 1
    return {key: number for key, number in found.items() if number}


def kept() -> dict[Any, Any]:
    found = {}
    for row in Tally.objects.all():
        for result in Played.Result.values:
            if getattr(row, result):
                found[row.player_id, row.game, row.computer, result] = getattr(row, result)
    return found


def test_what_is_over_is_in_both_histories(alice: Any, bob: Any) -> None:
    match = resigned("six-in-a-row", alice, bob)
    deliver_events()
    assert rows(alice) == [(match.pk, "won", 0)]
    assert rows(bob) == [(match.pk, "lost", 1)]
    assert Played.objects.get(player=alice).ended_at == match.ended_at
    (total,) = get_totals(alice.pk)[0]
    assert (total.game, total.won, total.drawn, total.lost) == ("six-in-a-row", 1, 0, 0)
    assert get_totals(bob.pk)[0][0].lost == 1
    assert get_head_to_head(bob.pk, alice.pk).lost == 1


def test_a_live_match_is_in_none(alice: Any, bob: Any) -> None:
    match = create_match("six-in-a-row", alice, bob, plies=2)
    deliver_events()
    assert rows(alice) == []
    assert [each.state.id for each in games.list_live(alice.pk, None)] == [match.pk]


def test_what_was_cancelled_counts_for_nobody(alice: Any, bob: Any) -> None:
    match = create_match("six-in-a-row", alice, bob)
    commit_requests([Request(match.pk, bob.pk, Abort())])
    deliver_events()
    assert rows(alice) == [(match.pk, "none", 0)]
    assert get_totals(alice.pk)[0] == []


def test_to_write_again_changes_nothing(alice: Any, bob: Any) -> None:
    match = resigned("six-in-a-row", alice, bob)
    for _ in range(3):
        history.write_history([match.pk])
    before = list(Played.objects.values()), list(Tally.objects.values())
    deliver_events()
    assert (list(Played.objects.values()), list(Tally.objects.values())) == before


def test_what_the_staff_decides_is_followed(alice: Any, bob: Any, rita: Any, sara: Any) -> None:
    match = resigned("six-in-a-row", alice, bob)
    deliver_events()
    voided = decisions.void_match(rita, match.pk, "A test.", 0)
    deliver_events()
    assert (rows(alice)[0][1], kept()) == ("none", counted())
    decisions.reverse_decision(sara, voided.pk, "It was none.")
    deliver_events()
    assert (rows(alice)[0][1], kept()) == ("won", counted())
    decisions.correct_result(rita, match.pk, "A test.", 2, (25, 75))
    deliver_events()
    assert (rows(alice)[0][1], kept()) == ("lost", counted())


def test_a_match_that_is_live_again_is_taken_out(
    alice: Any, bob: Any, rita: Any, sara: Any
) -> None:
    match = create_match("six-in-a-row", alice, bob, plies=2)
    voided = decisions.void_match(rita, match.pk, "A test.", 0)
    deliver_events()
    assert len(rows(alice)) == 1
    decisions.reverse_decision(sara, voided.pk, "It was none.")
    deliver_events()
    assert rows(alice) == []
    assert kept() == counted() == {}


def test_the_computer_has_no_history(alice: Any) -> None:
    match = play_computer(alice.pk, Setup("tic-tac-toe"), 1)
    commit_requests([Request(match.pk, alice.pk, Abort())])
    won = play_computer(alice.pk, Setup("tic-tac-toe"), 1)
    Match.objects.filter(pk=won.pk).update(
        status="over", ended="resignation", first_goal=100, second_goal=100,
        ended_at=timezone.now(),
    )  # fmt: skip
    history.write_history([won.pk])
    deliver_events()
    assert Played.objects.exclude(player=alice).count() == 0
    assert get_totals(alice.pk)[0] == []
    assert [total.drawn for total in get_totals(alice.pk)[1]] == [1]


def test_the_totals_are_what_the_histories_say(alice: Any, bob: Any, charlie: Any) -> None:
    chance, people = random.Random(5), [alice, bob, charlie]
    for seed in range(12):
        one, other = chance.sample(people, 2)
        create_finished_match(
            chance.choice(["tic-tac-toe", "parallel-tic-tac-toe"]), one, other, seed
        )
    deliver_events()
    assert kept() == counted()
    assert Played.objects.count() == 24


def test_an_account_adopts_what_its_guest_has_played_and_plays(alice: Any, bob: Any) -> None:
    guest = create_player("Sly Fox", is_guest=True)
    before = resigned("six-in-a-row", guest, bob)
    deliver_events()
    going_on = create_match("six-in-a-row", guest, bob, plies=2)
    Block.objects.create(by=guest, whom=create_player("a nuisance"), at=timezone.now())
    merge_guest(guest.pk, alice.pk)
    for _ in range(2):
        assert history.backfill_guest(guest.pk, alice.pk)
    assert rows(guest) == []
    assert rows(alice) == [(before.pk, "won", 0)]
    assert Played.objects.get(player=bob).opponent == alice
    assert get_head_to_head(bob.pk, alice.pk).lost == 1
    assert [each.state.id for each in games.list_live(alice.pk, None)] == [going_on.pk]
    commit_requests([Request(going_on.pk, guest.pk, Resign())])
    deliver_events()
    assert [row[1] for row in rows(alice)] == ["won", "lost"]
    assert kept() == counted()
    assert Block.objects.get().by == alice
    before.refresh_from_db()
    assert before.first_id == guest.pk  # no seat is rewritten


def test_adopting_goes_on_in_pieces(alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_ADOPTED", 2)
    guest = create_player("Sly Fox", is_guest=True)
    for _ in range(5):
        resigned("six-in-a-row", guest, bob)
    deliver_events()
    assert not history.backfill_guest(guest.pk, alice.pk)
    while history.continue_backfill():
        pass
    assert len(rows(alice)) == 5
    assert kept() == counted()
    assert Adoption.objects.get(guest=guest).is_done


def test_two_guests_of_one_account_who_played_each_other(alice: Any) -> None:
    one, other = create_player("Sly Fox", is_guest=True), create_player("Shy Fox", is_guest=True)
    match = resigned("six-in-a-row", one, other)
    deliver_events()
    for guest in (one, other):
        history.backfill_guest(guest.pk, alice.pk)
    assert sorted(rows(alice)) == [(match.pk, "lost", 1), (match.pk, "won", 0)]
    assert kept() == counted()


def test_nobody_adopts_themselves(alice: Any) -> None:
    with pytest.raises(ValueError, match="themselves"):
        history.backfill_guest(alice.pk, alice.pk)


def test_matches_of_before_are_caught_up_on(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lobby.players.history._PAGE", 2)
    matches = [resigned("six-in-a-row", alice, bob) for _ in range(5)]
    now = timezone.now()
    Match.objects.update(ended_at=now - timedelta(hours=1), created_at=now)  # equal times
    events.Event.objects.all().delete()  # as for matches that ended before events existed
    work = Backfill()
    while work.go_on():
        pass
    assert {row[0] for row in rows(alice)} == {match.pk for match in matches}
    assert kept() == counted()
    assert HistoryMark.objects.count() == 1
    assert backfill_batch() == 0
    late = resigned("six-in-a-row", alice, bob)  # for example, from an older release of the site
    events.Event.objects.all().delete()
    assert backfill_batch(timezone.now()) == 1
    assert rows(alice)[-1][0] == late.pk


def test_pages_follow_each_other_without_a_gap(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "PAGE", 3)
    for _ in range(8):
        resigned("six-in-a-row", alice, bob)
    Match.objects.filter(pk__in=Match.objects.values_list("pk")[:4]).update(ended_at=timezone.now())
    deliver_events()
    found, before = [], ""
    while True:
        page = games.list_history(alice.pk, Filters(), before, viewer_id=None)
        found += [each.state.id for each in page.entries]
        before = page.next
        if not before:
            break
    newest = Played.objects.filter(player=alice).order_by("-ended_at", "-pk")
    assert found == list(newest.values_list("match", flat=True))
    assert len(found) == 8


def test_each_filter_finds_what_it_says(alice: Any, bob: Any, charlie: Any) -> None:
    won = resigned("six-in-a-row", alice, bob)
    lost = resigned("tic-tac-toe", charlie, alice)
    long = create_match("six-in-a-row", alice, charlie, plies=12)
    commit_requests([Request(long.pk, alice.pk, Resign())])
    deliver_events()

    def found(**asked: str) -> set[str]:
        page = games.list_history(alice.pk, games.parse_filters(asked, None), viewer_id=None)
        return {each.state.id for each in page.entries}

    assert found() == {won.pk, lost.pk, long.pk}
    assert found(game="tic-tac-toe") == {lost.pk}
    assert found(result="won") == {won.pk}
    assert found(opponent="Charlie ") == {lost.pk, long.pk}  # as a user may type it
    assert found(length="10-19") == {long.pk}
    assert found(length="0-9", game="six-in-a-row") == {won.pk}
    assert found(rated="yes") == set()
    assert found(rated="no", result="lost", opponent="charlie") == {lost.pk, long.pk}


@pytest.mark.parametrize(
    "asked", [{"game": "chess"}, {"result": "x"}, {"length": "7"}, {"rated": "perhaps"},
              {"opponent": "nobody at all"}],
)  # fmt: skip
def test_a_senseless_filter_is_refused(db: None, asked: dict[str, str]) -> None:
    with pytest.raises(ValueError):  # any of the filters
        games.parse_filters(asked, None)


@pytest.mark.parametrize(
    "before", ["x", "1", "-", "1-x", "9" * 60, "99999999999999999999-1", "1-" + "9" * 30, "²-1"]
)
def test_a_page_that_there_is_not_is_refused(alice: Any, before: str) -> None:
    with pytest.raises(ValueError, match="no such page"):
        games.list_history(alice.pk, Filters(), before, viewer_id=None)


def test_every_record_of_a_player_comes_once(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "_BATCH", 2)
    matches = [resigned("six-in-a-row", alice, bob) for _ in range(5)]
    matches.append(create_match("six-in-a-row", alice, bob, plies=3))
    deliver_events()
    found = [each for some in games.list_all_records(alice.pk) for each in some]
    assert {each["match"] for each in found} == {match.pk for match in matches}
    assert len(found) == 6
    assert len(found[0]["moves"]) == 3


def test_a_match_of_a_game_that_is_no_more_is_told_all_the_same(alice: Any, bob: Any) -> None:
    match = open_match(Setup("tic-tac-toe"), alice.pk, bob.pk)
    play_ply(match, 0)
    commit_requests([Request(match.pk, bob.pk, Resign())])
    Match.objects.filter(pk=match.pk).update(game="halma")
    deliver_events()
    (entry,) = games.list_history(alice.pk, Filters(), viewer_id=None).entries
    assert games.serialize_match(entry)["goals"] is None
    assert games.describe_result(entry, "alice") == (None, {})
