"""Where clients come from."""

from ipaddress import IPv6Address, IPv6Network, ip_address


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
