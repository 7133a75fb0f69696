"""Print a shortest line that wins today's deal of guests, a move a line: `python -m tests.browser.winning_line`.

A move is `D`, `R` or the numbers of the cards that leave, in dealing order: every game permutes the suits.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

import django


def main() -> None:
    """Read the deal from the database, as no player can, and let the solver play it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from games import solver  # noqa: PLC0415  models exist from here on
    from games.calendar.models import DailyDeal  # noqa: PLC0415
    from games.rules import Deck, Position  # noqa: PLC0415

    daily = DailyDeal.objects.get(day=datetime.now(UTC).date(), rules="standard", division="open")
    deck = Deck.from_text(daily.deal.deck)
    for move in solver.solve(Position.deal(deck, daily.deal.rule_set)).moves:
        print(*(deck.cards.index(card) for card in move.cards) if move.cards else move.text)  # noqa: T201


if __name__ == "__main__":
    main()
