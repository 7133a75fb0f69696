"""Random orders of the cards of a deal that are not seen yet, among those with which it has the same certificate.

If a deal is a random deck that was kept because it can be won, then to anyone who has seen some of its cards all orders
of the others with which it can be won are equally likely. They are drawn by rejection: random orders are tried, and
those kept that the same search wins with the same limit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.deals.certify import is_certifiable
from games.deals.shuffle import bytes_from, shuffled
from games.rules import Card, Position
from games.solver import is_winnable, solve
from games.solver.verdict import has_exact_verdict
from leaderboards.detectors.thresholds import SAMPLER

ORDERS = 64
MOST_TRIES = 400
KEPT_DRAWS = 256
PASS_LIMIT = 5_000  # nodes of the search that a deal has to pass in
NODE_LIMIT = 8_000  # nodes of the search for a shortest win

Order = tuple[Card, ...]


def has_certified_orders(deal: Position) -> bool:
    """Return True if cards of a deal are hidden at first, and its certificate depends on their order."""
    return (
        is_certifiable(deal.rules) and not has_exact_verdict(deal.rules) and len(deal.in_sight) < deal.rules.deck_size
    )


def passes(deal: Position) -> bool:
    """Return True if the search for the certificate finds a win soon.

    A deal that passes has been certified, whose search is the same with a higher limit. And if all deals that are
    certified were equally likely, so are those among them that pass.
    """
    return is_winnable(deal, node_limit=PASS_LIMIT) is True


@dataclass(frozen=True)
class Drawn:
    """The deal as its players saw it at some moment, its true order, and those drawn to be compared with it."""

    as_seen: Position
    true: Order
    others: tuple[Order, ...]

    @property
    def orders(self) -> tuple[Order, ...]:
        """All orders, the true one first."""
        return (self.true, *self.others)

    @cached_property
    def pars(self) -> tuple[int | None, ...]:
        """The fewest actions in which the deal is won with each order; None where the search gives up."""
        return tuple(solve(self.as_seen.filled(order), node_limit=NODE_LIMIT).length for order in self.orders)


class CertifiedOrders:
    """The orders drawn for one deal, shared by all its players.

    The random numbers depend on the whole deck, so only those can compute them who know it.
    """

    def __init__(self, deal: Position) -> None:
        self.deal = deal
        self._drawn: dict[frozenset[Card], Drawn] = {}

    @cached_property
    def is_fair(self) -> bool:
        """True if the deal passes, and so may be compared with orders that do."""
        return passes(self.deal)

    def drawn(self, seen: frozenset[Card]) -> Drawn:
        """Return the orders for players who have seen these cards; few, or none, where hardly any order passes."""
        if seen not in self._drawn:
            if len(self._drawn) >= KEPT_DRAWS:
                self._drawn.pop(next(iter(self._drawn)))
            as_seen = self.deal.seen_by(seen)
            true = tuple(card for card in (*self.deal.layout.cards, *self.deal.stock) if card not in seen)
            self._drawn[seen] = Drawn(as_seen, true, tuple(self._passing(as_seen, true)))
        return self._drawn[seen]

    def _passing(self, as_seen: Position, true: Sequence[Card]) -> Iterator[Order]:
        dice = bytes_from(f"{SAMPLER}|{self.deal.text}|{as_seen.text}")
        unseen, passed = sorted(true, key=lambda card: card.index), 0
        for _ in range(MOST_TRIES):
            order = tuple(shuffled(unseen, dice))
            if passes(as_seen.filled(order)):
                passed += 1
                yield order
            if passed == ORDERS:
                return
