"""What the opponents of a cheater get back: the losses of five days, once, and they are told."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Match, Notice
from games.review import decisions
from games.review.forms import decide
from games.words import say
from lobby.models import RatedGame, Rating
from lobby.ratings import rating, recount
from lobby.ratings.verifying import verify
from tests.games.review.conftest import alice, bob, charlie, rita, sara
from tests.lobby.ratings.people import deliver, play

__all__ = ["alice", "bob", "charlie", "rita", "sara"]  # fixtures

pytestmark = pytest.mark.django_db


def points(player: Any) -> float:
    return Rating.objects.get(player=player).rating


def ended(match: Match, days: float) -> None:
    at = timezone.now() - timedelta(days=days)
    Match.objects.filter(pk=match.pk).update(ended_at=at)
    rating.rate([match.pk])
    recount.go_through_all()


def suspend(by: Any, whom: Any, seen: int, **more: str) -> str:
    form = {"kind": "suspend", "reason": "Outside help.", "days": "7", f"seen-{whom.pk}": str(seen)}
    return decide(by, {**form, **more}, player_id=whom.pk)


def test_opponents_get_back_what_they_lost_lately(
    alice: Any, bob: Any, charlie: Any, rita: Any
) -> None:
    ended(play(alice, bob), days=6)
    before_bob = points(bob)
    ended(play(alice, bob), days=4)
    ended(play(bob, alice), days=3)  # won: nothing is lost by it
    ended(play(alice, charlie), days=2)
    lost = RatedGame.objects.get(first_games=2).second_new_rating
    assert lost is not None and before_bob > lost
    before = {who.pk: points(who) for who in (alice, bob, charlie)}
    said = suspend(rita, alice, 0, **{"refund-suspend": "on"})
    assert "2 opponents got points back" in said
    given = {who.pk: points(who) - before[who.pk] for who in (alice, bob, charlie)}
    assert given[alice.pk] == 0
    assert given[bob.pk] == pytest.approx(min(150, before_bob - lost), abs=1e-4)
    assert 0 < given[charlie.pk] <= 150
    told = Notice.objects.get(player=charlie)
    assert f"{round(given[charlie.pk])} points" in say(told.said).replace("\u2068", "").replace(
        "\u2069", ""
    )
    assert verify().faults == []


def test_it_is_given_once_and_only_if_asked_for(alice: Any, bob: Any, rita: Any) -> None:
    ended(play(alice, bob), days=1)
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
    first = play(charlie, bob)
    ended(first, days=2)
    ended(play(alice, bob), days=1)
    suspend(rita, alice, 0, **{"refund-suspend": "on"})
    later = play(bob, charlie)
    deliver()
    decisions.void(rita, first.pk, "A test.", 0)
    deliver()
    recount.go_through_all()
    assert verify().faults == []
    assert RatedGame.objects.filter(kind="refunded").count() == 2  # the second is its revision
    assert RatedGame.objects.filter(key=later.pk).count() == 2
