"""Link accounts that may belong to one person: by device or by address, more weakly the more accounts share it."""

from bisect import bisect, insort
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from ipaddress import IPv6Address, IPv6Network, ip_address
from itertools import combinations
from typing import Generic, TypeVar

from leaderboards.judging.reading import AccountRow

A = TypeVar("A", str, int)
SAME_DEVICE = 1.0
MOST_SHARING = 50  # an address with more accounts links nobody: a school is not a person


@dataclass(frozen=True, slots=True)
class Network(Generic[A]):
    """The accounts on a network, by the day on which each was seen there first, and those who count."""

    since: dict[A, date] = field(default_factory=dict)
    ranked: set[A] = field(default_factory=set)
    days: list[date] = field(default_factory=list)  # of those who count, in order

    def add(self, account: A, since: date, *, is_ranked: bool) -> None:
        self.since[account] = since
        if is_ranked:
            self.ranked.add(account)
            insort(self.days, since)

    def link(self, one: A, other: A) -> float:
        """Return the strength of the link between two accounts, 0 to 1.

        Accounts without ranked scores of some days do not weaken it, nor do those that came after both of the two.
        """
        both: date = max(self.since[one], self.since[other])
        width = bisect(self.days, both) + (one not in self.ranked) + (other not in self.ranked)
        return 1 / width if width <= MOST_SHARING else 0.0


def links_of(accounts: Iterable[AccountRow], ranked: Collection[str]) -> dict[tuple[str, str], float]:
    """Return the strength of each link, 0 to 1, by the two accounts in alphabetical order; all have ranked games."""
    by_device: dict[str, set[str]] = defaultdict(set)
    by_address: dict[str, set[str]] = defaultdict(set)
    for row in accounts:
        if row.account in ranked and row.device:
            by_device[row.device].add(row.account)
        if row.account in ranked and row.address:
            by_address[network_of(row.address)].add(row.account)
    links: dict[tuple[str, str], float] = {}
    for sharing in by_address.values():
        for pair in _pairs(sharing):
            links[pair] = max(links.get(pair, 0.0), 1 / len(sharing))
    for sharing in by_device.values():
        links |= dict.fromkeys(_pairs(sharing), SAME_DEVICE)
    return links


def _pairs(sharing: Collection[str]) -> Iterable[tuple[str, str]]:
    return combinations(sorted(sharing), 2) if len(sharing) <= MOST_SHARING else ()


def network_of(address: str) -> str:
    """Return the /64 of an IPv6 address; any other address, also a hashed one, unchanged."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(IPv6Network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address
