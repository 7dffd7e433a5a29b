"""Matches that an event opens: stored together, not limited, and settled by the event alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings
from django.utils import timezone

from games.journal.opening import has_begun_many, open_arranged, open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Abort, Berserk, Rematch, Resign, Settle
from games.match.conduct import may
from games.match.outcome import get_outcome
from games.match.setup import Setup
from games.models import Event, Match
from games.store.records import read_states
from tests.builders.matches import play_ply

pytestmark = pytest.mark.django_db

SETUP = Setup("tic-tac-toe", "3+2")
SOON = timedelta(minutes=5)


def arranged(one: Any, other: Any, setup: Setup = SETUP, berserk: bool = False) -> Match:
    (match,) = open_arranged(setup, [(one.pk, other.pk)], timezone.now(), SOON, berserk)
    return match


def refused(match: Match, player_id: int | None, command: Any) -> str | None:
    answers, _ = commit_requests([Request(match.pk, player_id, command)])
    return answers[0].refused


@override_settings(RATE_LIMITS=True)
def test_limits_do_not_count_arranged_matches(alice: Any, bob: Any) -> None:
    many = [(alice.pk, bob.pk)] * (settings.MATCHES_PER_MINUTE + 1)
    made = open_arranged(SETUP, many, timezone.now(), SOON)
    assert len(made) == len(many) and not has_begun_many(alice.pk)
    assert Event.objects.filter(kind="began").count() == len(many)
    open_match(SETUP, alice.pk, bob.pk)
    assert {match.deadline for match in made} == {made[0].created_at + SOON}


def test_players_cannot_cancel_or_rematch_an_arranged_match(alice: Any, bob: Any) -> None:
    match = arranged(alice, bob)
    state = read_states([match.pk])[match.pk]
    assert "abort" not in may(state, 0) and "berserk" not in may(state, 0)
    assert refused(match, alice.pk, Abort()) == "not-allowed"
    assert refused(match, alice.pk, Berserk()) == "not-allowed"
    assert refused(match, alice.pk, Resign()) is None
    assert may(read_states([match.pk])[match.pk], 1) == []
    assert refused(match, bob.pk, Rematch()) == "not-allowed"


def test_the_event_settles_its_match(alice: Any, bob: Any) -> None:
    match = arranged(alice, bob)
    play_ply(match, 0)
    play_ply(match, 1)
    assert refused(match, None, Settle(None)) == "not-allowed"  # both have come
    assert refused(match, None, Settle((0, 100))) is None
    assert refused(match, None, Settle((0, 100))) == "not-live"
    state = read_states([match.pk])[match.pk]
    found = get_outcome(state)
    assert found is not None and (found.code, found.winner) == ("end.settled", "oplayer")
    assert found.is_result


def test_a_match_of_an_absent_player_is_cancelled(alice: Any, bob: Any) -> None:
    match = arranged(alice, bob)
    assert refused(match, None, Settle(None)) is None
    found = get_outcome(read_states([match.pk])[match.pk])
    assert found is not None and found.code == "end.not-come" and not found.is_result


def test_only_an_event_can_settle_a_match(alice: Any, bob: Any) -> None:
    match = open_match(SETUP, alice.pk, bob.pk)
    assert refused(match, None, Settle((100, 0))) == "not-allowed"


def test_berserk_halves_the_time_once(alice: Any, bob: Any) -> None:
    match = arranged(alice, bob, berserk=True)
    assert "berserk" in may(read_states([match.pk])[match.pk], 0)
    for _ in range(2):
        assert refused(match, alice.pk, Berserk()) is None
    play_ply(match, 0)
    assert refused(match, bob.pk, Berserk()) is None
    state = read_states([match.pk])[match.pk]
    assert state.berserk == 3 and state.second_ms == 90_000
    assert state.deadline == state.acted_at + timedelta(milliseconds=90_000)
    play_ply(match, 1)
    assert refused(match, bob.pk, Berserk()) is None  # a repeat
    assert "berserk" not in may(read_states([match.pk])[match.pk], 0)
