"""Doors on the event loop for players, whose tokens are known without a query."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from rest_framework.exceptions import NotAuthenticated

from games.doors.rest.on_loop import Arrival, Door, Granted
from games.doors.scopes import Scope
from games.doors.wire import Input
from games.keys.authentication import bearer_token
from games.keys.tokens import known_holder
from games.players.devices import tell_of_visit
from games.players.models import Player


def known_player(scope: dict[str, Any], needed: Scope) -> Player:
    """Return the player of a request whose token is cached, and has a scope. Raises `NotAuthenticated` for others."""
    token = bearer_token(scope)
    player = known_holder(token) if token else None
    if player is None or needed not in player.scopes:
        raise NotAuthenticated
    return player


def door_for_players(
    method: str,
    address: str,
    shape: type[Input],
    work: Callable[[Arrival], Awaitable[Granted]],
    suits: Callable[[Any], bool] = lambda asked: True,
) -> Door:
    """Return a door on the event loop that only players open, for whom it plays.

    Their visits are reported as those of views are.
    """

    async def report_and_work(arrival: Arrival) -> Granted:
        await tell_of_visit(arrival.player, arrival.scope)
        return await work(arrival)

    return Door(method, re.compile(address), shape, report_and_work, partial(known_player, needed=Scope.PLAY), suits)
