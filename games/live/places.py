"""How many sockets a player, and an address, may keep open in this process at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from django.conf import settings

from games.live.closing import CloseCode, Closed

_of_players: Counter[Any] = Counter()
_of_addresses: Counter[str] = Counter()


def place_of_address(scope: dict[str, Any]) -> AbstractContextManager[None]:
    """Hold a place for a socket. Raises `Closed` if its address has as many as are allowed."""
    return _place(_of_addresses, address_of(scope), settings.PYRAMID_SOCKETS_PER_ADDRESS)


def place_of_player(player: Any) -> AbstractContextManager[None]:
    """Hold a place for a player's socket by primary key, None for nobody's. Raises `Closed` as for an address."""
    return _place(_of_players, player, settings.PYRAMID_SOCKETS_PER_PLAYER) if player else nullcontext()


def address_of(scope: dict[str, Any]) -> str:
    """Return where a socket comes from; behind a proxy, what the proxy says (its own entry is the last one)."""
    if settings.BEHIND_TLS_PROXY:
        for name, value in scope["headers"]:
            if name == b"x-forwarded-for":
                address: str = value.decode("latin1").rpartition(",")[2].strip()
                return address
    client = scope.get("client")
    return client[0] if client else ""


@contextmanager
def _place(taken: Counter[Any], who: Any, most: int) -> Iterator[None]:
    if taken[who] >= most:
        raise Closed(CloseCode.TOO_MANY_CONNECTIONS)
    taken[who] += 1
    try:
        yield
    finally:
        taken[who] -= 1
        if not taken[who]:
            del taken[who]
