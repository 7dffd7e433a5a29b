"""Worker processes, the computer's turns, which one process takes, and analyses."""

import asyncio
import os
import signal
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from msgspec.structs import replace

from games.bots import LONGEST
from games.engine import analysis, turns
from games.engine.schedule import Thinker
from games.engine.workers import WorkerFailed, Workers
from games.journal.opening import open_match
from games.journal.requests import Request
from games.journal.transaction import commit_requests
from games.match.commands import Abort, Play, Resign, Restore
from games.match.setup import Setup
from games.messages.refusal import Refused
from games.models import Analysis, Match, Move
from games.review import decisions, reports, signs
from games.rules import GAMES
from games.runtime.db import in_db
from games.store.records import get_record, read_states
from lobby.accounts.guests import new_guest
from lobby.seeks.computer import get_computer, play_computer
from tests.builders.matches import commit_command

START = {"game": "tic-tac-toe", "notation": ".........", "budget": 0.1}


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


# -- processes


def test_a_process_answers_one_job_after_the_other() -> None:
    async def work() -> None:
        workers = Workers(1)
        first = await workers.do(**START, level=5, seed=1)
        again = await workers.do(**START, level=5, seed=1)
        assert first == again
        assert first["action"] in GAMES["tic-tac-toe"].start.legal()
        look = await workers.do(**START, action="mark 1 1")
        assert look == {
            "best": "mark 1 1", "value": 50, "after": 50, "standing": 50, "proved": True,
            "margin": 0, "margin_after": 0, "losses": [], "noise": 0, "tells": 0,
        }  # fmt: skip
        assert len(workers.pids()) == 1
        workers.end()

    run(work())


def test_a_process_that_dies_is_replaced() -> None:
    async def work() -> None:
        workers = Workers(1)
        await workers.do(game="tic-tac-toe")
        (pid,) = workers.pids()
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(WorkerFailed):
            await workers.do(**START, level=1, seed=1)
        assert (await workers.do(**START, level=1, seed=1))["action"]
        assert workers.pids() != [pid]
        workers.end()

    run(work())


def test_a_process_that_cannot_be_started_is_a_failed_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work() -> None:
        workers = Workers(1)
        with monkeypatch.context() as patched:
            patched.setattr("sys.executable", "/nowhere/python")
            with pytest.raises(WorkerFailed):
                await workers.do(**START, level=1, seed=1)
        assert (await workers.do(**START, level=1, seed=1))["action"]
        workers.end()

    run(work())


def test_a_job_that_cannot_be_done_is_told_and_the_process_lives() -> None:
    async def work() -> None:
        workers = Workers(1)
        await workers.do(game="tic-tac-toe")
        before = workers.pids()
        for job in (
            {**START, "game": "chess"},
            {**START, "notation": "nonsense", "level": 1, "seed": 1},
            {**START, "level": 9, "seed": 1},
            {**START, "action": "mark 9 9"},
        ):
            with pytest.raises(WorkerFailed):
                await workers.do(**job)
        assert workers.pids() == before
        workers.end()

    run(work())


def test_no_more_processes_than_asked_for() -> None:
    async def work() -> None:
        workers = Workers(2)
        await asyncio.gather(*(workers.do(**START, level=5, seed=i) for i in range(8)))
        assert len(workers.pids()) == 2
        assert workers.free == 2
        pids = workers.pids()
        workers.end()
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)

    run(work())


def test_who_thinks_hard_runs_only_while_nobody_else_wants_the_core() -> None:
    async def work() -> None:
        workers = Workers(1)
        await workers.do(**START, level=5, seed=1)
        (pid,) = workers.pids()
        assert os.sched_getscheduler(pid) == os.SCHED_OTHER  # for a quick bot the priority stays
        start = GAMES["six-in-a-row"].start.notation
        await workers.do(game="six-in-a-row", notation=start, level=1, budget=0.1, seed=1)
        assert os.sched_getscheduler(pid) == os.SCHED_IDLE
        workers.end()

    run(work())


def test_each_process_has_loaded_the_games_before_the_first_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quick = {slug: GAMES[slug] for slug in ("tic-tac-toe", "parallel-tic-tac-toe")}
    monkeypatch.setattr("games.engine.schedule.GAMES", quick)

    async def work() -> None:
        workers = Workers(2)
        await Thinker(workers)._warm()
        assert [worker._games for worker in workers._idle] == [set(quick)] * 2
        workers.end()

    run(work())


# -- turns


def against_computer(
    game: str = "tic-tac-toe", clock: str = "", person_first: bool = True
) -> Match:
    person, bot = new_guest(), get_computer(3)
    seats = (person.pk, bot.pk) if person_first else (bot.pk, person.pk)
    levels = (None, 3) if person_first else (3, None)
    return open_match(Setup(game, clock), *seats, levels=levels)


def act(match: Match, command: Any, seat: int = 0) -> None:
    player = (match.first_id, match.second_id)[seat]
    commit_command(match, player, command)


