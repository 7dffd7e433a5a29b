"""Each match is rated once, in its place; a change updates all later ratings."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Abort, AcceptDraw, OfferDraw, Resign
from games.match.setup import Setup
from games.models import Connection, Event, Match
from games.review import decisions
from lobby.accounts.guests import new_guest
from lobby.accounts.merging import merge_guest
from lobby.models import RatedGame, Rating, Recount, UncountedMatch
from lobby.ratings import rating, recount, verification
from lobby.ratings.glicko import Strength, rate_game
from lobby.ratings.standing import get_current_ratings
from lobby.ratings.verification import verify_ratings
from lobby.seeks.one_screen import open_one_screen_match
from tests.builders.matches import (
    commit_command,
    create_rated_match,
    create_rated_win,
    deliver_events,
)
from tests.builders.players import create_bot, create_player
from tests.builders.ratings import get_stored_ratings, list_rated_results, replay_ratings

pytestmark = pytest.mark.django_db

SIX, DOTS = "six-in-a-row", "dots-and-boxes"


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recount, "_PAGE", 3)


def rows(match: Match) -> list[tuple[str, int]]:
    found = RatedGame.objects.filter(key=match.pk).order_by("revision")
    return list(found.values_list("kind", "revision"))


def all_is_well(game: str = SIX) -> None:
    """Assert that the stored ratings equal a replay of all matches, and that the command agrees."""
    recount.replay_all()
    assert get_stored_ratings(game) == replay_ratings(list_rated_results())
    assert verify_ratings().faults == []


def test_a_game_is_rated_and_both_sides_are_kept(alice: Any, bob: Any) -> None:
    match = create_rated_win(alice, bob)
    deliver_events()
    (row,) = RatedGame.objects.all()
    won, lost = rate_game(Strength(), Strength(), 1.0)
    assert (row.key, row.first_id, row.second_id, row.score) == (match.pk, alice.pk, bob.pk, 1.0)
    assert (row.first_rating, row.first_deviation, row.first_volatility) == (1500, 500, 0.09)
    assert row.first_new_rating == won.rating and row.second_new_rating == lost.rating
    assert row.at == match.ended_at and row.version == 1
    assert get_stored_ratings() == {alice.pk: won, bob.pk: lost}
    mine = Rating.objects.get(player=alice)
    assert (mine.games, mine.streak, mine.longest, mine.best) == (1, 1, 1, 0.0)
    found = get_current_ratings([alice.pk, bob.pk, 0], SIX)
    assert found[alice.pk].is_provisional and found[alice.pk].shown == "1741?"
    assert found[0].rating == 1500 and found[0].games == 0
    all_is_well()


def test_handling_an_event_twice_changes_nothing(alice: Any, bob: Any) -> None:
    match = create_rated_win(alice, bob)
    deliver_events()
    before = get_stored_ratings()
    Event.objects.update(due_at=timezone.now())
    deliver_events()
    rating.rate_matches([match.pk])
    assert rows(match) == [("rated", 0)] and get_stored_ratings() == before


def test_a_draw_and_a_corrected_result(alice: Any, bob: Any, rita: Any) -> None:
    match = create_rated_match(alice, bob, game=DOTS, plies=20)
    match.refresh_from_db()
    is_first = match.rules.read(match.notation).turn == match.rules.roles[0]
    people = (alice, bob) if is_first else (bob, alice)
    for who, command in zip(people, (OfferDraw(), AcceptDraw()), strict=True):
        commit_command(match, who.pk, command)
    deliver_events()
    assert RatedGame.objects.get().score == 0.5
    later = create_rated_win(alice, bob, game=DOTS)
    deliver_events()
    decisions.correct_result(rita, match.pk, "A test.", 0, (25, 75))
    deliver_events()
    all_is_well(DOTS)
    assert rows(match) == [("rated", 0), ("recomputed", 1)]
    assert rows(later) == [("rated", 0), ("recomputed", 1)]
    assert RatedGame.objects.get(key=match.pk, revision=1).score == 0.0


def test_what_is_not_rated(alice: Any, bob: Any, settings: Any) -> None:
    guest = new_guest()
    create_rated_win(alice, bob, rated=False)
    create_rated_win(alice, bob, clock="")
    create_rated_win(alice, bob, game="tic-tac-toe", plies=2)
    create_rated_win(alice, guest)
    create_rated_win(alice, create_bot("tinker"))
    create_rated_win(alice, bob, plies=1)
    aborted = create_rated_match(alice, bob, plies=0)
    commit_requests([Request(aborted.pk, alice.pk, Abort())])
    beside = open_one_screen_match(alice.pk, Setup(SIX, "3+2", rated=True))
    Match.objects.filter(pk=beside.pk).update(
        status="over", ended="rules", ended_at=timezone.now(), first_goal=100, second_goal=0
    )
    rating.rate_matches([beside.pk])
    deliver_events()
    assert not RatedGame.objects.exists() and not Rating.objects.exists()
    create_rated_win(alice, bob)
    deliver_events()
    assert RatedGame.objects.count() == 1


def test_people_at_one_address_are_rated_only_if_the_site_allows_it(
    alice: Any, bob: Any, settings: Any
) -> None:
    for allowed in (False, True):
        settings.RATED_ON_SAME_NETWORK = allowed
        match = create_rated_win(alice, bob)
        now = timezone.now()
        for seat in (0, 1):
            Connection.objects.create(
                match=match, seat=seat, server="s", address="h", opened_at=now, seen_at=now
            )
        deliver_events()
        assert RatedGame.objects.count() == int(allowed)


def test_a_player_who_reconnects_is_not_taken_for_two(alice: Any, bob: Any) -> None:
    match = create_rated_win(alice, bob)
    for seat, minutes in ((0, 0), (0, 1), (1, 0)):
        at = timezone.now() + timedelta(minutes=minutes)
        Connection.objects.create(
            match=match, seat=seat, server="s", address=f"h{seat}", opened_at=at, seen_at=at
        )
    deliver_events()
    assert RatedGame.objects.count() == 1


def test_the_games_of_a_pair_count_up_to_twenty_a_day(alice: Any, bob: Any, charlie: Any) -> None:
    day = timezone.now().replace(hour=1, minute=0, second=0, microsecond=0)
    for number in range(24):
        pair = (alice, bob) if number % 2 else (bob, alice)
        match = create_rated_win(*pair)
        at = day + timedelta(minutes=number) - (timedelta(days=1) if number > 21 else timedelta(0))
        Match.objects.filter(pk=match.pk).update(ended_at=at)
        deliver_events()
    assert RatedGame.objects.filter(at__gte=day, revision=0).count() == 20
    assert RatedGame.objects.filter(at__lt=day, revision=0).count() == 2
    create_rated_win(alice, charlie)
    deliver_events()
    assert RatedGame.objects.filter(second=charlie).count() == 1


def test_a_void_reverses_a_game_and_a_reversal_restores_it(
    alice: Any, bob: Any, charlie: Any, rita: Any, sara: Any
) -> None:
    games = [
        create_rated_win(alice, bob),
        create_rated_win(bob, charlie),
        create_rated_win(charlie, alice),
        create_rated_win(alice, bob),
    ]
    deliver_events()
    before = get_stored_ratings()
    voided = decisions.void_match(rita, games[1].pk, "A test.", 0)
    deliver_events()
    all_is_well()
    assert get_stored_ratings() != before
    assert rows(games[0]) == [("rated", 0)]
    assert rows(games[1]) == [("rated", 0), ("reversed", 1)]
    assert [len(rows(game)) for game in games] == [1, 2, 2, 2]
    decisions.reverse_decision(sara, voided.pk, "It was none.")
    deliver_events()
    all_is_well()
    assert get_stored_ratings() == before


def test_the_first_game_of_somebody_is_voided(alice: Any, bob: Any, rita: Any) -> None:
    match = create_rated_win(alice, bob)
    deliver_events()
    decisions.void_match(rita, match.pk, "A test.", 0)
    deliver_events()
    all_is_well()
    assert get_stored_ratings() == {} and not Recount.objects.exists()


def test_a_match_that_was_ended_and_goes_on_is_rated_where_it_ends(
    alice: Any, bob: Any, charlie: Any, rita: Any, sara: Any
) -> None:
    match = create_rated_match(alice, bob)
    made = decisions.end_match(rita, match.pk, "A test.", 0, (100, 0))
    deliver_events()
    create_rated_win(alice, charlie)
    deliver_events()
    decisions.reverse_decision(sara, made.pk, "It goes on.")
    deliver_events()
    all_is_well()
    assert get_current_ratings([bob.pk], SIX)[bob.pk].games == 0
    commit_requests([Request(match.pk, alice.pk, Resign())])
    deliver_events()
    all_is_well()
    assert [kind for kind, _ in rows(match)] == ["rated", "reversed", "recomputed"]


def test_a_late_event_puts_a_game_in_its_place(alice: Any, bob: Any, charlie: Any) -> None:
    late, soon = create_rated_win(alice, bob), create_rated_win(alice, charlie)
    rating.rate_matches([soon.pk])
    rating.rate_matches([late.pk])
    deliver_events()
    all_is_well()
    assert rows(soon) == [("rated", 0), ("recomputed", 1)]


def test_games_of_one_moment_have_an_order(alice: Any, bob: Any, charlie: Any) -> None:
    now = timezone.now()
    games = [
        create_rated_win(alice, bob),
        create_rated_win(bob, charlie),
        create_rated_win(charlie, alice),
    ]
    Match.objects.update(ended_at=now)
    for game in games:
        rating.rate_matches([game.pk])
    recount.replay_all()
    forwards = get_stored_ratings()
    RatedGame.objects.all()._raw_delete("default")  # type: ignore[attr-defined]
    Rating.objects.all().delete()
    rating.rate_matches([game.pk for game in reversed(games)])
    recount.replay_all()
    assert get_stored_ratings() == forwards and verify_ratings().faults == []


def test_a_guest_who_turns_out_to_be_the_opponent_takes_the_game_away(alice: Any, bob: Any) -> None:
    create_rated_win(alice, bob)
    deliver_events()
    guest = new_guest()
    match = create_rated_win(alice, guest)
    deliver_events()
    assert rows(match) == []
    merge_guest(guest.pk, alice.pk)
    deliver_events()
    assert rows(match) == []
    again = new_guest()
    match = create_rated_win(bob, again)
    merge_guest(again.pk, alice.pk)  # before it was rated: the account counts as its player
    deliver_events()
    assert RatedGame.objects.get(key=match.pk).second_id == alice.pk


@pytest.mark.parametrize("seed", range(4))
def test_a_replay_agrees_after_any_order_of_changes(
    rita: Any, sara: Any, seed: int, settings: Any
) -> None:
    settings.RATE_LIMITS = False
    chance = random.Random(seed)
    people = [create_player(f"player {i}") for i in range(5)]
    games: list[Match] = []
    held: list[str] = []  # events that arrive late
    voided: dict[str, int] = {}
    for _ in range(45):
        what = chance.random()
        if what < 0.6 or not games:
            match = create_rated_win(*chance.sample(people, 2), plies=4)
            games.append(match)
            held.append(match.pk)
        elif what < 0.75:
            match = chance.choice(games)
            if match.pk not in voided:
                seen = decisions.get_number(match.pk)
                voided[match.pk] = decisions.void_match(rita, match.pk, "A test.", seen).pk
                held.append(match.pk)
        elif what < 0.85 and voided:
            match_id = chance.choice(sorted(voided))
            decisions.reverse_decision(sara, voided.pop(match_id), "It was none.")
            held.append(match_id)
        elif what < 0.95:
            recount.replay_page()
        some = [
            held.pop(chance.randrange(len(held))) for _ in range(len(held)) if chance.random() < 0.6
        ]
        with transaction.atomic():
            rating.rate_matches(some)
    deliver_events()
    all_is_well()


# -- faults that the command finds


def cut(most: int) -> int:
    """Delete all but `most` rows of the ledger, as somebody with database access could.

    Return the number of rows left.
    """
    kept = list(RatedGame.objects.order_by("pk").values_list("pk", flat=True)[:most])
    RatedGame.objects.exclude(pk__in=kept)._raw_delete("default")  # type: ignore[attr-defined]
    return len(kept)


def five_games(one: Any, other: Any) -> list[Match]:
    games = [
        create_rated_win(one, other) if i % 2 else create_rated_win(other, one) for i in range(5)
    ]
    deliver_events()
    return games


def test_the_command_replays_all(alice: Any, bob: Any, capsys: Any) -> None:
    five_games(alice, bob)
    call_command("verify_ratings")
    assert capsys.readouterr().out.startswith("5 rated games")


@pytest.mark.parametrize(
    "tamper",
    [
        lambda: Rating.objects.filter(player__username="alice").update(rating=1900.0),
        lambda: Rating.objects.filter(player__username="alice").delete(),
        lambda: RatedGame.objects.filter(second_games=3).update(first_new_rating=1800.0),
        lambda: RatedGame.objects.filter(second_games=3).update(score=0.5),
        lambda: RatedGame.objects.filter(second_games=3).update(advantage=40.0),
        lambda: RatedGame.objects.filter(second_games=3)._raw_delete("default"),  # type: ignore[attr-defined]
        lambda: Match.objects.filter(first__username="alice").update(first_goal=0, second_goal=0),
        lambda: Rating.objects.update(streak=7),
        lambda: Rating.objects.filter(player__username="alice").update(
            rating=3000.0, rated_at=timezone.now() + timedelta(days=1)
        ),
        lambda: Rating.objects.filter(player__username="alice").update(
            rating=3000.0, rated_at=timezone.now() + timedelta(days=1), key="later"
        ),
        lambda: cut(0),
        lambda: cut(3),
        lambda: cut(4),
        lambda: (cut(4), Rating.objects.all().delete()),
        lambda: (cut(0), Rating.objects.all().delete()),
        lambda: Rating.objects.all().delete(),
        lambda: RatedGame.objects.filter(second_games=3).update(revision=1),
    ],
)
def test_the_command_finds_what_was_changed_behind_the_sites_back(
    alice: Any, bob: Any, tamper: Any, capsys: Any
) -> None:
    five_games(alice, bob)
    tamper()
    with pytest.raises(CommandError, match="differences"):
        call_command("verify_ratings")


def test_a_row_is_never_changed_by_the_site(alice: Any, bob: Any) -> None:
    five_games(alice, bob)
    row = RatedGame.objects.all()[0]
    with pytest.raises(TypeError):
        row.save()
    with pytest.raises(TypeError):
        row.delete()


def test_the_last_revision_of_a_game_is_missed(alice: Any, bob: Any, rita: Any, sara: Any) -> None:
    games = five_games(alice, bob)
    for match, is_reversed in ((games[1], True), (games[4], False)):
        made = decisions.void_match(rita, match.pk, "A test.", 0)
        deliver_events()
        if is_reversed:
            decisions.reverse_decision(sara, made.pk, "It was none.")
            deliver_events()
    recount.replay_all()
    assert verify_ratings().faults == []
    for match in games:
        newest = RatedGame.objects.filter(key=match.pk).order_by("-revision")[0]
        with transaction.atomic():
            RatedGame.objects.filter(pk=newest.pk)._raw_delete("default")  # type: ignore[attr-defined]
            assert verify_ratings().faults, rows(match)
            transaction.set_rollback(True)


def test_a_match_that_was_judged_not_to_count_is_not_missed(alice: Any, bob: Any) -> None:
    guest = new_guest()
    match = create_rated_win(alice, guest)
    deliver_events()
    assert UncountedMatch.objects.get().match_id == match.pk
    merge_guest(guest.pk, bob.pk)  # now it would count
    Event.objects.update(due_at=timezone.now())
    deliver_events()
    assert rows(match) == [] and verify_ratings().faults == []
    UncountedMatch.objects.all().delete()
    assert verify_ratings().faults


def test_a_game_that_is_rated_during_the_check_is_no_fault(
    alice: Any, bob: Any, charlie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    five_games(alice, bob)
    replayed_all = verification._find_rating_faults

    def meanwhile(*how: Any) -> Any:
        create_rated_win(alice, charlie)
        deliver_events()
        return replayed_all(*how)

    monkeypatch.setattr(verification, "_find_rating_faults", meanwhile)
    monkeypatch.setattr(verification, "_list_games", lambda: [SIX])
    assert verify_ratings().faults == []


def test_what_is_waiting_to_be_rated_is_no_fault(alice: Any, bob: Any) -> None:
    five_games(alice, bob)
    create_rated_win(alice, bob)
    assert verify_ratings().faults == []
