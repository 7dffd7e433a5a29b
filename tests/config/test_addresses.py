"""The addresses that `serve` prints and allows."""

import re
import sys

import pytest
from django.conf import settings

from config import addresses

LAN = "192.168.7.20"


@pytest.fixture(autouse=True)
def on_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALLOWED_ORIGINS", raising=False)
    monkeypatch.setattr(addresses, "list_network_addresses", lambda: [LAN, "172.17.0.1"])
    monkeypatch.setattr(settings, "ALLOWED_ORIGINS", ["http://localhost:8000"])
    monkeypatch.setattr(settings, "ALLOWED_HOSTS", ["localhost"])
    monkeypatch.setattr(addresses, "draw_code", lambda url: f"code of {url}")


def test_for_all_networks_the_local_address_and_its_code_are_printed() -> None:
    addresses.allow_origins("0.0.0.0", 8000)
    told = addresses.describe("0.0.0.0", 8000).splitlines()
    assert told[:2] == [
        "Ready: open http://localhost:8000/",
        f"Others in your network open http://{LAN}:8000/",
    ]
    assert "172.17.0.1" in told[2]
    assert told[3] == f"code of http://{LAN}:8000/"
    assert f"http://{LAN}:8000" in settings.ALLOWED_ORIGINS
    assert LAN in settings.ALLOWED_HOSTS


def test_for_this_machine_alone_there_is_no_code() -> None:
    addresses.allow_origins("127.0.0.1", 8000)
    assert addresses.describe("127.0.0.1", 8000) == "Ready: open http://localhost:8000/"
    assert LAN not in settings.ALLOWED_HOSTS


def test_for_one_address_its_code_is_printed() -> None:
    addresses.allow_origins("10.1.2.3", 80)
    assert addresses.describe("10.1.2.3", 80).splitlines() == [
        "Ready: open http://10.1.2.3/",
        "code of http://10.1.2.3/",
    ]


def test_a_given_origin_is_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_ORIGINS", "https://play.example.org")
    monkeypatch.setattr(settings, "ALLOWED_ORIGINS", ["https://play.example.org"])
    addresses.allow_origins("0.0.0.0", 8000)
    assert addresses.describe("0.0.0.0", 8000).splitlines() == [
        "Ready: open https://play.example.org/",
        "code of https://play.example.org/",
    ]
    assert settings.ALLOWED_ORIGINS == ["https://play.example.org"]


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "list_network_addresses", list)
    assert "in no network" in addresses.describe("0.0.0.0", 8000)


def test_the_code_is_a_square_that_fits_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    drawn = addresses.draw_code(f"http://{LAN}:8000/")
    lines = drawn.splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) in range(2 * len(lines) - 2, 2 * len(lines) + 1)
    assert len(lines[0]) <= 40
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert re.match("\x1b\\[40;97m", addresses.draw_code("http://x/"))
