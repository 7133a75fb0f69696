"""Link accounts that may belong to one person: by device or by address, more weakly the more accounts share it."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from ipaddress import IPv6Address, IPv6Network, ip_address
from itertools import combinations
from typing import TypeVar

from leaderboards.judging.reading import AccountRow

A = TypeVar("A", str, int)
SAME_DEVICE = 1.0
MOST_SHARING = 50  # an address with more accounts links nobody: a school is not a person


def links_of(accounts: Iterable[AccountRow]) -> dict[tuple[str, str], float]:
    """Return the strength of each link, 0 to 1, by the two accounts in alphabetical order."""
    by_device: dict[str, set[str]] = defaultdict(set)
    by_address: dict[str, set[str]] = defaultdict(set)
    for row in accounts:
        if row.device:
            by_device[row.device].add(row.account)
        if row.address:
            by_address[network_of(row.address)].add(row.account)
    return strengths(by_device.values(), by_address.values())


def strengths(devices: Iterable[Collection[A]], networks: Iterable[Collection[A]]) -> dict[tuple[A, A], float]:
    """Return the strength of each link, 0 to 1, by the two accounts in their order.

    Each collection has the accounts that share one device, or one network.
    """
    links: dict[tuple[A, A], float] = {}
    for sharing in networks:
        if len(sharing) <= MOST_SHARING:
            for pair in combinations(sorted(sharing), 2):
                links[pair] = max(links.get(pair, 0.0), 1 / len(sharing))
    for sharing in devices:
        if len(sharing) <= MOST_SHARING:
            links |= dict.fromkeys(combinations(sorted(sharing), 2), SAME_DEVICE)
    return links


def network_of(address: str) -> str:
    """Return the /64 of an IPv6 address; any other address, also a hashed one, unchanged."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(IPv6Network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address
