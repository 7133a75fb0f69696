"""The tableau cards by place, and what they expose: shared by all positions of a play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from games.rules.cards import UNSEEN, Card
from games.rules.moves import Move
from games.rules.rulesets import RuleSet
from games.rules.tableau import Shape

Piles = tuple[tuple[Card, ...], ...]

NO_CARDS: frozenset[Card] = frozenset()
ELSEWHERE = 255
NOWHERE = bytes([ELSEWHERE]) * (UNSEEN.index + 1)


class Layout:
    """The tableau cards by place, shared by all positions of a play.

    `goal` has the cards that count as tableau cards wherever they lie, a parked one included. A place that was empty
    when a text was read holds the unseen card.
    """

    __slots__ = ("_exposed", "_parked", "_places", "cards")

    def __init__(self, cards: tuple[Card, ...], parked: Iterable[Card] = ()) -> None:
        self.cards = cards
        self._parked = frozenset(parked) or NO_CARDS
        self._exposed: dict[tuple[Shape, ...], Exposed] = {}
        places = bytearray(NOWHERE)  # a dictionary of the cards takes ten times as much, in every game that is played
        for place, card in enumerate(cards):
            places[card.index] = place
        places[UNSEEN.index] = ELSEWHERE
        self._places = bytes(places)

    def place_of(self, card: Card) -> int | None:
        """Return where a card was dealt, None if it was not dealt to the tableau."""
        place = self._places[card.index]
        return None if place == ELSEWHERE else place

    def places_of(self, cards: Iterable[Card]) -> int:
        """Return the bit set of the places of those cards that were dealt to the tableau."""
        places = 0
        for card in cards:
            place = self._places[card.index]
            if place != ELSEWHERE:
                places |= 1 << place
        return places

    @property
    def goal(self) -> frozenset[Card]:
        return self._parked.union(card for card in self.cards if card is not UNSEEN)

    def exposed(self, shapes: tuple[Shape, ...], rules: RuleSet) -> Exposed:
        """Return what the tableau exposes in these shapes; cached, because every draw of a play needs it again."""
        exposed = self._exposed.get(shapes)
        if exposed is None:
            exposed = self._exposed[shapes] = Exposed.of(self.cards, shapes, rules)
        return exposed


@dataclass(frozen=True, slots=True)
class Exposed:
    """The exposed cards of a tableau in dealing order, every card that leaves with one of them or alone, and the
    removals inside the tableau."""

    cards: tuple[Card, ...]
    partners: frozenset[Card]
    removals: tuple[Move, ...]

    @classmethod
    def of(cls, dealt: tuple[Card, ...], shapes: tuple[Shape, ...], rules: RuleSet) -> Exposed:
        pairs, solos = rules.match.pairs, rules.match.solos
        cards = tuple(dealt[place] for shape in shapes for place in shape.exposed)
        removals = [solos[card] for card in cards if card in solos]
        removals += [pairs[card][other] for card, other in combinations(cards, 2) if other in pairs[card]]
        if rules.overlap:
            half_covered = [(dealt[under], dealt[over]) for shape in shapes for under, over in shape.half_covered]
            removals += [pairs[under][over] for under, over in half_covered if over in pairs[under]]
        return cls(cards, rules.match.leaving_with(frozenset(card.rank for card in cards)), tuple(removals))
