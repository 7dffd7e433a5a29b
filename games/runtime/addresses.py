"""Where clients come from."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are the IPv4 address
_SHARED = 64  # bits of an IPv6 address that are the same for a household
# Not Python's `is_private`, which has the addresses of examples too.
_LOCAL = tuple(
    map(
        ip_network,
        ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
         "::1/128", "fc00::/7", "fe80::/10"),
    )
)  # fmt: skip


def household(address: str) -> str:
    """The household that an address belongs to: an IPv4 address itself, the /64 of an IPv6 one.

    Limits count by households, because whoever has one IPv6 address has all 2**64 of its network.
    Behind a translator or a tunnel it is the IPv4 address inside. A text that is no address stays
    as it is.
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


def is_local(address: str) -> bool:
    """Whether the address is of this machine or of a private network."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return any(found in network for network in _LOCAL if network.version == found.version)


def _inside(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address.teredo is not None:
        return address.teredo[1]  # the client's; the first is the relay's
    return address.ipv4_mapped or address.sixtofour
