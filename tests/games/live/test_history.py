"""A short run of the history checker on both databases; the README has the long one.

First, the checker must find planted faults: a run that cannot fail proves nothing.
"""

import os
import random
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from games.rules import GAMES
from tests.bench.bad_network import differences, faults, run
from tests.bench.scripted import Figures, Player, Proxy
from tests.builders.databases import database_of_its_own
from tests.builders.sites import Person

LINE = ("mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2", "mark 1 3")


def record(**parts: Any) -> dict[str, Any]:
    """The record of a match that the first role won."""
    position, moves = GAMES["tic-tac-toe"].start, []
    for ply, action in enumerate(LINE):
        moves.append({"ply": ply, "role": position.turn, "action": action})
        position = position.play(action)
    return {
        "game": "tic-tac-toe", "moves": moves, "notation": position.notation, "status": "over",
        "ended": "rules", "goals": position.goals, **parts,
    }  # fmt: skip


def player(**parts: Any) -> Player:
    """The player of the first role, who received every frame of that match."""
    nobody = cast(Person, None), cast(Proxy, None)
    found = Player("m", "xplayer", "tic-tac-toe", *nobody, random.Random(1), Figures(), 0)
    diagram = GAMES["tic-tac-toe"].read(record()["notation"]).diagram
    found.state = {"ply": 5, "status": "over", "diagram": diagram, **parts}
    found.accepted = {0: LINE[0], 2: LINE[2], 4: LINE[4]}
    return found


def test_a_sound_history_has_no_faults() -> None:
    assert faults("m", record()) == []
    assert differences(player(), record()) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda r: r["moves"].clear(), "do not replay"),
        (lambda r: r["moves"].pop(), "do not replay"),
        (lambda r: r["moves"].pop(0), "plies"),
        (lambda r: r["moves"].insert(1, r["moves"][0]), "plies"),
        (lambda r: r["moves"][1].update(role="xplayer"), "was not on move at 1"),
        (lambda r: r["moves"][4].update(action="mark 1 1"), "mark 1 1 is not legal at 4"),
        (lambda r: r["moves"][4].update(action="mark 3 3"), "do not replay"),
        (lambda r: r.update(goals={"xplayer": 0, "oplayer": 100}), "do not replay"),
    ],
)
def test_a_record_that_is_wrong_is_found(change: Any, words: str) -> None:
    changed = record()
    change(changed)
    assert any(words in wrong for wrong in faults("m", changed))


@pytest.mark.parametrize("parts", [{"ply": 4}, {"status": "live"}, {"diagram": "." * 9}])
def test_a_player_who_last_saw_something_else_is_found(parts: dict[str, Any]) -> None:
    assert differences(player(**parts), record()) == ["m: xplayer last saw something else"]


def test_an_accepted_action_that_is_not_stored_is_found() -> None:
    lost = record(moves=record()["moves"][:4])
    assert "m: mark 1 3 at 4 was accepted and is not stored" in differences(player(), lost)
    other = player()
    other.accepted[2] = "mark 3 3"
    assert differences(other, record()) == ["m: mark 3 3 at 2 was accepted and is not stored"]


def test_a_player_who_is_told_another_past_is_found() -> None:
    told = player()
    told.person = Person.__new__(Person)
    told.person.site = type("Moves", (), {"moves_of": {"m": {}}})()  # type: ignore[assignment]
    clock = {"remaining_ms": {"xplayer": 5000}, "increment_ms": 1000}
    state = {"type": "state", "version": 1, "status": "live", "ply": 1, "clock": clock}
    told.state = {}
    told._take({**state, "last": "mark 1 1"})
    told._take({**state, "last": "mark 2 2"})
    assert told.figures.wrong == ["m: ply 0 was mark 1 1, now mark 2 2"]
    grown = {"remaining_ms": {"xplayer": 6001}, "increment_ms": 1000}
    told._take({**state, "version": 2, "ply": 2, "last": "mark 2 1", "clock": grown})
    assert told.figures.wrong[1:] == ["m: the clock of xplayer grew"]
    told._take({"type": "error", "code": "not-your-turn"})
    assert told.figures.wrong[2:] == ["m: refused with not-your-turn"]


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_nothing_accepted_is_lost_while_connections_are_cut_and_servers_killed(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    env: dict[str, str] = {}
    if database == "postgres":
        env["DATABASE_URL"] = request.getfixturevalue("postgres_url")
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
        database_of_its_own(env)
    seed = os.getpid() + threading.get_ident()
    figures = run(tmp_path, env, players=12, kills=4, seed=seed, think=0.02, pause=1.0)
    assert figures.wrong == []
    assert figures.matches == 6
    assert figures.actions > 200
    assert figures.accepted > 100
    assert figures.kills == 4
    assert figures.cuts
    assert figures.repeats
