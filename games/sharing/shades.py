"""The shades of a pyramid that fell: how early each place was emptied, never by which card."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import chain, islice
from typing import NamedTuple

from games.play.models import Game
from games.play.refusals import NotYours
from games.play.visibility import is_game_public
from games.players.models import Player
from games.rules import Play, Position, Record, RuleSet

STANDING, LATEST = 0, 5

Peak = tuple[tuple[int, ...], ...]
"""The shades of a peak, row by row: from 1 for places emptied early to 5, or 0 for those that still hold a card."""


class Shades(NamedTuple):
    """The peaks of a tableau; `are_placed` is True if each shade is in its place, False if rows are sorted."""

    peaks: tuple[Peak, ...]
    are_placed: bool


def shades_of(game: Game, reader: Player | None, now: datetime) -> Shades:
    """Return how the pyramid of a finished game fell, as anyone may see it. Raises `NotYours`.

    All players have the same layout, so the places would give a line of play away. While others can still play the
    deal for a score, the shades of each row are sorted, even for the game's own player.
    """
    is_public = game.is_over and is_game_public(game, now)
    is_own = reader is not None and reader.pk == game.player_id
    if not game.is_over or not (is_public or is_own or game.daily):
        raise NotYours(f"game {game.id} has not ended, or belongs to another player and is not public yet")
    shades = list(_by_place(game.record()))
    return Shades(_shaped(shades if is_public else _sorted(shades, game.deal.rule_set), game.deal.rule_set), is_public)


def _by_place(record: Record) -> Iterator[int]:
    """Yield the shade of each place; a place that an undo filled again counts by its last removal."""
    play = Play(Position.deal(record.deck, record.rules))
    emptied: dict[int, int] = {}
    for number, (action, at_ms) in enumerate(record.actions):
        play.do(action, at_ms)
        occupied = _occupied(play.position)
        for place in range(record.rules.tableau_size):
            if occupied >> place & 1:
                emptied.pop(place, None)
            else:
                emptied.setdefault(place, number)
    for place in range(record.rules.tableau_size):
        yield 1 + LATEST * emptied[place] // len(record.actions) if place in emptied else STANDING


def _occupied(position: Position) -> int:
    return sum(shape.occupied for shape in position.shapes)


def _sorted(shades: list[int], rules: RuleSet) -> list[int]:
    """Return the shades with those of each row sorted, the latest first, over all peaks that have the row."""
    rows = [list(row) for row in _rows(rules)]
    depth = max(len(peak) for peak in rows)
    result = list(shades)
    for level in range(depth):
        places = list(chain.from_iterable(peak[level] for peak in rows if level < len(peak)))
        for place, shade in zip(places, sorted((shades[place] for place in places), reverse=True), strict=True):
            result[place] = shade
    return result


def _rows(rules: RuleSet) -> Iterator[list[range]]:
    """Yield the places of each peak, row by row."""
    first = 0
    for peak in rules.tableau:
        rows = []
        for length in peak.row_lengths:
            rows.append(range(first, first + length))
            first += length
        yield rows


def _shaped(shades: list[int], rules: RuleSet) -> tuple[Peak, ...]:
    left = iter(shades)
    return tuple(tuple(tuple(islice(left, length)) for length in peak.row_lengths) for peak in rules.tableau)
