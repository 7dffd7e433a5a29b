"""The bot of rule sheets: its search agrees with the network, and it plays sensibly."""

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from games.bots import LEVELS, MASTER, pack_sheet, sheet_search
from games.bots.sheet_bot import SheetBot
from games.gdl.sheet_position import SheetPosition
from games.rules import GAMES, Position
from tests.builders.gdl_sheets import NATIVE, SHIPPED, get_machine, load_sheet
from tests.builders.sites import ROOT

ALL = sorted({**SHIPPED, **NATIVE})


def get_bot(slug: str) -> SheetBot:
    return SheetBot(load_sheet(slug))


def play(slug: str, *actions: str) -> SheetPosition:
    position: Position = load_sheet(slug).game.start
    for action in actions:
        position = position.play(action)
    assert isinstance(position, SheetPosition)
    return position


@pytest.mark.parametrize("slug", ALL)
def test_the_search_computes_what_the_machine_computes(slug: str) -> None:
    machine, chance = get_machine(slug), random.Random(1)
    net = sheet_search.read_network(machine.network)
    values = np.zeros(2 * (machine.network.first_gate + machine.network.gates), np.int64)
    words = np.zeros(-(-len(machine.network.fluents) // 64), np.int64)
    state, sheet = machine.start, load_sheet(slug)
    for _ in range(60):
        view = machine.view(state)
        bits = np.unpackbits(np.frombuffer(state, np.uint8), count=len(machine.network.fluents))
        words[:] = 0
        for i in np.flatnonzero(bits):
            words[i >> 6] |= np.int64(1) << np.int64(i & 63)
        sheet_search.set_state(net, values, words)
        sheet_search.compute_part(net, values, 0)
        assert bool(values[net.numbers[sheet_search.TERMINAL]]) == view.is_over
        if view.is_over:
            sheet_search.compute_part(net, values, 1)
            points = np.zeros(2)
            sheet_search.get_points(net, values, 5, points)
            assert tuple(points) == view.goals
            break
        for role, legal in enumerate((net.legal_first, net.legal_second)):
            assert tuple(np.flatnonzero(values[legal])) == view.legal[role]
        assert bool(sheet_search.find_movers(net, values)) == bool(sheet.find_mover(state, view))
        first, second = (chance.choice(each) for each in view.legal)
        sheet_search.clear_actions(net, values)
        for lane in range(64):
            sheet_search.add_action(values, int(net.numbers[0]) + first, lane)
            sheet_search.add_action(values, int(net.numbers[1]) + second, lane)
        sheet_search.step(net, values, np.zeros(len(net.next), np.int64))
        after = np.zeros_like(words)
        sheet_search.get_state(net, values, 63, after)
        state = machine.advance(state, (first, second))
        bits = np.unpackbits(after.view(np.uint8), bitorder="little")
        assert np.packbits(bits[: len(machine.network.fluents)]).tobytes() == state


@pytest.mark.parametrize("slug", sorted(SHIPPED))
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_legal_actions(slug: str, level: int) -> None:
    bot, position = get_bot(slug), play(slug)
    for number in range(2):  # each role
        action = bot.choose(position, level, 0.02, number)
        assert bot.choose(position, level, 0.02, number) == action
        position = position.play(action)


THREE = ("drop 4", "drop 1", "drop 4", "drop 1", "drop 4")


@pytest.mark.parametrize(("level", "budget"), [(3, 0.5), (4, 0.4), (MASTER, 0.05)])
def test_it_wins_at_once_and_prevents_a_loss_at_once(level: int, budget: float) -> None:
    bot = get_bot("connect-four")
    for seed in range(10):
        assert bot.choose(play("connect-four", *THREE), level, budget, seed) == "drop 4"
        assert bot.choose(play("connect-four", *THREE, "drop 2"), level, budget, seed) == "drop 4"


def test_a_small_game_is_solved() -> None:
    found = get_bot("tic-tac-toe").look(play("tic-tac-toe"), "mark 2 2", 2.0)
    assert (found.proved, found.value, found.after) == (True, 50.0, 50.0)
    position = play("tic-tac-toe", "mark 1 1", "mark 1 2")
    found = get_bot("tic-tac-toe").look(position, "mark 3 3", 2.0)
    assert found.proved
    assert found.value == 100.0
    assert found.standing == 100.0


def test_a_blunder_is_a_loss_in_every_search() -> None:
    bot = get_bot("connect-four")
    found = bot.look(play("connect-four", *THREE), "drop 7", 0.6)
    assert found.best == "drop 4"
    assert found.proved or min(found.losses) > found.noise
    calm = bot.look(play("connect-four"), "drop 4", 0.6)
    assert max(calm.losses) <= calm.noise


def test_the_first_player_opens_in_the_centre() -> None:
    assert get_bot("connect-four").choose(play("connect-four"), MASTER, 1.0, 1) == "drop 4"


WORKER = """
import os
from games.bots.__main__ import main
del os.sched_setscheduler  # otherwise it would wait until the other tests leave a core idle
main()
"""


def test_a_worker_plays_a_game_that_it_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        GAMES, "_entries", {**GAMES, "connect-four": load_sheet("connect-four").game}
    )
    position = play("connect-four", *THREE)
    turn = {"notation": position.notation, "level": MASTER, "budget": 0.1, "seed": 1}
    jobs = [turn, {"sheet": pack_sheet("connect-four")}, {}, turn]
    lines = "".join(json.dumps({"game": "connect-four", **job}) + "\n" for job in jobs)
    done = subprocess.run(
        [sys.executable, "-c", WORKER], cwd=Path(ROOT),
        input=lines, capture_output=True, text=True, check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert "error" in answers[0]
    assert answers[1:] == [{}, {}, {"action": "drop 4"}]


def test_games_in_python_are_not_packed() -> None:
    assert pack_sheet("tic-tac-toe") is None
    assert pack_sheet("chess") is None
