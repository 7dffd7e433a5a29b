"""Fixtures for the tests of webhooks."""

from collections.abc import Iterator

import pytest

from tests.builders.webhooks import Receiver, run_receiver


@pytest.fixture
def there() -> Iterator[Receiver]:
    with run_receiver() as receiver:
        yield receiver