@pytest.mark.django_db(transaction=True)
def test_a_turn_of_the_computers_is_due_once_it_is_its_turn() -> None:
    match = against_computer()
    assert not turns.has_due_turns()
    act(match, Play(0, "mark 1 1"))
    assert turns.has_due_turns()
    (turn,) = turns.lease_turns(5)
    assert (turn.state.id, turn.level, turn.player_id) == (match.pk, 3, match.second_id)
    assert turn.budget == LONGEST
    act(match, Play(1, "mark 2 2"), seat=1)
    assert read_states([match.pk])[match.pk].bot_at is None


@pytest.mark.django_db(transaction=True)
def test_a_match_that_the_computer_begins_is_due_from_the_start() -> None:
    match = against_computer(person_first=False)
    assert [turn.state.id for turn in turns.lease_turns(5)] == [match.pk]


def lapse(match: Match) -> None:
    """Let the lease run out, as if nobody had renewed it."""
    gone = timezone.now() - timedelta(milliseconds=1)
    Match.objects.filter(pk=match.pk).update(bot_at=gone)


@pytest.mark.django_db(transaction=True)
def test_a_turn_is_taken_by_one_and_by_another_when_nobody_keeps_it() -> None:
    match = against_computer(person_first=False)
    (turn,) = turns.lease_turns(5)
    assert turns.lease_turns(5) == []
    lapse(match)
    turns.renew_turns([turn])
    assert turns.lease_turns(5) == []
    lapse(match)
    (again,) = turns.lease_turns(5)
    assert again.seed == turn.seed  # so both would choose the same action
    act(match, Play(0, "mark 1 1"))
    late, _ = commit_requests([Request(match.pk, match.first_id, Play(0, "mark 1 1"))])
    assert late[0].refused is None
    assert Move.objects.filter(match=match).count() == 1
    turns.renew_turns([turn])  # a process that is late does not change that
    assert read_states([match.pk])[match.pk].bot_at is None


@pytest.mark.django_db(transaction=True)
def test_nobody_is_called_to_a_match_that_is_over_or_damaged() -> None:
    over, damaged = against_computer(), against_computer(person_first=False)
    act(over, Play(0, "mark 1 1"))
    act(over, Abort())
    Match.objects.filter(pk=damaged.pk).update(notation="nonsense")
    assert turns.lease_turns(5) == []
    assert not turns.has_due_turns()


@pytest.mark.django_db(transaction=True)
def test_who_closes_a_box_is_called_again() -> None:
    match = against_computer("dots-and-boxes")
    moves = ["draw 1 1 2 1", "draw 1 1 1 2", "draw 1 2 2 2", "draw 2 1 2 2"]
    for ply, action in enumerate(moves):
        act(match, Play(ply, action), seat=ply % 2)
    state = read_states([match.pk])[match.pk]
    assert state.turn == "oplayer"
    assert state.bot_at == state.acted_at


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("clock", "budget"), [("0+1", 1 / 30 + 0.5), ("1+0", 2.0), ("180+0", LONGEST), ("", LONGEST)]
)
def test_the_clock_decides_how_long_it_thinks(clock: str, budget: float) -> None:
    against_computer(clock=clock, person_first=False)
    (turn,) = turns.lease_turns(1)
    assert turn.budget == pytest.approx(budget)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("person_first", [True, False])
def test_it_hurries_when_its_own_time_is_short_and_not_when_the_others_is(
    person_first: bool, settings: Any
) -> None:
    settings.BOT_PAUSE_MS = 60_000  # not over before the test asks for it
    match = against_computer(clock="5+0", person_first=person_first)
    if person_first:
        act(match, Play(0, "mark 1 1"))
    (turn,) = turns.lease_turns(1)
    own, other = ("second_ms", "first_ms") if person_first else ("first_ms", "second_ms")
    assert replace(turn, state=replace(turn.state, **{other: 5_000})).pause > 0
    hurried = replace(turn, state=replace(turn.state, **{own: 5_000}))
    assert hurried.pause == 0
    assert hurried.budget == pytest.approx(5 / 30)


@pytest.mark.django_db(transaction=True)
def test_the_computer_is_neither_reported_nor_decided_upon_nor_a_sign_of_anything() -> None:
    staff = new_guest()
    staff.is_staff = staff.is_superuser = True
    staff.save()
    person, bot = new_guest(), get_computer(3)
    for _ in range(signs.ABORTS_FROM):
        match = open_match(Setup("tic-tac-toe"), person.pk, bot.pk, levels=(None, 3))
        act(match, Abort())
    assert signs.find_many_aborts(person.pk) is None
    stored = get_record(match.pk)
    assert stored is not None
    assert list(signs.find_signs(stored)) == []
    with pytest.raises(Refused, match="computer"):
        reports.store_report(person.pk, match.pk, bot.pk, "name", "")
    with pytest.raises(Refused, match="computer"):
        decisions.warn_player(staff, bot.pk, "So.", 0)


