"""A cheater's opponents get the losses of five days back once, and are notified."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.messages import render
from games.models import Decision, Match, Notice
from games.review import decisions
from games.review.forms import decide
from lobby.models import RatedGame, Rating
from lobby.ratings import rating, recount
from lobby.ratings.refunds import refund_opponents
from lobby.ratings.verification import verify_ratings
from tests.builders.matches import create_rated_win, deliver_events

pytestmark = pytest.mark.django_db


def points(player: Any) -> float:
    return Rating.objects.get(player=player).rating


def ended(match: Match, days: float) -> None:
    at = timezone.now() - timedelta(days=days)
    Match.objects.filter(pk=match.pk).update(ended_at=at)
    rating.rate_matches([match.pk])
    recount.replay_all()


def suspend(by: Any, whom: Any, seen: int, **more: str) -> str:
    form = {"kind": "suspend", "reason": "Outside help.", "days": "7", f"seen-{whom.pk}": str(seen)}
    return decide(by, {**form, **more}, player_id=whom.pk)


def test_opponents_get_back_what_they_lost_lately(
    alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    ended(create_rated_win(alice, bob), days=6)
    before_bob = points(bob)
    ended(create_rated_win(alice, bob), days=4)
    ended(create_rated_win(bob, alice), days=3)  # a win, for which there is nothing to refund
    ended(create_rated_win(alice, charlie), days=2)
    lost = RatedGame.objects.get(first_games=2).second_new_rating
    assert lost is not None and before_bob > lost
    before = {who.pk: points(who) for who in (alice, bob, charlie)}
    said = suspend(rita, alice, 0, **{"refund-suspend": "on"})
    assert "Points were refunded to 2 opponents" in said
    given = {who.pk: points(who) - before[who.pk] for who in (alice, bob, charlie)}
    assert given[alice.pk] == 0
    assert given[bob.pk] == pytest.approx(min(150, before_bob - lost), abs=1e-4)
    assert 0 < given[charlie.pk] <= 150
    told = Notice.objects.get(player=charlie)
    assert f"{round(given[charlie.pk])} rating points" in render(told.said).replace(
        "\u2068", ""
    ).replace("\u2069", "")
    assert verify_ratings().faults == []


def test_a_refund_is_given_once_and_only_on_request(alice: Any, bob: Any, rita: Any) -> None:
    ended(create_rated_win(alice, bob), days=1)
    before = points(bob)
    suspend(rita, alice, 0)
    assert points(bob) == before
    for seen in (1, 2):
        suspend(rita, alice, seen, reason=f"Again {seen}.", **{"refund-suspend": "on"})
    assert before < points(bob) <= before + 150
    assert RatedGame.objects.filter(kind="refunded").count() == 1
    assert Notice.objects.filter(player=bob).count() == 1


def test_a_void_before_it_keeps_the_refund_in_its_place(
    alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    first = create_rated_win(charlie, bob)
    ended(first, days=2)
    ended(create_rated_win(alice, bob), days=1)
    suspend(rita, alice, 0, **{"refund-suspend": "on"})
    later = create_rated_win(bob, charlie)
    deliver_events()
    decisions.void_match(rita, first.pk, "A test.", 0)
    deliver_events()
    recount.replay_all()
    assert verify_ratings().faults == []
    assert RatedGame.objects.filter(kind="refunded").count() == 2  # the second row is its revision
    assert RatedGame.objects.filter(key=later.pk).count() == 2


@pytest.mark.parametrize("is_refund_first", [True, False])
def test_points_of_a_game_that_is_voided_are_not_given_back_as_well(
    alice: Any, bob: Any, charlie: Any, rita: Any, is_refund_first: bool
) -> None:
    ended(create_rated_win(charlie, bob), days=3)
    lost = create_rated_win(alice, bob)
    before = points(bob)
    ended(lost, days=1)
    if is_refund_first:
        suspend(rita, alice, 0, **{"refund-suspend": "on"})
        assert points(bob) > before - 1
    decisions.void_match(rita, lost.pk, "A test.", 0)
    deliver_events()
    recount.replay_all()
    if not is_refund_first:
        suspend(rita, alice, 0, **{"refund-suspend": "on"})
    recount.replay_all()
    assert points(bob) == before
    assert verify_ratings().faults == []


def test_a_refund_comes_back_with_the_game(alice: Any, bob: Any, rita: Any, sara: Any) -> None:
    lost = create_rated_win(alice, bob)
    ended(lost, days=1)
    suspend(rita, alice, 0, **{"refund-suspend": "on"})
    before = points(bob)
    made = decisions.void_match(rita, lost.pk, "A test.", 0)
    deliver_events()
    recount.replay_all()
    assert not Rating.objects.exists() and verify_ratings().faults == []
    decisions.reverse_decision(sara, made.pk, "It was none.")
    deliver_events()
    recount.replay_all()
    assert points(bob) == before and verify_ratings().faults == []


def test_a_game_that_is_rated_after_the_refund_of_its_day_is_in_it(
    alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    ended(create_rated_win(bob, alice), days=2)
    late = create_rated_win(alice, bob)
    Match.objects.filter(pk=late.pk).update(ended_at=timezone.now() - timedelta(days=1))
    suspend(rita, alice, 0, **{"refund-suspend": "on"})
    assert not RatedGame.objects.filter(kind="refunded").exists()
    rating.rate_matches([late.pk])
    recount.replay_all()
    assert RatedGame.objects.get(kind="refunded").points == 150
    assert verify_ratings().faults == []


class History:
    """Seven games of three people. One of them is twice found to have cheated.

    Each game can be voided and restored at any time.
    """

    def __init__(self, cheater: Any, *others: Any) -> None:
        self._now = timezone.now()
        self._decisions = [
            Decision.objects.create(
                kind="warn",
                player=cheater,
                number=number + 1,
                reason="Outside help.",
                by=cheater,
                at=self._now - timedelta(days=2.2 * (1 - number)),
            )
            for number in range(2)
        ]
        pairs = [(cheater, other) for other in others] * 2
        pairs += [(others[0], cheater), (others[0], others[1]), (others[1], others[0])]
        self.games = []
        for number, (winner, loser) in enumerate(pairs):
            match = create_rated_win(winner, loser)
            at = self._now - timedelta(days=6.5 - number)
            Match.objects.filter(pk=match.pk).update(ended_at=at)
            self.games.append(match)
        self._ends = {match.pk: (match.ended, match.first_goal) for match in self.games}
        rating.rate_matches([match.pk for match in self.games])

    def do(self, step: tuple[str, int]) -> None:
        what, number = step
        if what == "refund":
            refund_opponents(self._decisions[number])
        elif what == "recount":
            recount.replay_page()
        else:
            match = self.games[number]
            goal = {"void": 0}.get(what, self._ends[match.pk][1])
            other = 0 if what == "void" else 100 - (goal or 0)
            ended = "voided" if what == "void" else self._ends[match.pk][0]
            rows = Match.objects.filter(pk=match.pk)
            rows.update(ended=ended, first_goal=goal, second_goal=other)
            rating.rate_matches([match.pk])

    def outcome(self, steps: Sequence[tuple[str, int]]) -> Any:
        """Return the ratings and the refunds that count after these steps, and undo the steps."""
        with transaction.atomic():
            for step in steps:
                self.do(step)
            recount.replay_all()
            ratings = list(Rating.objects.order_by("player", "game").values())
            refunds = {
                (row.key, row.points)
                for row in RatedGame.objects.filter(second=None).order_by("revision")
                if not RatedGame.objects.filter(key=row.key, revision__gt=row.revision).exists()
            }
            assert verify_ratings().faults == []
            transaction.set_rollback(True)
        return [{**row, "id": 0} for row in ratings], refunds


def _in_some_order(draw: Any) -> list[tuple[str, int]]:
    voided = draw(st.sets(st.integers(0, 6), max_size=4))
    again = draw(st.sets(st.sampled_from(sorted(voided)), max_size=2)) if voided else set()
    steps = [("refund", number) for number in range(draw(st.integers(1, 2)))]
    steps += [("void", number) for number in voided] + [("restore", number) for number in again]
    found: list[tuple[str, int]] = []
    for step in draw(st.permutations(steps)):
        if step[0] == "restore":
            continue
        found.append(step)
        if draw(st.booleans()):
            found.append(("recount", 0))
    for number in again:
        since = found.index(("void", number)) + 1
        found.insert(draw(st.integers(since, len(found))), ("restore", number))
    return found


def test_refunds_and_reversals_commute(
    alice: Any, bob: Any, charlie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recount, "_PAGE", 3)
    history = History(alice, bob, charlie)
    in_order = cache(history.outcome)  # many examples do the same in some order

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.composite(_in_some_order)())
    def check(steps: list[tuple[str, int]]) -> None:
        restored = {number for what, number in steps if what == "restore"}
        plain = sorted(step for step in steps if step[0] == "void" and step[1] not in restored)
        plain += sorted(step for step in steps if step[0] == "refund")
        assert history.outcome(steps) == in_order(tuple(plain))

    check()
