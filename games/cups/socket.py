"""Sockets on a division of a cup, its bracket and the cards left of who plays, and on the game of an entrant."""

from collections.abc import Awaitable
from functools import partial
from typing import Any, ClassVar

from msgspec.structs import replace

from games.cups.feed import CupFeed, cup_feeds, look
from games.cups.qualification import enter_together, entry_of
from games.cups.refusals import UnknownCup
from games.cups.socket_wire import Bracket, CardsLeft, Ping, Pong, Progress
from games.cups.wire import Cup
from games.doors.refusals import Refusal
from games.doors.scopes import Scope
from games.doors.sockets.close_codes import CloseCode, Closed
from games.doors.sockets.conversation import Handlers, Updates
from games.keys.sockets import VisitorConnection, serve
from games.play.live.starting import Attempt
from games.play.socket import player_of, talk
from games.runtime.clock import clock
from games.runtime.gathering import Gathering
from games.runtime.limits import counted_on_loop
from games.runtime.per_loop import PerLoop
from games.runtime.threads import run_in_own_thread


def cup_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve `/ws/cups/{id}/{division}/`."""
    return serve(scope, receive, send, _talk_about_cup)


def entrant_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve `/ws/cups/{id}/play/`: the player's game in the qualification, which begins if there is none yet."""
    return serve(scope, receive, send, _talk_with_entrant, Scope.PLAY)


_entries = PerLoop(lambda: Gathering(enter_together, run_in_own_thread))


async def _talk_with_entrant(connection: VisitorConnection) -> None:
    cup_id, player = connection.scope["url_route"]["kwargs"]["cup_id"], player_of(connection)
    connection.require_scope(Scope.RACES)
    if wait := (await counted_on_loop(entry_of(player))).wait:
        raise Closed(CloseCode.TRY_AGAIN_LATER, wait)
    try:
        game = await _entries().get((cup_id, player, clock.now()))
    except Refusal as error:
        raise Closed(CloseCode.NOT_FOUND, reason=f"code={error.code}") from None
    await talk(connection, Attempt(game))


async def _talk_about_cup(connection: VisitorConnection) -> None:
    cup_id, division = (connection.scope["url_route"]["kwargs"][name] for name in ("cup_id", "division"))
    try:
        first = await look(cup_id, division, connection.visitor.player)
    except UnknownCup:
        raise Closed(CloseCode.NOT_FOUND) from None
    make = partial(CupFeed, first)
    async with cup_feeds().following((cup_id, division), connection, make, about=cup_id) as feed:
        await CupSocket(connection, feed, first).converse()


class CupSocket(Updates):
    """A watcher of a cup. `_sent` is the cup as it was last sent; one who reads slowly gets fewer, bigger changes."""

    __slots__ = ("_feed", "_reader", "_sent")

    def __init__(self, connection: VisitorConnection, feed: CupFeed, first: Cup) -> None:
        super().__init__(connection)
        self._feed, self._sent, self._reader = feed, first, connection.visitor.player

    async def greet(self) -> None:
        """Send the bracket."""
        await self.send(Bracket(self._sent))

    async def send_updates(self) -> None:
        while True:
            later = await self._feed.other_than(self._sent)
            if not self._feed.may_follow(self._reader):
                self._connection.end(CloseCode.NOT_FOUND)
                return
            await self.send(changes(self._sent, later))
            self._sent = later

    async def _ping(self, message: Ping) -> None:
        await self.send(Pong(message.id))

    handlers: ClassVar[Handlers] = {Ping: _ping}


def changes(sent: Cup, later: Cup) -> Bracket | Progress:
    """Return what leads from a cup to a later state of it."""
    if _without_figures(sent) != _without_figures(later):
        return Bracket(later)
    before, now = _figures(sent), _figures(later)
    changed = [place for place, left in now.items() if before[place] != left]
    return Progress([CardsLeft(*place, left) for place in changed if (left := now[place]) is not None])


def _without_figures(cup: Cup) -> Cup:
    """Return a cup without cards left, and with seats in an order that does not depend on them."""

    def bare(seat: Any) -> Any:
        return replace(seat, cards_left=None)

    rounds = [
        [replace(match, seats=sorted(map(bare, match.seats), key=lambda seat: int(seat.seed))) for match in matches]
        for matches in cup.rounds
    ]
    return replace(cup, rounds=rounds)


def _figures(cup: Cup) -> dict[tuple[str, str], int | None]:
    """Return the cards left by race and handle."""
    matches = (match for matches in cup.rounds for match in matches)
    return {(match.race, seat.handle): seat.cards_left for match in matches if match.race for seat in match.seats}
