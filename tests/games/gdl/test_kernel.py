"""Compiled code computes what numpy computes."""

import asyncio
import random

import pytest

from config import wiring
from games.gdl import kernel, machine
from games.gdl.machine import Machine
from tests.builders.gdl_sheets import NATIVE, SHIPPED, get_network


@pytest.mark.parametrize("slug", {**SHIPPED, **NATIVE})
def test_both_agree_on_a_random_game(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "kernel", None)
    network, chance = get_network(slug), random.Random(slug)
    by_numpy, compiled = Machine(network), Machine(network)
    state, views, successors = by_numpy.start, {}, {}
    while not (view := by_numpy.view(state)).is_over:
        views[state] = view
        actions = chance.choice(view.legal[0]), chance.choice(view.legal[1])
        successors[state, actions] = by_numpy.advance(state, actions)
        state = successors[state, actions]
    views[state] = view

    monkeypatch.setattr(Machine, "kernel", kernel)
    assert {state: compiled.view(state) for state in views} == views
    assert {step: compiled.advance(*step) for step in successors} == successors


def test_it_is_loaded_once_a_game_is_played_by_a_rule_sheet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Machine, "kernel", None)
    monkeypatch.setattr(wiring, "in_db_for_chores", do_nothing)
    used = Machine(get_network("hex-7"))
    follow = wiring.follow_sheets()
    used.view(used.start)
    asyncio.run(follow())
    assert Machine.kernel is None
    used.advance(used.start, (used.view(used.start).legal[0][0], used.view(used.start).legal[1][0]))
    asyncio.run(follow())
    assert Machine.kernel is kernel


async def do_nothing(work: object) -> None:
    """Stands for the database, which has no sheets to load."""


def test_a_machine_changes_over_while_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "kernel", None)
    used = Machine(get_network("hex-7"))
    before = used.view(used.start)
    machine.load_kernel()
    used.view.cache_clear()
    assert used.view(used.start) == before
    assert used.kernel is kernel
