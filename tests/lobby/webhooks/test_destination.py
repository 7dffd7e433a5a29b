"""Webhooks never reach this machine or its network, in any address notation."""

import asyncio
from typing import Any

import pytest

from games.messages.refusal import Refused
from games.runtime.addresses import is_public
from lobby.webhooks.delivery_request import (
    DeliveryError,
    Destination,
    parse_address,
    resolve_address,
)

PRIVATE = (
    "127.0.0.1", "127.8.9.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "169.254.169.254", "100.64.0.1", "0.0.0.0", "255.255.255.255", "224.0.0.1", "239.1.1.1",
    "240.0.0.1", "192.0.2.1", "198.18.0.1", "192.0.0.8", "192.88.99.1",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1",
    "2001:db8::1", "100::1", "4000::1", "3fff::1", "5f00::1",
    "2606:4700::5efe:127.0.0.1", "2606:4700::200:5efe:10.0.0.1",  # ISATAP
    "::ffff:127.0.0.1", "::ffff:a00:1", "::127.0.0.1",  # mapped and compatible
    "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::808:808",  # NAT64
    "2002:7f00:1::", "2002:c0a8:101::1", "2002:a9fe:a9fe::",  # 6to4
    "2001:0:808:808::f7f7:f7f7", "2001::1",  # Teredo
    "no address", "",
)  # fmt: skip
PUBLIC = (
    "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:82a::200e",
    "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
)  # fmt: skip


def test_what_is_public() -> None:
    assert [each for each in PRIVATE if is_public(each)] == []
    assert [each for each in PUBLIC if not is_public(each)] == []


@pytest.mark.parametrize("address", [
    "https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f000001/",
    "https://0x7f.1/", "https://017700000001/", "https://0/", "https://[::1]/", "https://[::]/",
    "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/",
    "https://10.0.0.1:8443/", "https://169.254.169.254/latest/", "https://localhost/",
    "https://LOCALHOST./", "https://a.localhost/", "https://intranet/",
])  # fmt: skip
def test_private_addresses_are_refused_in_every_notation(address: str) -> None:
    with pytest.raises(Refused, match="hook-private"):
        parse_address(address)


@pytest.mark.parametrize("address", [
    "", "x", "http://example.org/", "ftp://example.org/", "https://", "https:///x",
    "https://me:secret@example.org/", "https://example.org@127.0.0.1/", "https://example.org/#x",
    "https://example.org:99999/", "https://example.org:x/", "https://example.org:25/",
    "https://example.org:0/", "https://exa mple.org/", "https://example.org/\r\nHost: x",
    "https://example.org/\x00", "https://bücher.example/", "https://example.org\\@127.0.0.1/",
    "https://[::1", "https://[fe80::1%25eth0]/", "https://example.org/" + "x" * 500,
])  # fmt: skip
def test_an_invalid_address_is_refused(address: str) -> None:
    with pytest.raises(Refused, match="hook-address"):
        parse_address(address)


def test_the_parts_of_an_address() -> None:
    found = parse_address("https://Example.org:8443/a/b?c=d&e")
    assert found == Destination("example.org", 8443, "Example.org:8443", "/a/b?c=d&e", True)
    assert parse_address("https://example.org").target == "/"
    assert parse_address("https://example.org?x").target == "/?x"
    assert parse_address("https://[2606:4700:4700::1111]/").host == "2606:4700:4700::1111"


def test_names_that_resolve_to_private_addresses() -> None:
    to = parse_address("https://example.org/")

    def found(*addresses: str) -> list[str]:
        return list(asyncio.run(resolve_address(to, lambda host, port: addresses)))

    assert found(*PUBLIC) == list(PUBLIC[:3])
    for address in PRIVATE:
        for several in ((address,), ("8.8.8.8", address), (address, "8.8.8.8")):
            with pytest.raises(DeliveryError, match="private"):
                found(*several)
    with pytest.raises(DeliveryError, match="no-name"):
        found()


def test_names_that_do_not_resolve() -> None:
    def fails(error: Exception) -> Any:
        def look_up(host: str, port: int) -> list[str]:
            raise error

        return look_up

    to = parse_address("https://example.org/")
    for error in (OSError("no such name"), UnicodeError("label too long")):
        with pytest.raises(DeliveryError, match="no-name"):
            asyncio.run(resolve_address(to, fails(error)))


def test_anywhere_is_for_trying_things_out(settings: Any) -> None:
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    assert parse_address("http://127.0.0.1:8000/x").port == 8000
    with pytest.raises(Refused, match="hook-address"):
        parse_address("gopher://127.0.0.1/")
