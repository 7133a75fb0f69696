"""How many sockets a player, and an address, may keep open in this process at once."""

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
    """Count a socket for its address. Raises `Closed` if that has as many as are allowed."""
    return _counted(_of_addresses, address_of_scope(scope), settings.PYRAMID_SOCKETS_PER_ADDRESS)


def counted_for_player(player: int | None) -> AbstractContextManager[None]:
    """Count a socket for a player by primary key, or for nobody. Raises `Closed` as for an address."""
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
