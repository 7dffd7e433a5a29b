"""The list of drills, to which each module named `…_drills` adds its own."""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import tests.bench.drills
from tests.bench.scripted import Figures


@dataclass(frozen=True)
class Scale:
    """How much is played, and for how long."""

    players: int = 40
    kills: int = 20
    think: float = 0.5
    outage: float = 5.0
    minutes: float = 10.0
    limit: float = 600.0
    hostile: int = 200  # connections that clients break off
    timed: bool = True  # whether delays are checked


SHORT = Scale(
    players=10,
    kills=2,
    think=0.1,
    outage=3.0,
    minutes=0.15,
    limit=400.0,
    hostile=40,
    timed=False,
)
"""For the test suite."""

Drill = Callable[[Path, Scale], Figures]
_drills: dict[str, Drill] = {}


def drill(run: Drill) -> Drill:
    """Register a drill under its function's name, with dashes. Its docstring says what it does."""
    name = run.__name__.replace("_", "-")
    if name in _drills:
        raise ValueError(f"there are two drills {name!r}")
    _drills[name] = run
    return run


def all_drills() -> dict[str, Drill]:
    """Return all drills by name."""
    for module in pkgutil.iter_modules(tests.bench.drills.__path__):
        if module.name.endswith("_drills"):
            importlib.import_module(f"tests.bench.drills.{module.name}")
    return dict(_drills)


def expect(figures: Figures, holds: bool, otherwise: str) -> None:
    """Record `otherwise` as wrong unless `holds`."""
    if not holds:
        figures.wrong.append(otherwise)


def without_traceback(figures: Figures, log: str) -> None:
    """Record a traceback in a server's log as wrong."""
    at = log.find("Traceback")
    if at >= 0:
        figures.wrong.append(f"a traceback in a log: {log[max(0, at - 300) : at + 1500]}")
