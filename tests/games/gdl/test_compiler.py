"""Compiling in a child process, with limits, and what hostile sheets lead to."""

import time
from pathlib import Path

import pytest

from games.gdl.compiler import CPU_SECONDS, WALL_SECONDS, compile_sheet, compute_digest
from games.gdl.errors import SheetError
from games.gdl.network import VERSION
from tests.builders.gdl_sheets import RACE, compile_here


def test_the_child_compiles_what_this_process_would(tmp_path: Path) -> None:
    assert compile_sheet(RACE.encode()).encode() == compile_here(RACE).encode()


def test_a_network_is_compiled_once(tmp_path: Path) -> None:
    network = compile_sheet(RACE.encode(), tmp_path / "sheets")
    (stored,) = (tmp_path / "sheets").iterdir()
    assert stored.name == f"{compute_digest(RACE.encode())}-{VERSION}.npz"
    assert stored.read_bytes() == network.encode()
    changed = stored.stat().st_mtime_ns
    assert compile_sheet(RACE.encode(), tmp_path / "sheets").encode() == network.encode()
    assert stored.stat().st_mtime_ns == changed
    stored.write_bytes(b"broken")
    assert compile_sheet(RACE.encode(), tmp_path / "sheets").encode() == network.encode()
    assert stored.read_bytes() == network.encode()


def test_a_refusal_has_its_line_and_stores_nothing(tmp_path: Path) -> None:
    with pytest.raises(SheetError) as refused:
        compile_sheet(RACE.encode() + b"\n(<= p (not (q ?x)))", tmp_path / "sheets")
    assert refused.value.line == RACE.count("\n") + 2
    assert str(refused.value) == f"line {refused.value.line}: ?x in (not (q ?x)) is not bound"
    assert not (tmp_path / "sheets").exists()


_DIGITS = " ".join(f"(digit {i})" for i in range(10))
_MANY = RACE + _DIGITS
_VARIABLES = " ".join(f"?d{i}" for i in range(8))
_BOUND = " ".join(f"(digit ?d{i})" for i in range(8))
# Which limit is reached first depends on the machine.
_TOO_LARGE = ("the sheet has more than 1,000,000 ground rules", "it takes more than ")
HOSTILE: dict[str, tuple[str, str | tuple[str, ...]]] = {
    "exponential grounding": (
        f"{_MANY} (<= (p {_VARIABLES}) {_BOUND}) (<= terminal (p {_VARIABLES}))"
        f"(<= (p {_VARIABLES}) {_BOUND} (true (heap 1)))",
        _TOO_LARGE,
    ),
    "a huge domain": (
        f"{_MANY} (<= (init (f {_VARIABLES})) {_BOUND})",
        _TOO_LARGE,
    ),
    "infinite terms": (
        f"{RACE} (<= (next (n (s ?x))) (true (n ?x))) (init (n z))",
        _TOO_LARGE,
    ),
    "infinite recursion": (
        f"{RACE} (q z) (<= (q (s ?x)) (q ?x)) (<= terminal (q end))",
        "(q (s ?x)) grows without end",
    ),
    "nesting": ("(p " * 10_000, "more than 100 parentheses are open"),
    "many roles": (
        RACE + " ".join(f"(role r{i})" for i in range(3000)),
        "the sheet has more than two roles",
    ),
    "one long symbol": (f"(role {'x' * 65_000})", "a name has more than 64 characters"),
    "a script": ("#script (python) import os; os.abort() #end. (role left)", ""),
    "directives as names": (f'{RACE} (role "#include")', "'\"#include\"' is not a symbol"),
    "letters of other alphabets": (
        f"{RACE} (\N{CYRILLIC SMALL LETTER ER}ole third)",
        "'\\u0440ole' is not a symbol of GDL",
    ),
    "bytes": (bytes(range(256)).decode("latin-1") * 20, ""),
}
"""Sheets that must be refused, by what they try, and the first words of the reason."""


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_sheets_are_refused_in_time(what: str, tmp_path: Path) -> None:
    text, words = HOSTILE[what]
    begun = time.monotonic()
    with pytest.raises(SheetError) as refused:
        compile_sheet(text.encode(), tmp_path / "sheets")
    assert time.monotonic() - begun < WALL_SECONDS + 5
    assert refused.value.reason.startswith(words)
    assert len(str(refused.value)) < 200
    assert not (tmp_path / "sheets").exists()


def test_names_that_mean_something_to_the_grounder_are_only_names() -> None:
    text = RACE.replace("heap", "#const").replace("take", "not_").replace("less", "&sum{1:a}")
    network = compile_sheet(text.encode())
    assert "(#const 5)" in network.fluents
    assert CPU_SECONDS < WALL_SECONDS
