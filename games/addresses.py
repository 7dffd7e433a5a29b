"""Where clients come from."""

from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network


def household(address: str) -> str:
    """What limits are counted by: an IPv4 address, or the /64 of an IPv6 one.

    Who is given one IPv6 address is given all 2**64 of its network.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False).network_address)


# Not Python's `is_private`, which has the addresses of examples too.
_LOCAL = tuple(
    map(
        ip_network,
        ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
         "::1/128", "fc00::/7", "fe80::/10"),
    )
)  # fmt: skip


def is_local(address: str) -> bool:
    """Whether it is of this machine or of a private network."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return any(found in network for network in _LOCAL if network.version == found.version)
