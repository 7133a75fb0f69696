"""Limits on the sockets that a player, and a network address, may keep open in this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from django.conf import settings

from games.kit.addresses import address_of_scope
from games.kit.sockets.close_codes import CloseCode, Closed

_of_players: Counter[int] = Counter()
_of_addresses: Counter[str] = Counter()


def counted_for_address(scope: dict[str, Any]) -> AbstractContextManager[None]:
    """Count a socket for its address while the block runs. Raises `Closed` if the address is at its limit."""
    return _counted(_of_addresses, address_of_scope(scope), settings.PYRAMID_SOCKETS_PER_ADDRESS)


def counted_for_player(player: int | None) -> AbstractContextManager[None]:
    """Count a socket for a player's primary key, or for None. Raises `Closed` if the player is at the limit."""
    return _counted(_of_players, player, settings.PYRAMID_SOCKETS_PER_PLAYER) if player else nullcontext()


@contextmanager
def _counted(open_sockets: Counter[Any], who: Any, most: int) -> Iterator[None]:
    if open_sockets[who] >= most:
        raise Closed(CloseCode.TOO_MANY_CONNECTIONS)
    open_sockets[who] += 1
    try:
        yield
    finally:
        open_sockets[who] -= 1
        if not open_sockets[who]:
            del open_sockets[who]
