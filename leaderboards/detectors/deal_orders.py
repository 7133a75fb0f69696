"""The orders of a deal's hidden cards on which its games are bet, shared by all of them."""

from games.rules import Position
from leaderboards.detectors.certified_orders import CertifiedOrders, has_certified_orders
from leaderboards.detectors.sampled_orders import Orders
from leaderboards.detectors.thresholds import THRESHOLDS

DealOrders = Orders | CertifiedOrders


def orders_of(deal: Position) -> DealOrders | None:
    """Return the orders for the bets on a deal, None where nothing is hidden or nothing is known of the order's law."""
    if deal.rules.slug in THRESHOLDS.foresight_rules:
        return Orders(deal)
    return CertifiedOrders(deal) if has_certified_orders(deal) else None
