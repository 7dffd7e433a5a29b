"""What states allow, and which follow. Known numbers of positions show that sheets are right."""

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from games.gdl.machine import Machine
from tests.builders.gdl_sheets import SHIPPED, get_machine


def count_games(machine: Machine, plies: int) -> list[int]:
    """Return the number of sequences of one ply, of two, and so on."""
    ways, counts = Counter({machine.start: 1}), []
    for _ in range(plies):
        live = {state: machine.view(state).legal for state in ways}
        live = {state: legal for state, legal in live.items() if not machine.view(state).is_over}
        counts.append(sum(ways[state] * len(a) * len(b) for state, (a, b) in live.items()))
        if len(counts) < plies:
            after = Counter[bytes]()
            for state, legal in live.items():
                for chosen in product(*legal):
                    after[machine.advance(state, chosen)] += ways[state]
            ways = after
    return counts


@pytest.mark.parametrize(
    ("slug", "counts"),
    [
        ("tic-tac-toe", [9, 72, 504, 3024]),
        ("connect-four", [7, 49, 343, 2401, 16807]),
        ("breakthrough", [22, 484, 11132]),
        ("reversi", [4, 12, 56, 244, 1396]),
        ("gomoku", [225, 225 * 224]),
        ("nine-board-tic-tac-toe", [81, 8 * 9 + 72 * 9]),
        ("kalaha", [6, 35, 185, 942, 4690]),
        ("pentago", [36, 36 * 8, 36 * 8 * 35, 36 * 8 * 35 * 8]),
        ("hex-7", [49, 49 * 49]),
        ("hex-11", [121, 121 * 121]),
        ("nine-mens-morris", [24, 24 * 23, 24 * 23 * 22]),
        ("quarto", [16, 16 * 16, 256 * 15, 256 * 15 * 15]),
    ],
)
def test_games_have_the_known_number_of_positions(slug: str, counts: list[int]) -> None:
    assert count_games(get_machine(slug), len(counts)) == counts


def play_at_random(machine: Machine, seed: int) -> tuple[bytes, int]:
    """Play a game to its end. Return the last state and the number of plies."""
    chance = random.Random(seed)
    state, plies = machine.start, 0
    while not (view := machine.view(state)).is_over:
        state = machine.advance(state, (chance.choice(view.legal[0]), chance.choice(view.legal[1])))
        plies += 1
    return state, plies


@pytest.mark.parametrize("slug", SHIPPED)
def test_every_game_ends_with_goals(slug: str) -> None:
    machine = get_machine(slug)
    for seed in range(3):
        state, plies = play_at_random(machine, seed)
        goals = machine.view(state).goals
        assert goals is not None
        assert sum(goals) == 100
        assert plies < 300


def test_hex_has_no_draws_and_an_unbroken_chain() -> None:
    machine = get_machine("hex-7")
    for seed in range(20):
        state, _ = play_at_random(machine, seed)
        goals = machine.view(state).goals
        assert goals in ((100, 0), (0, 100))
        colour = "red" if goals == (100, 0) else "blue"
        stones = {
            (int(words[1]), int(words[2]))
            for words in (fluent.strip("()").split() for fluent in machine.name_fluents(state))
            if words[0] == "cell" and words[3] == colour
        }
        side = 1 if colour == "red" else 0  # red connects rows, blue connects columns
        reached = {stone for stone in stones if stone[side] == 1}
        left = list(reached)
        while left:
            x, y = left.pop()
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
                near = x + dx, y + dy
                if near in stones and near not in reached:
                    reached.add(near)
                    left.append(near)
        assert any(stone[side] == 7 for stone in reached)


def test_a_swap_mirrors_the_first_stone() -> None:
    machine = get_machine("hex-7")
    red, blue = (
        {name: index for index, name in enumerate(actions)} for actions in machine.network.actions
    )
    state = machine.advance(machine.start, (red["place 2 5"], blue["noop"]))
    assert blue["swap"] in machine.view(state).legal[1]
    state = machine.advance(state, (red["noop"], blue["swap"]))
    fluents = machine.name_fluents(state)
    assert "(cell 5 2 blue)" in fluents
    assert "(cell 2 5 b)" in fluents
    assert "(control red)" in fluents
    assert blue["swap"] not in machine.view(state).legal[1]


def test_a_state_of_another_network_is_refused() -> None:
    machine = get_machine("tic-tac-toe")
    with pytest.raises(ValueError, match="a state of another network"):
        machine.view(get_machine("hex-7").start)


def test_threads_share_a_machine() -> None:
    machine = Machine(get_machine("connect-four").network)
    expected = [play_at_random(get_machine("connect-four"), seed) for seed in range(24)]
    machine.view, machine.advance = machine._view, machine._advance  # type: ignore[assignment]  # no cache
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda seed: play_at_random(machine, seed), range(24)))
    assert found == expected


def test_one_state_takes_little_time() -> None:
    machine = get_machine("connect-four")
    begun = time.process_time()
    for seed in range(20):
        play_at_random(machine, seed)
    assert time.process_time() - begun < 5
