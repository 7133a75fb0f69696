"""Describe a rule set in words for its players, from its fields alone."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.rulesets import Goal, Match, RuleSet
from games.rules.tableau import Peak

_MATCHES = {
    Match.THIRTEEN: "whose ranks add up to 13 (ace 1, jack 11, queen 12), or an exposed king alone",
    Match.DOZEN: "whose ranks add up to 12 (ace 1, jack 11), or a queen with a king; no card leaves alone",
    Match.ELEVEN: "whose ranks add up to 11 (ace 1), or two jacks, two queens or two kings; no card leaves alone",
    Match.ADJACENT: "of equal or neighbouring rank (ace and king are no neighbours); no card leaves alone",
}


def describe(rules: RuleSet) -> str:
    """Return a short text of a rule set: equal for equal fields, different for different ones."""
    return " ".join(f"{sentence}." for sentence in _sentences(rules))


def _sentences(rules: RuleSet) -> Iterator[str]:
    yield _deal(rules)
    yield f"Exposed are {_join(list(_exposed(rules)))}"
    yield f"You remove two exposed cards {_MATCHES[rules.match]}"
    if rules.overlap:
        yield "A tableau card may also be removed together with the only card that still covers it"
    if rules.has_stock:
        yield _draw(rules)
        yield _passes(rules)
    if rules.cells:
        yield _park(rules)
    yield _win(rules)


def _deal(rules: RuleSet) -> str:
    decks = "One deck is" if rules.decks == 1 else "Two decks are"
    return f"{decks} dealt: {'; '.join(_dealt(rules))}"


def _dealt(rules: RuleSet) -> Iterator[str]:
    facing = "covered cards face down until nothing covers them any more" if rules.face_down else "all face up"
    yield f"as the tableau {_join([_peak(peak) for peak in rules.tableau])}, {facing}"
    if rules.reserve_size:
        piles, depth = rules.reserve
        yield f"a reserve of {_count(piles, 'pile')} of {_count(depth, 'card')}, face up"
    if rules.has_stock:
        yield f"a stock of {_count(rules.stock_size, 'card')}, {_stock_facing(rules)}"
    else:
        yield "no stock"


def _stock_facing(rules: RuleSet) -> str:
    if rules.stock_seen:
        return "all face up"
    return "only the next one face up" if rules.stock_open else "face down"


def _peak(peak: Peak) -> str:
    return f"{'an upside-down' if peak.inverted else 'a'} pyramid of {_count(peak.rows, 'row')}"


def _exposed(rules: RuleSet) -> Iterator[str]:
    yield "the tableau cards that no other card covers"
    if rules.has_stock and rules.wastes:
        yield "the top of the waste" if rules.wastes == 1 else f"the tops of the {rules.wastes} waste piles"
    if rules.stock_open:
        yield "the next card of the stock"
    if rules.reserve_size:
        yield "the top of the reserve" if rules.reserve[0] == 1 else "the tops of the reserve piles"
    if rules.cells:
        yield "parked cards"


def _draw(rules: RuleSet) -> str:
    drawn = "the next card" if rules.draw == 1 else f"the next {rules.draw} cards"
    if rules.wastes == 0:
        return f"A draw puts {drawn} of the stock out of play"
    where = "the waste" if rules.wastes == 1 else f"{rules.wastes} waste piles in turn"
    return f"A draw moves {drawn} of the stock to {where}"


def _passes(rules: RuleSet) -> str:
    if rules.passes == 1:
        return "You go through the stock once"
    often = "as often as you like" if rules.passes is None else f"up to {rules.passes} times"
    waste = "the waste becomes" if rules.wastes == 1 else "the waste piles, the last one first, become"
    return f"You go through the stock {often}: when it is empty, {waste} the stock again, never shuffled"


def _park(rules: RuleSet) -> str:
    from_waste = " or the top of a waste pile" if rules.has_stock and rules.wastes else ""
    cells = _count(rules.cells, "cell")
    return f"You may park an exposed tableau card{from_waste} in a cell until it is removed ({cells}, one card each)"


def _win(rules: RuleSet) -> str:
    goal = "every card of the tableau has" if rules.goal is Goal.TABLEAU else f"all {rules.deck_size} cards have"
    return f"You win when {goal} left play"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _join(words: list[str]) -> str:
    """Join words as English does: a, b and c."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
