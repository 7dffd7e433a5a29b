"""Refusals that the rules of the site raise."""

from collections.abc import Callable
from typing import Any

import pytest

from games.messages.refusal import Refused


def must_be_refused(code: str, function: Callable[..., Any], *args: Any, **more: Any) -> None:
    """Call the function, which must raise `Refused` with that code."""
    with pytest.raises(Refused) as caught:
        function(*args, **more)
    assert caught.value.code == code
