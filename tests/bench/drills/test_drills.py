"""Short runs of the drills; `python -m tests.bench.drills` runs them in full."""

from pathlib import Path

import pytest

from tests.bench.drills.registry import SHORT, all_drills

DRILLS = all_drills()


@pytest.mark.parametrize("name", DRILLS)
def test_nothing_accepted_is_lost(name: str, tmp_path: Path) -> None:
    figures = DRILLS[name](tmp_path, SHORT)
    assert figures.wrong == []
    assert figures.actions > 20  # the load was played during the drill
