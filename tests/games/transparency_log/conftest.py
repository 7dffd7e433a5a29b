"""Fixtures of the log's tests."""

import pytest

from games.transparency_log import former_log, log, merkle_tree, verification


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use tiles of two hashes, so that a few entries have several levels."""
    for module in (log, former_log, verification, merkle_tree):
        monkeypatch.setattr(module, "WIDTH", 2)
