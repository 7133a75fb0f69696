"""How many sockets a player, and an address, may keep open in this process at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from games.live.closing import CloseCode, Closed

_of_players: Counter[Any] = Counter()
_of_addresses: Counter[str] = Counter()


@contextmanager
def place_for(scope: dict[str, Any]) -> Iterator[None]:
    """Hold a place for a socket. Raises `Closed` if its player or its address has as many as are allowed."""
    address, player = address_of(scope), scope["user"].pk
    has_room = _of_addresses[address] < settings.PYRAMID_SOCKETS_PER_ADDRESS
    if not has_room or (player and _of_players[player] >= settings.PYRAMID_SOCKETS_PER_PLAYER):
        raise Closed(CloseCode.TOO_MANY_CONNECTIONS)
    _of_addresses[address] += 1
    _of_players[player] += 1
    try:
        yield
    finally:
        _leave(_of_addresses, address)
        _leave(_of_players, player)


def address_of(scope: dict[str, Any]) -> str:
    """Return where a socket comes from; behind a proxy, what the proxy says (its own entry is the last one)."""
    if settings.BEHIND_TLS_PROXY:
        for name, value in scope["headers"]:
            if name == b"x-forwarded-for":
                address: str = value.decode("latin1").rpartition(",")[2].strip()
                return address
    client = scope.get("client")
    return client[0] if client else ""


def _leave(counter: Counter[Any], who: Any) -> None:
    counter[who] -= 1
    if not counter[who]:
        del counter[who]
