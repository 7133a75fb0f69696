"""A solver too simple to be wrong: breadth first over positions. And positions small enough for it."""

import os
from collections.abc import Iterator
from contextlib import suppress
from random import Random

from games.rules import CARDS, Card, Match, Position, RuleSet
from games.rules.tableau import ShapeFamily, shape_families

# `make rates` looks at larger ones too.
MOST_POSITIONS = 50_000 if os.environ.get("SOLVER_POSITIONS") else 3_000


def solved(rules: RuleSet, random: Random, number: int) -> Iterator[tuple[Position, int | None]]:
    """Yield so many small positions, each with the length of a shortest line to the win, None if there is none."""
    while number:
        position = small_position(rules, random)
        with suppress(OverflowError):
            fewest = fewest_actions(position)
            number -= 1
            yield position, fewest


def fewest_actions(position: Position) -> int | None:
    """Return the length of a shortest line to the win, None if there is none. Raises `OverflowError` if too large."""
    seen, layer, length = {position}, [position], 0
    while layer:
        if any(here.is_won for here in layer):
            return length
        following = {here.after(move) for here in layer for move in here.legal_moves} - seen
        seen |= following
        if len(seen) > MOST_POSITIONS:
            raise OverflowError(f"more than {MOST_POSITIONS} positions from {position.text!r}")
        layer, length = list(following), length + 1
    return None


def small_position(rules: RuleSet, random: Random) -> Position:
    """Return a random position with few cards, about half of the time one that can be won."""
    occupied = [_small_shape(family, random.randint(1, 8)) for family in shape_families(rules.tableau)]
    places = sum(occupied)
    shown = [place for place in range(rules.tableau_size) if places >> place & 1]
    piles, depth = rules.reserve
    reserve = [random.randint(0, min(depth, 2)) if random.random() < 4 / piles else 0 for _ in range(piles)]
    wastes = [random.randint(0, 3) for _ in range(rules.wastes if rules.has_stock else 0)]
    stock = random.randint(0, 6) if rules.has_stock else 0
    parked = random.randint(0, rules.cells)
    cards = iter(_likely_cards(rules, len(shown) + sum(reserve) + sum(wastes) + stock + parked, random))
    shown_cards = {place: next(cards).text for place in shown}
    text = "+".join(_rows(rules, shown_cards))

    def take(number: int) -> str:
        return "".join(next(cards).text for _ in range(number))

    waste_piles = wastes or [0] * rules.wastes
    text += " " + ",".join(take(size) for size in waste_piles) + "|" + take(stock)
    text += " *" if rules.recycles is None else f" {random.randint(0, rules.recycles)}"
    if piles:
        text += " r:" + ",".join(take(size) for size in reserve)
    if rules.cells:
        text += " c:" + take(parked) + "--" * (rules.cells - parked)
    return Position.from_text(text, rules)


def _small_shape(family: ShapeFamily, size: int) -> int:
    """Return the places of a shape with few cards: those nearest to the top of the family's order of covering."""
    shape = family.full
    while shape.occupied.bit_count() > size:
        shape = shape.without(1 << shape.exposed[-1 if size % 2 else 0])
    return shape.occupied


def _rows(rules: RuleSet, shown: dict[int, str]) -> list[str]:
    peaks, place = [], 0
    for peak in rules.tableau:
        rows = []
        for length in peak.row_lengths:
            rows.append("".join(shown.get(place + column, "--") for column in range(length)))
            place += length
        peaks.append("/".join(rows))
    return peaks


def _likely_cards(rules: RuleSet, number: int, random: Random) -> list[Card]:
    """Return different cards that mostly come in matching pairs, in random order."""
    left = list(CARDS[: rules.deck_size])
    random.shuffle(left)
    cards: list[Card] = []
    while len(cards) < number:
        card = left.pop()
        cards.append(card)
        mates = [other for other in left if _is_match(rules.match, card, other)]
        if mates and random.random() < 0.95:
            mate = random.choice(mates)
            left.remove(mate)
            cards.append(mate)
    cards = cards[:number]
    random.shuffle(cards)
    return cards


def _is_match(match: Match, card: Card, other: Card) -> bool:
    return match.accepts(card.rank, other.rank)
