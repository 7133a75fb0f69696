"""A cup as its client knows it, and every conversation about it. No I/O here: see `steps.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from pyramid_client.cup_messages import Bracket, CardsLeft, Cup, CupMatch, Pong, Progress, Refused
from pyramid_client.line import Line, socket_at
from pyramid_client.steps import Work

Message: TypeAlias = Bracket | Progress | Refused | Pong


class KnownCup:
    """A cup with one of its divisions as the server last described it. `cup` is None until the first message."""

    def __init__(self, server: str, token: str, cup_id: str, division: str = "1") -> None:
        self.id = cup_id
        self.cup: Cup | None = None
        self._line: Line[Message] = Line(socket_at(server, "cups", cup_id, division), token, Message, self._learn)

    def _next(self) -> Work[Message]:
        def talk(first: Message | None) -> Work[Message]:
            return first or (yield from self._line.hear())

        return self._line.converse(talk)

    def _bracket(self) -> Work[Cup]:
        return self._until(lambda cup: True)

    def _ended(self) -> Work[Cup]:
        return self._until(lambda cup: cup.state == "ended")

    def _until(self, holds: Callable[[Cup], bool]) -> Work[Cup]:
        def talk(_: Message | None) -> Work[Cup]:
            while self.cup is None or not holds(self.cup):
                yield from self._line.hear()
            return self.cup

        return self._line.converse(talk)

    def _learn(self, message: Message) -> None:
        match message:
            case Bracket():
                self.cup = message.cup
            case Progress() if self.cup is not None:
                rounds = [[_after(match, message.seats) for match in matches] for matches in self.cup.rounds]
                self.cup = replace(self.cup, rounds=rounds)


def _after(match: CupMatch, changed: Sequence[CardsLeft]) -> CupMatch:
    """Return a match with the cards that are left now."""
    left = {seat.handle: seat.cards_left for seat in changed if seat.race == match.race}
    seats = [replace(seat, cards_left=left.get(seat.handle, seat.cards_left)) for seat in match.seats]
    return replace(match, seats=seats)
