"""Short runs of the drills; `python -m tests.bench.drills` runs them in full."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.bench.drills.registry import SHORT, all_drills

DRILLS = all_drills()


@pytest.mark.parametrize("name", DRILLS)
def test_nothing_accepted_is_lost(name: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:  # in this thread, the event loop of a browser may run
        figures = pool.submit(DRILLS[name], tmp_path, SHORT).result()
    assert figures.wrong == []
    assert figures.actions > 20  # the load was played during the drill
