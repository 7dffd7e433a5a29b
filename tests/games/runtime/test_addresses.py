"""The names at which a page was opened."""

import pytest
from django.test import RequestFactory

from games.runtime.addresses import is_loopback, is_loopback_host


@pytest.mark.parametrize(
    ("place", "is_own"),
    [
        ("localhost", True),
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("[::1]:8000", True),
        ("::1", True),
        ("http://localhost:8000", True),
        ("http://127.0.0.1", True),
        ("https://play.example.org", False),
        ("192.168.1.20:8000", False),
        ("[2001:db8::1]:8000", False),
        ("school.local", False),
        ("localhost.example.org", False),
    ],
)
def test_loopback_places_are_recognised(place: str, is_own: bool) -> None:
    assert is_loopback(place) is is_own


def test_a_page_opened_at_localhost_leads_other_devices_to_themselves() -> None:
    for host, is_own in (("localhost:8000", True), ("testserver", False)):
        assert is_loopback_host(RequestFactory().get("/", headers={"host": host})) is is_own