@pytest.mark.django_db(transaction=True)
def test_a_player_has_so_many_matches_with_the_computer(settings: Any) -> None:
    settings.RATE_LIMITS, settings.BOT_MATCHES_PER_PLAYER = True, 2
    person = new_guest()
    for _ in range(2):
        play_computer(person.pk, Setup("tic-tac-toe"), 1)
    with pytest.raises(Refused) as refusal:
        play_computer(person.pk, Setup("tic-tac-toe"), 1)
    assert refusal.value.code == "many-open"


@pytest.mark.django_db(transaction=True)
def test_the_computer_is_one_player_at_each_level_and_nobody_can_be_it() -> None:
    one = get_computer(4)
    assert get_computer(4) == one
    assert one.username == "Computer (strong)"
    assert not one.has_usable_password()


# -- draws

# On this board nobody can make six any more.
DEAD = (
    "3a8422250db82d5020d0744708054a40448e2f5b73ec61a3322629a42815/"
    "41734d5a724342a71f070b18052a3527336150a408020e444489541a46ea/1"
)


def on_a_dead_board(person_first: bool) -> Match:
    match = against_computer("six-in-a-row", person_first=person_first)
    position = GAMES["six-in-a-row"].read(DEAD)
    stones = position.diagram.count("b") + position.diagram.count("w")
    Match.objects.filter(pk=match.pk).update(notation=DEAD, ply=stones + 1, acted=3)
    assert position.turn == "player1"
    return match


@pytest.mark.django_db(transaction=True)
def test_the_computer_ends_a_match_that_nobody_can_win() -> None:
    match = on_a_dead_board(person_first=False)

    async def work() -> None:
        thinker = Thinker(Workers(0))  # there is nothing to think about
        (turn,) = await in_db(turns.lease_turns, 1)
        await thinker._act(turn)

    run(work())
    state = read_states([match.pk])[match.pk]
    assert (state.status, state.ended) == ("over", "agreement")
    assert state.goals == {"player1": 50, "player2": 50}
    assert state.bot_at is None


# -- looking through


@pytest.mark.django_db(transaction=True)
def test_a_match_is_looked_through_by_one_of_those_who_ask() -> None:
    match = against_computer()
    state = read_states([match.pk])[match.pk]
    with pytest.raises(Refused):
        analysis.request_analysis(state, state.first_id)  # it is live
    act(match, Play(0, "mark 1 1"))
    act(match, Resign())
    state = read_states([match.pk])[match.pk]
    analysis.request_analysis(state, state.first_id)
    analysis.request_analysis(state, state.first_id)
    assert analysis.has_due_analysis()
    wanted = analysis.lease_analysis()
    assert wanted is not None
    assert wanted.steps == ((".........", "mark 1 1"),)
    assert analysis.lease_analysis() is None
    assert analysis.renew_analysis(wanted, 0)
    analysis.store_analysis(wanted, [{"value": 50}])
    found = analysis.get_analysis(state)
    assert found is not None
    assert (found.due_at, found.looks) == (None, [{"value": 50}])


@pytest.mark.django_db(transaction=True)
def test_nothing_of_it_is_shown_when_the_staff_lets_the_match_go_on() -> None:
    match = against_computer()
    act(match, Play(0, "mark 1 1"))
    act(match, Resign())
    state = read_states([match.pk])[match.pk]
    analysis.request_analysis(state, state.first_id)
    wanted = analysis.lease_analysis()
    assert wanted is not None
    commit_requests([Request(match.pk, None, Restore("live", "", None, None, None))])
    live = read_states([match.pk])[match.pk]
    assert live.is_live
    assert live.bot_at is not None  # and it is the computer's turn again
    assert not analysis.renew_analysis(wanted, 1)
    analysis.store_analysis(wanted, [{"value": 50}])
    assert analysis.get_analysis(live) is None
    Analysis.objects.filter(pk=match.pk).update(version=live.version)
    assert (
        analysis.get_analysis(live) is None
    )  # nothing is shown of a live match, whatever is stored
    Analysis.objects.filter(pk=match.pk).update(version=wanted.version)
    act(match, Resign())
    again = read_states([match.pk])[match.pk]
    assert analysis.get_analysis(again) is None  # the match has another version now
    analysis.request_analysis(again, again.first_id)
    found = Analysis.objects.get(pk=match.pk)
    assert (found.version, found.looks) == (again.version, [])


@pytest.mark.django_db(transaction=True)
def test_a_player_waits_for_so_many_matches_at_a_time(settings: Any) -> None:
    settings.RATE_LIMITS, settings.QUEUED_ANALYSES_PER_PLAYER = True, 2
    person, states = new_guest(), []
    for _ in range(3):
        match = against_computer()
        act(match, Play(0, "mark 1 1"))
        act(match, Resign())
        states.append(read_states([match.pk])[match.pk])
    for state in (*states[:2], states[0]):
        analysis.request_analysis(state, person.pk)
    with pytest.raises(Refused) as refused:
        analysis.request_analysis(states[2], person.pk)
    assert refused.value.code == "too-fast"
    analysis.request_analysis(states[2], states[2].first_id)
