"""Demo matches, played through the same `apply_command` as all other matches."""

import random
from datetime import datetime, timedelta
from typing import NamedTuple

from msgspec.structs import replace

from games.bots import get_bot, has_bot
from games.journal.limits import get_limits
from games.match.commands import Abort, Play, Resign, Sweep
from games.match.conduct import apply_command, begin_match
from games.match.setup import Setup
from games.match.state import Context, Limits, MatchState, NewMove
from games.rules import GAMES
from games.runtime.ids import new_id
from games.store.digests import hash_start, update_digests
from games.store.records import MatchRecord


class DemoHabits(NamedTuple):
    """A player's habits, some of which should cause signs in the review."""

    pace_ms: float  # the median thinking time
    spread: float  # the variation of thinking times; 0 is as regular as a machine
    sense: float  # the share of moves that the player thinks about
    gives_up: float  # the probability of resigning at each move, once both players have moved
    aborts: float  # the probability of leaving at each move before that


def habits(chance: random.Random) -> DemoHabits:
    """Return random habits for a player. A few players get suspicious habits."""
    kind = chance.random()
    if kind < 0.03:
        return DemoHabits(1800, 0.02, 0.9, 0, 0)  # plays at an even pace
    if kind < 0.06:
        return DemoHabits(5000, 0.6, 0.6, 0.004, 0.45)  # leaves at the start
    if kind < 0.09:
        return DemoHabits(4000, 0.6, 0.7, 0.06, 0.01)  # resigns regardless of the position
    return DemoHabits(
        chance.uniform(1500, 9000), chance.uniform(0.4, 0.9), chance.random(), 0.002, 0.01
    )


def play(
    setup: Setup,
    seats: tuple[int, int],
    both: tuple[DemoHabits, DemoHabits],
    at: datetime,
    chance: random.Random,
) -> MatchRecord:
    """Play one match from start to end, and return its record. Nothing is stored."""
    held = get_limits()
    state = _made(setup, seats, at, held)
    moves: list[NewMove] = []
    now = at
    while state.is_live:
        seat = state.rules.roles.index(state.turn or "")
        habit = both[seat]
        took = max(150.0, chance.gauss(habit.pace_ms, habit.pace_ms * habit.spread))
        now += timedelta(milliseconds=took)
        context = Context(now, held, lambda ply: None, lambda: (at, at))
        if state.acted != 3 and chance.random() < habit.aborts:
            change = apply_command(state, seats[seat], Abort(), context)
        elif state.acted == 3 and chance.random() < habit.gives_up:
            change = apply_command(state, seats[seat], Resign(), context)
        else:
            action = _chosen(state, habit, chance)
            change = apply_command(state, seats[seat], Play(state.ply, action), context)
            if change.state is state:  # should not happen: the chosen action is legal
                change = apply_command(state, None, Sweep(), context)
        state = update_digests(change.state, change.move)
        if change.move is not None:
            moves.append(change.move)
    return MatchRecord(state, tuple(moves))


def _made(setup: Setup, seats: tuple[int, int], at: datetime, held: Limits) -> MatchState:
    state = MatchState(
        id=new_id(),
        game=setup.game,
        first_id=seats[0],
        second_id=seats[1],
        status="live",
        ended="",
        first_goal=None,
        second_goal=None,
        ply=0,
        version=0,
        notation=GAMES[setup.game].get_start(setup.options).notation,
        last="",
        acted=0,
        draw_by=None,
        draw_ply=None,
        rematch_by=None,
        rematch_id=None,
        clock=setup.clock,
        options=setup.options,
        rated=setup.rated,
        first_ms=None,
        second_ms=None,
        deadline=None,
        created_at=at,
        acted_at=at,
        started_at=None,
        ended_at=None,
        ended_by=None,
        resumed_at=None,
        chain="",
        digest="",
    )
    state = begin_match(state, held)
    return replace(state, chain=hash_start(state))


def _chosen(state: MatchState, habit: DemoHabits, chance: random.Random) -> str:
    """Choose a sensible action if the player thinks about this move, else a random one."""
    position = state.position
    if chance.random() > habit.sense or not has_bot(state.game):
        return chance.choice(position.actions())
    return get_bot(state.game).hunch(position, chance)
