"""Translate positions into the words of the wide search, for rules that do not fit into `packing`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from games.rules import DRAW, RECYCLE, Card, Goal, Match, Move, NotationError, Position, RuleSet
from games.rules.moves import pair_move, park_move, solo_move
from games.solver import kernels_wide
from games.solver.kernels_wide import AT_END, CELL_BITS, NODE, NOTHING, PARK, Wide
from games.solver.kernels_wide_columns import wide_columns
from games.solver.kernels_wide_search import wide_search
from games.solver.packing import RANKS, above_of, covers_of, matching
from games.solver.packing_parts import parts_of

MOST_CELLS = 4
_WEIGHT = 3  # of the estimate beside the columns, where a larger one finds wins of `cheops` sooner

Found = tuple[tuple[Move, ...] | None, bool, int]


def search_actions(position: Position, limit: int, weight: int) -> Found:
    """Return (the moves to the win or None, whether that is proved, nodes used). Weight 1 asks for the fewest."""
    return _search(wide_search, position, limit, weight)


def search_columns(position: Position, limit: int, together: int) -> Found:
    """Return the same for any win; parts of so many classes, or ranks, are asked for dead ends, none for 0."""
    rules, in_classes = position.rules, bool(matching(position.rules.match).classes)
    board = rules.tableau_size + rules.reserve_size
    talon = slice(board, board + sum(map(len, position.wastes)) + len(position.stock))
    parts = parts_of(_cards(position), talon, rules.match, together, limit if together else 0)
    # Where ranks form no classes, each card may leave with so many others that walking alone finds wins no sooner.
    does_walk = walks(rules) and (in_classes or together > 0)
    is_mixed = rules.decks == 1
    return _search(wide_columns, position, limit, _WEIGHT, is_mixed, is_mixed and in_classes, does_walk, parts)


def walks(rules: RuleSet) -> bool:
    """Return True if any win can be looked for without nodes for draws."""
    return rules.stock_open and rules.wastes == 1


def _search(kernel: Callable[..., Any], position: Position, *how: Any) -> Found:
    """Return the same of one search."""
    if position.rules.cells > MOST_CELLS:
        raise NotationError(f"the solver plays with {MOST_CELLS} cells at most, {position.rules.slug} has more")
    cards = _cards(position)
    wide, root = _wide(position, cards), _root(position, cards)
    size = sum(map(len, position.wastes)) + len(position.stock)
    cost, proved, nodes, count, last = kernel(wide, root, size, *how)
    if cost < 0:
        return None, proved, count
    moves = []
    while nodes[last]["parent"] >= 0:
        parent = int(nodes[last]["parent"])
        moves.append(_move(cards, int(nodes[last]["first"]), int(nodes[last]["second"])))
        moves += _walk(nodes[parent], nodes[last])
        last = parent
    return tuple(reversed(moves)), proved, count


def _walk(node: Any, child: Any) -> list[Move]:
    """Return the draws and recycles between a node and the action that leads to a child, the last one first."""
    steps = int(child["cost"]) - int(node["cost"]) - 1
    ahead = (int(node["talon"]) >> int(node["cursor"])).bit_count()
    return [DRAW] * steps if steps <= ahead else [DRAW] * (steps - ahead - 1) + [RECYCLE] + [DRAW] * ahead


def _move(cards: list[Card | None], first: int, second: int) -> Move:
    if first == kernels_wide.DRAW:
        return DRAW
    if first == kernels_wide.RECYCLE:
        return RECYCLE
    card = cards[first]
    assert card is not None
    if second == NOTHING:
        return solo_move(card)
    if second == PARK:
        return park_move(card)
    other = cards[second]
    assert other is not None
    return pair_move(card, other)


def _cards(position: Position) -> list[Card | None]:
    """Return the cards by number: tableau and reserve places, then waste piles and stock, then parked cards."""
    _piles, depth = position.rules.reserve
    reserve = [pile[row] if row < len(pile) else None for pile in position.reserve for row in range(depth)]
    waste = [card for pile in position.wastes for card in pile]
    return [*position.tableau, *reserve, *waste, *position.stock, *position.cells]


def _root(position: Position, cards: list[Card | None]) -> object:
    rules = position.rules
    board = rules.tableau_size + rules.reserve_size
    wastes = sum(map(len, position.wastes))
    root = np.zeros(1, NODE)
    root["board"] = sum(1 << number for number, card in enumerate(cards[:board]) if card)
    root["talon"] = (1 << wastes + len(position.stock)) - 1
    root["cursor"] = wastes if position.stock else AT_END
    parked = range(len(cards) - len(position.cells), len(cards))
    # Numbers from 1, because an empty cell is 0.
    root["parked"] = sum(number + 1 << CELL_BITS * cell for cell, number in enumerate(parked))
    root["parent"] = root["queued"] = -1
    return root


def _wide(position: Position, cards: list[Card | None]) -> Wide:
    rules, match = position.rules, matching(position.rules.match)
    board = rules.tableau_size + rules.reserve_size
    depth = rules.reserve[1]
    chains = [
        0 if row == depth - 1 else 1 << rules.tableau_size + pile * depth + row + 1
        for pile in range(rules.reserve[0])
        for row in range(depth)
    ]
    covers = (*covers_of(rules), *chains)
    ranks = [card.rank if card else 0 for card in cards]
    whole = rules.goal is Goal.ALL
    in_neighbours = whole and rules.match is Match.ADJACENT
    tableau = (1 << rules.tableau_size) - 1
    goal = [whole or number < rules.tableau_size or card in position.layout.goal for number, card in enumerate(cards)]
    wastes = sum(map(len, position.wastes))
    size = wastes + len(position.stock)
    return Wide(
        board=board,
        covers=np.array(covers, np.int64),
        under=np.array(_under(covers), np.int64),
        related=np.array(_related(covers, rules.overlap, tableau), np.int64),
        rank=np.array(ranks, np.int64),
        unit=np.array([match.unit[rank] for rank in ranks], np.int64),
        goal=np.array(goal, np.bool_),
        solo=np.array([match.solo[rank] for rank in ranks], np.bool_),
        partner=np.array(match.partner, np.int64),
        tableau=tableau,
        first_piles=np.array(_first_piles(position, size), np.int64),
        later_piles=np.array(_later_piles(position, size), np.int64),
        draw=rules.draw,
        turns=-1 if position.recycles is None else position.recycles,
        open=rules.stock_open,
        throws=rules.has_stock and not rules.wastes,
        overlap=rules.overlap,
        whole=whole,
        low=RANKS[0] if in_neighbours else 0,
        high=RANKS[-1] if in_neighbours else 0,
        cells=rules.cells,
    )


def _under(covers: tuple[int, ...]) -> list[int]:
    """Return for each board card those that it lies right on."""
    return [sum(1 << under for under, on in enumerate(covers) if on >> card & 1) for card in range(len(covers))]


def _related(covers: tuple[int, ...], overlap: bool, tableau: int) -> list[int]:
    """Return for each board card those above and below it, but with covered pairs not those it touches."""
    above = [int(cards) for cards in above_of(covers)]
    related = [
        cards | sum(1 << under for under, over in enumerate(above) if over >> card & 1)
        for card, cards in enumerate(above)
    ]
    if overlap:
        touching = [over | under for over, under in zip(covers, _under(covers), strict=True)]
        related = [cards & ~(touching[card] & tableau) for card, cards in enumerate(related)]
    return related


def _first_piles(position: Position, size: int) -> list[int]:
    piles, first = [], 0
    for pile in position.wastes:
        piles.append((1 << first + len(pile)) - (1 << first))
        first += len(pile)
    return _with_drawn(piles, position, first, size)


def _later_piles(position: Position, size: int) -> list[int]:
    return _with_drawn([0] * len(position.wastes), position, 0, size)


def _with_drawn(piles: list[int], position: Position, first: int, size: int) -> list[int]:
    """Add the places of the cards still to be drawn: the i-th card of a draw goes to pile i mod wastes."""
    for place in range(first, size) if piles else ():
        piles[(place - first) % position.rules.draw % len(piles)] |= 1 << place
    return piles
