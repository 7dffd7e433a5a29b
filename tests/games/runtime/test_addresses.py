"""The names at which a page was opened."""

from typing import Any

import pytest
from django.test import RequestFactory

from games.runtime.addresses import is_loopback_host


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("192.168.1.20:8000", False),
        ("[2001:db8::1]:8000", False),
        ("school.local", False),
        ("localhost.example.org", False),
    ],
)
def test_a_loopback_host_leads_other_devices_to_themselves(
    host: str, is_own: bool, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    assert is_loopback_host(RequestFactory().get("/", headers={"host": host})) is is_own
