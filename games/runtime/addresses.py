"""Client addresses and their networks, and the addresses that the site may connect to."""

from contextlib import suppress
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from django.http import HttpRequest
from django.http.request import split_domain_port

_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are the IPv4 address
_NAT64_LOCAL = IPv6Network("64:ff9b:1::/48")  # RFC 8215: local translators of a network
_GLOBAL = IPv6Network("2000::/3")  # the range assigned as global unicast
_EXAMPLES = IPv6Network("3fff::/20")  # RFC 9637: missing from Python's lists
_ISATAP = (0x00005EFE, 0x02005EFE)  # RFC 5214, bits 32 to 63: a tunnel within one network
# IETF protocol assignments and 6to4 relays, which Python's `is_global` does not know.
_SPECIAL = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
_SHARED = 64  # leading bits that all IPv6 addresses of a client network share
# Python's `is_private` is not suitable, because it also includes example addresses.
_LOCAL = tuple(
    map(
        ip_network,
        ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
         "::1/128", "fc00::/7", "fe80::/10"),
    )
)  # fmt: skip


@lru_cache(maxsize=1024)  # an address that a client made up can be as long as a header
def get_client_network(address: str) -> str:
    """Return the network of an address: an IPv4 address itself, or the /64 of an IPv6 address.

    For a translated or tunnelled address it is the IPv4 address inside. Invalid addresses and
    networks are returned unchanged.

    Limits are counted by network, because a client with one IPv6 address can use all 2**64
    addresses of its network. All devices of a school or a household often share one network.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        inside = _inside(found)
        if inside is None:
            return str(IPv6Network((found, _SHARED), strict=False).network_address)
        found = inside
    return str(found)


def get_request_network(request: HttpRequest | None) -> str:
    """Return the client network of a request, or "" if there is no request or no address."""
    return "" if request is None else get_client_network(str(request.META.get("REMOTE_ADDR", "")))


def is_loopback_host(request: HttpRequest) -> bool:
    """Return whether the page was opened at a loopback address or as localhost.

    On another device, such a URL leads to that device and not to the site.
    """
    return is_loopback(request.get_host())


def is_loopback(place: str) -> bool:
    """Return whether a name, an address or an origin, with or without a port, is loopback."""
    place = place.rpartition("//")[2]
    name = split_domain_port(place)[0].strip("[]")
    for each in (place, name):
        with suppress(ValueError):
            return ip_address(each).is_loopback
    return name == "localhost"


def is_local(address: str) -> bool:
    """Return whether the address belongs to this machine or to a private network."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return any(found in network for network in _LOCAL if network.version == found.version)


def is_public(address: str) -> bool:
    """Return whether the address is on the public internet, and not on this machine or its network.

    A 6to4, NAT64 or mapped address counts as the IPv4 address inside. Addresses of other tunnels
    and translators (Teredo, ISATAP, local NAT64) and invalid addresses are not public.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        if found.scope_id is not None or found in _NAT64_LOCAL or found.teredo is not None:
            return False
        inside = _inside(found)
        if inside is not None:
            return is_public(str(inside))
        is_tunnel = int(found) >> 32 & 0xFFFFFFFF in _ISATAP
        if found not in _GLOBAL or found in _EXAMPLES or is_tunnel:
            return False
    elif any(found in network for network in _SPECIAL):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved)


def _inside(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address.teredo is not None:
        return address.teredo[1]  # the address of the client; the first item is that of the relay
    return address.ipv4_mapped or address.sixtofour
