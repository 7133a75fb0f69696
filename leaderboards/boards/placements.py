"""Find the placements of games that were just entered, for a whole batch at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.play.events import Placement
from leaderboards.boards import ranking
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking.view import View, position_of


class Listing(NamedTuple):
    """A ranked row, and the game for which it was looked up."""

    game: str
    board: Board
    entry: Entry


def placements(listings: Iterable[Listing]) -> dict[str, list[Placement]]:
    """Return the placements by game; each board is queried once."""
    by_board: dict[int, list[Listing]] = {}
    for listing in listings:
        by_board.setdefault(listing.board.pk, []).append(listing)
    found: dict[str, list[Placement]] = {}
    for group in by_board.values():
        board = group[0].board
        positions = [position_of(listing.entry) for listing in group]
        standings = ranking.places_of(View(board, board.version), positions)
        for listing, place in zip(group, standings.places, strict=True):
            found.setdefault(listing.game, []).append(Placement(board.slug, place.rank, standings.total))
    return found
