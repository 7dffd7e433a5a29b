"""From rules to gates."""

from itertools import product

import numpy as np
import pytest

from games.gdl.checks import read_sheet
from games.gdl.errors import SheetError
from games.gdl.gates import Gates
from games.gdl.grounding import build_network
from games.gdl.network import FALSE, TRUE, decode_network
from tests.builders.gdl_sheets import RACE, SHIPPED, compile_here, get_network


def test_constants_are_folded() -> None:
    gates = Gates(4)
    assert gates.conjoin([]) == TRUE
    assert gates.disjoin([]) == FALSE
    assert gates.conjoin([2, FALSE]) == FALSE
    assert gates.disjoin([2, TRUE]) == TRUE
    assert gates.conjoin([2, TRUE, 2]) == 2
    assert gates.conjoin([2, 3]) == FALSE
    assert gates.disjoin([4, 6, 5]) == TRUE


def test_equal_gates_exist_once() -> None:
    gates = Gates(4)
    assert gates.conjoin([2, 4]) == gates.conjoin([4, 2, TRUE])
    assert gates.conjoin([2, 4]) != gates.disjoin([2, 4])


def test_gates_stand_in_the_part_that_needs_them() -> None:
    gates = Gates(5)  # the nodes 1 to 4 are inputs
    shared = gates.conjoin([2, 4])
    for_legal, for_goals = gates.disjoin([shared, 6]), gates.disjoin([shared, 8])
    both = gates.conjoin([3, 5])
    only_goals, only_next = gates.conjoin([both, for_goals]), gates.disjoin([both, 7])
    gates.conjoin([3, 6])  # feeds nothing
    found = gates.arrange([for_legal], [only_goals], [only_next])
    assert len(found.is_and) == 6
    assert found.legal_gates == 3  # the two of the legal actions, and what the others share
    assert found.goal_gates == 2
    assert found.move(only_next) // 2 == 5 + 5
    assert found.move(only_next ^ 1) == found.move(only_next) ^ 1


def test_a_network_is_read_as_it_was_written() -> None:
    network = get_network("hex-7")
    data = network.encode()
    again = decode_network(data)
    assert again.encode() == data
    assert again.roles == ("red", "blue")
    assert (again.legal_gates, again.goal_gates) == (network.legal_gates, network.goal_gates)
    assert again.goals == network.goals
    assert np.array_equal(again.loops, network.loops)


def test_anything_else_is_no_network() -> None:
    data = get_network("tic-tac-toe").encode()
    for wrong in (b"", b"PK", data[:-40], b"\0" * 100):
        with pytest.raises(ValueError):  # numpy has many words for it
            decode_network(wrong)


@pytest.mark.parametrize("slug", ["connect-four", "hex-7"])
def test_the_same_text_gives_the_same_bytes(slug: str) -> None:
    assert compile_here(SHIPPED[slug].read_text()).encode() == get_network(slug).encode()


def test_gates_read_only_earlier_ones_except_in_loops() -> None:
    for slug in ("reversi", "hex-7", "six-in-a-row"):
        network = get_network(slug)
        source = (network.inputs >> 1) - network.first_gate
        index = np.repeat(np.arange(network.gates), np.diff(network.start))
        is_right = source < index
        assert slug != "hex-7" or not is_right.all()
        for begin, end in network.loops.tolist():
            is_right |= (begin <= index) & (index < end) & (begin <= source) & (source < end)
        assert len(source) == len(index)
        assert is_right.all()


def test_fluents_actions_and_control_are_found() -> None:
    network = compile_here(RACE)
    assert network.fluents == (
        "(control left)", "(control right)",
        "(heap 0)", "(heap 1)", "(heap 2)", "(heap 3)", "(heap 4)", "(heap 5)",
    )  # fmt: skip
    assert network.actions == (("noop", "take 1", "take 2"),) * 2
    assert network.control == (0, 1)
    assert network.noops == (0, 0)
    assert network.initial.tolist() == [True, False] + [False] * 5 + [True]
    assert [points for points, _ in network.goals[0]] == [0, 100]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("(goal ?p 100)", "(goal ?p 101)"), "the goal 101 is not a number from 0 to 100"),
        (("(goal ?p 100)", "(goal ?p many)"), "the goal many is not a number from 0 to 100"),
        (("(goal ?p 100)", "(goal left 100)"), None),
        (("(role ?p) (not (true (control", "(role ?p) (true (control"), None),
        (("(legal ?p noop) (role ?p)", "(legal right noop) (role ?p)"), "left has no legal action"),
        (
            ("(take ?n)", f"(take {'very-' * 12}long ?n)"),
            f"the action (take {'very-' * 7}… has more than 64 characters",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(change: tuple[str, str], words: str | None) -> None:
    text = RACE.replace(*change)
    assert text != RACE
    with pytest.raises(SheetError) as refused:
        compile_here(text)
    assert words is None or str(refused.value).startswith(words)


def test_recursion_among_atoms_is_a_loop() -> None:
    """Compare with reachability in a graph, for each state of its edges."""
    edges = list(product("abc", "abc"))
    names = " ".join(f"(edge {one} {other})" for one, other in edges)
    sheet = RACE + "".join(f"(init {each})" for each in names.replace(") (", ")\n(").split("\n"))
    sheet += """
    (<= (next (edge ?x ?y)) (true (edge ?x ?y)))
    (<= (reached a) (role left))
    (<= (reached ?y) (reached ?x) (true (edge ?x ?y)))
    (<= (legal left (take ?n)) (true (control left)) (true (heap 5)) (reached c) (less 5 ?n ?r))
    """
    network = build_network(read_sheet(sheet))
    assert len(network.loops) == 1
    assert {"reached", "edge"}.isdisjoint(network.actions[0])
