"""Limits on the sockets that a player, and a network address, may open and keep open in this process."""

from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from django.conf import settings

from games.doors.sockets.close_codes import CloseCode, Closed
from games.runtime.addresses import address_of_scope
from games.runtime.limits import Hit, seconds_to_wait_here

_of_players: Counter[int] = Counter()
_of_addresses: Counter[str] = Counter()


def counted_for_address(scope: dict[str, Any]) -> AbstractContextManager[None]:
    """Count a socket for its address while the block runs.

    Raises `Closed` if the address is at its limit, or has opened too many within a minute.
    """
    address = address_of_scope(scope)
    if seconds_to_wait_here(Hit("sockets", address)):
        raise Closed(CloseCode.TOO_MANY_CONNECTIONS)
    return _Counted(_of_addresses, address, settings.PYRAMID_SOCKETS_PER_ADDRESS)


def counted_for_player(player: int | None) -> AbstractContextManager[None]:
    """Count a socket for a player's primary key, or for None. Raises `Closed` if the player is at the limit."""
    return _Counted(_of_players, player, settings.PYRAMID_SOCKETS_PER_PLAYER) if player else nullcontext()


class _Counted:
    """Counts an open socket. A generator would take three times the memory while the socket is open."""

    __slots__ = ("_most", "_open_sockets", "_who")

    def __init__(self, open_sockets: Counter[Any], who: Any, most: int) -> None:
        self._open_sockets, self._who, self._most = open_sockets, who, most

    def __enter__(self) -> None:
        if self._open_sockets[self._who] >= self._most:
            raise Closed(CloseCode.TOO_MANY_CONNECTIONS)
        self._open_sockets[self._who] += 1

    def __exit__(self, *error: object) -> None:
        self._open_sockets[self._who] -= 1
        if not self._open_sockets[self._who]:
            del self._open_sockets[self._who]
