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


class Layout:
    """The tableau cards by place, shared by all positions of a play.

    `goal` are the cards that count as tableau cards wherever they lie, a parked one included. A place that was
    empty when a text was read holds the unseen card.
    """

    __slots__ = ("_exposed", "_parked", "cards", "place_of")

    def __init__(self, cards: tuple[Card, ...], parked: Iterable[Card] = ()) -> None:
        self.cards = cards
        self.place_of = {card: place for place, card in enumerate(cards) if card is not UNSEEN}
        self._parked = frozenset(parked)
        self._exposed: dict[tuple[Shape, ...], Exposed] = {}

    @property
    def goal(self) -> frozenset[Card]:
        return self._parked.union(self.place_of)

    def exposed(self, shapes: tuple[Shape, ...], rules: RuleSet) -> Exposed:
        """Return what the tableau exposes in these shapes; cached, because every draw of a play asks again."""
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
