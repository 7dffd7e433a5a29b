"""The order of the computer's turns if more are due than there are workers."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.engine import analysis, turns
from games.engine.schedule import Thinker
from games.engine.workers import Workers
from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Play, Resign
from games.match.setup import Setup
from games.models import Analysis, Match
from games.runtime.db import in_db
from games.store.client_networks import store_caller
from games.store.records import read_states
from lobby.accounts.guests import new_guest
from lobby.seeks.computer import get_computer

SCHOOL, HOME = "203.0.113.1", "203.0.113.2"


def waiting(player_id: int, client_network: str = "", seconds: float = 0) -> Match:
    """A match in which the computer has been to move for so many seconds."""
    at = timezone.now() - timedelta(seconds=seconds)
    seats = get_computer(1).pk, player_id
    return open_match(Setup("tic-tac-toe"), *seats, at, (1, None), client_network)


def over(player_id: int) -> Any:
    """A match that may be analysed."""
    match = open_match(Setup("tic-tac-toe"), player_id, get_computer(1).pk, levels=(None, 1))
    commit_requests([Request(match.pk, player_id, Play(0, "mark 1 1"))])
    commit_requests([Request(match.pk, player_id, Resign())])
    return read_states([match.pk])[match.pk]


@pytest.mark.django_db(transaction=True)
def test_a_strangers_turn_is_taken_before_most_of_a_client_networks() -> None:
    for _ in range(11):
        pupil = new_guest()
        for _ in range(3):
            waiting(pupil.pk, SCHOOL, seconds=60)
    stranger = waiting(new_guest().pk, HOME)
    taken = [turn.state.id for _ in range(2) for turn in turns.lease_turns(1)]
    assert stranger.pk in taken
    assert len(set(taken)) == 2


@pytest.mark.django_db(transaction=True)
def test_the_players_of_a_client_network_take_turns_and_so_do_those_of_none() -> None:
    one, other = new_guest(), new_guest()
    for _ in range(5):
        waiting(one.pk, SCHOOL, seconds=60)
    waiting(other.pk, SCHOOL, seconds=1)
    assert {turn.state.second_id for turn in turns.lease_turns(2)} == {one.pk, other.pk}
    late = new_guest()
    waiting(late.pk, seconds=1)  # before this was counted
    assert late.pk in {turn.state.second_id for turn in turns.lease_turns(2)}


@pytest.fixture(autouse=True)
def nobody_called() -> None:
    turns._called.clear()


@pytest.mark.django_db(transaction=True)
def test_no_client_network_holds_all_processes_while_others_call() -> None:
    pupil = new_guest()
    for _ in range(6):
        waiting(pupil.pk, SCHOOL, seconds=60)
    held = turns.lease_turns(2, processes=2)
    assert len(held) == 2  # nobody else waits
    stranger = waiting(new_guest().pk, HOME)
    assert [turn.state.id for turn in turns.lease_turns(1, held, 2)] == [stranger.pk]
    assert turns.lease_turns(1, held[:1], 2) == []  # one process stays free for the other network
    assert len(turns.lease_turns(2, [], 2)) == 1


@pytest.mark.django_db(transaction=True)
def test_all_that_is_due_is_taken_where_it_can_be() -> None:
    pupil = new_guest()
    ids = {waiting(pupil.pk, SCHOOL).pk for _ in range(4)}
    assert {turn.state.id for turn in turns.lease_turns(4)} == ids
    assert turns.lease_turns(4) == []


@pytest.mark.django_db(transaction=True)
def test_client_networks_take_turns_where_matches_are_looked_through() -> None:
    for _ in range(4):
        pupil = new_guest()
        analysis.request_analysis(over(pupil.pk), pupil.pk, SCHOOL)
    Analysis.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    stranger = new_guest()
    mine = over(stranger.pk)
    analysis.request_analysis(mine, stranger.pk, HOME)
    taken = [analysis.lease_analysis(), analysis.lease_analysis()]
    assert mine.id in {wanted.match_id for wanted in taken if wanted is not None}


@pytest.mark.django_db(transaction=True)
def test_a_look_at_a_finished_match_waits_for_live_ones_and_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person = new_guest()
    state = over(person.pk)
    analysis.request_analysis(state, person.pk, HOME)
    waiting(person.pk, HOME)

    found: list[bool] = []
    has_due_turns = turns.has_due_turns

    def look() -> bool:
        found.append(has_due_turns())
        return found[-1]

    monkeypatch.setattr(turns, "has_due_turns", look)

    async def gave_way() -> float:
        loop = asyncio.get_running_loop()
        thinker = Thinker(Workers(0))  # it has no workers, so it takes no turn
        began = loop.time()
        await thinker._give_way()
        waited = loop.time() - began
        (turn,) = await in_db(turns.lease_turns, 1)
        assert turn.state.bot_at is not None
        found.clear()
        await thinker._give_way()
        return waited

    assert asyncio.run(gave_way()) >= 2  # while the turn was due
    assert found == [False]  # it waited no more


@pytest.mark.django_db(transaction=True)
def test_the_client_network_is_the_one_that_the_player_last_called_from() -> None:
    mover, pupil = new_guest(), new_guest()
    waiting(mover.pk, SCHOOL, seconds=50)
    for _ in range(3):
        waiting(pupil.pk, SCHOOL, seconds=60)
    store_caller(mover.pk, HOME, timezone.now())
    assert mover.pk in {turn.state.second_id for turn in turns.lease_turns(2)}
