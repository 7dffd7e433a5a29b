"""Fixtures of the log's tests."""

import pytest

from games.signed import checking, former_log, log, tree


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use tiles of two hashes, so that a few entries have several levels."""
    for module in (log, former_log, checking, tree):
        monkeypatch.setattr(module, "WIDTH", 2)
