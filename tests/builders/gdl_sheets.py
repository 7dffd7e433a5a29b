"""Rule sheets: those of the catalogue, those of the games in Python, and small ones."""

from functools import cache
from pathlib import Path

from games.gdl.admission import LEAST_PLAYOUTS, PLAYOUTS, admit
from games.gdl.checks import read_sheet
from games.gdl.grounding import build_network
from games.gdl.machine import Machine
from games.gdl.network import Network, decode_network
from games.gdl.sheet_position import LoadedSheet

_ROOT = Path(__file__).resolve().parents[2]
SHIPPED = {path.stem: path for path in sorted((_ROOT / "games/gdl/sheets").glob("*.kif"))}
"""The sheets of the catalogue by their slugs."""
NATIVE = {path.stem: path for path in sorted((_ROOT / "tests/games/gdl/sheets").glob("*.kif"))}
"""Sheets of the games that are written in Python."""

RACE = """
; Two players by turns take one or two of five stones. Who takes the last one wins.
(role left) (role right)
(init (heap 5)) (init (control left))
(less 5 1 4) (less 5 2 3) (less 4 1 3) (less 4 2 2) (less 3 1 2) (less 3 2 1)
(less 2 1 1) (less 2 2 0) (less 1 1 0)
(other left right) (other right left)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?h)) (less ?h ?n ?rest))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?rest)) (true (heap ?h)) (does ?p (take ?n)) (less ?h ?n ?rest))
(<= (next (control ?p)) (other ?p ?q) (true (control ?q)))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
(<= (goal ?p 0) (true (control ?p)))
"""
"""A small sheet that is admitted."""


_TAKE = "(<= (legal ?p (take ?n)) (true (control ?p))"
_WAIT = "(<= (legal ?p noop) (role ?p)"
_AFTER = "(<= (next (heap ?rest))"
PASSING = (
    RACE.replace(
        _TAKE,
        "(<= (may left ?h) (less ?h ?n ?r) (distinct ?h 1)) (<= (may right ?h) (less ?h ?n ?r))"
        f"{_TAKE} (may ?p ?h)",
    )
    .replace(_WAIT, f"(<= (legal left noop) (true (heap 1)) (true (control left))) {_WAIT}")
    .replace(_AFTER, f"(<= (next (heap 1)) (true (heap 1)) (true (control left))) {_AFTER}")
)
"""As `RACE`, but left cannot take the last stone: it passes."""


def compile_here(text: str, playouts: int = PLAYOUTS) -> Network:
    """Compile a sheet in this process."""
    return admit(build_network(read_sheet(text)), playouts=playouts)


@cache
def get_network(slug: str) -> Network:
    """Return the network of a sheet in `SHIPPED` or `NATIVE`.

    Those of the catalogue come with it; `tests/games/rule_sheets/test_storage.py` compiles them.
    """
    if slug in SHIPPED:
        return decode_network(SHIPPED[slug].with_suffix(".npz").read_bytes())
    return compile_here(NATIVE[slug].read_text(), LEAST_PLAYOUTS)


@cache
def get_machine(slug: str) -> Machine:
    return Machine(get_network(slug))


class NoLayout:
    """Stands for the drawing, which positions need for their diagram only."""

    def read_diagram(self, state: bytes) -> str:
        return "." * len(state)

    def find_line(self, diagram: str) -> tuple[int, ...]:
        return ()


def load_sheet(slug: str) -> LoadedSheet:
    """Return a sheet in `SHIPPED` or `NATIVE` without its drawing."""
    return LoadedSheet(slug, slug, "0" * 64, get_network(slug), NoLayout())


def load_text(text: str) -> LoadedSheet:
    """Return a sheet from its text, without a drawing."""
    return LoadedSheet("test", "Test", "0" * 64, compile_here(text), NoLayout())
