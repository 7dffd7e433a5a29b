"""Compiled sheets agree with a slow interpreter that shares no code with the compiler."""

import random

import pytest

from games.gdl.machine import Machine
from tests.builders.gdl_interpreter import Interpreter, parse, write
from tests.builders.gdl_sheets import NATIVE, RACE, SHIPPED, compile_here, get_machine


def play(machine: Machine, seed: int) -> list[tuple[bytes, tuple[int, int]]]:
    """Return each state of a random game with the actions in it. The last ones are (-1, -1)."""
    chance = random.Random(seed)
    state, found = machine.start, []
    while not (view := machine.view(state)).is_over:
        chosen = chance.choice(view.legal[0]), chance.choice(view.legal[1])
        found.append((state, chosen))
        state = machine.advance(state, chosen)
    return [*found, (state, (-1, -1))]


def check(
    machine: Machine, interpreter: Interpreter, state: bytes, chosen: tuple[int, int]
) -> None:
    network, view = machine.network, machine.view(state)
    facts = frozenset(map(parse, machine.name_fluents(state)))
    assert interpreter.is_terminal(facts) == view.is_over
    if view.is_over:
        assert view.goals is not None
        for role, points in zip(network.roles, view.goals, strict=True):
            assert interpreter.goals(facts, role) == {points}
        return
    for role in (0, 1):
        legal = {network.actions[role][index] for index in view.legal[role]}
        assert interpreter.legal(facts, network.roles[role]) == legal
    done = {network.roles[role]: network.actions[role][chosen[role]] for role in (0, 1)}
    following = {write(fact) for fact in interpreter.next(facts, done)}
    assert following == set(machine.name_fluents(machine.advance(state, chosen)))


@pytest.mark.parametrize("slug", [*SHIPPED, *NATIVE])
def test_the_network_agrees_with_the_rules(slug: str) -> None:
    machine = get_machine(slug)
    interpreter = Interpreter({**NATIVE, **SHIPPED}[slug].read_text())
    assert interpreter.roles == machine.network.roles
    assert {write(fact) for fact in interpreter.start()} == set(machine.name_fluents(machine.start))
    game = play(machine, 1)
    # The interpreter takes longest for Lines of Action, of which `test_plain_models.py` compares
    # whole games with a model.
    states = 2 if slug == "lines-of-action" else 6
    middle = random.Random(2).sample(game[:-1], states)
    for state, chosen in (*middle, game[-1]):
        check(machine, interpreter, state, chosen)


@pytest.mark.parametrize(
    "text",
    [
        RACE,
        RACE.replace(
            "(<= (goal ?p 0) (true", "(<= (goal ?p 0) (role ?p) (not (goal ?p 100)) (true"
        ),
    ],
)
def test_whole_games_of_a_small_sheet_agree(text: str) -> None:
    machine, interpreter = Machine(compile_here(text)), Interpreter(text)
    for seed in range(20):
        for state, chosen in play(machine, seed):
            check(machine, interpreter, state, chosen)


def test_the_interpreter_proves_what_it_should() -> None:
    graph = """
    (role left) (role right) (edge a b) (edge b c) (edge c a) (edge d a)
    (<= (path ?x ?y) (edge ?x ?y))
    (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))
    (<= (init (unreached ?x)) (edge ?x ?y) (not (path a ?x)))
    (<= (init (same ?x)) (path ?x ?x) (distinct ?x b))
    """
    facts = {write(fact) for fact in Interpreter(graph).start()}
    assert facts == {"(unreached d)", "(same a)", "(same c)"}
