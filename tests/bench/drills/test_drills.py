"""Each drill in short; `python -m tests.bench.drills` has them at their full length."""

from pathlib import Path

import pytest

from tests.bench.drills.registry import SHORT, all_drills

DRILLS = all_drills()


@pytest.mark.parametrize("name", DRILLS)
def test_nothing_accepted_is_lost(name: str, tmp_path: Path) -> None:
    figures = DRILLS[name](tmp_path, SHORT)
    assert figures.wrong == []
    assert figures.actions > 20  # it was played beside
