"""Format cards, actions, times and amounts for the desk. Pure."""

from __future__ import annotations

from datetime import timedelta

from games.rules import Action, Card, Kind, Move

TIMES = "\N{MULTIPLICATION SIGN}"
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
WITHOUT_CARDS = {
    Kind.DRAW: "Draw",
    Kind.RECYCLE: "Turn the waste over",
    Kind.UNDO: "Undo",
    Kind.REDO: "Redo",
    Kind.HINT: "Hint",
}
DETECTORS = {
    "foresight and near par": "Choices fit cards not yet seen, near par",
    "foresight and timing": "Choices fit cards not yet seen, at a program's times",
    "foresight bet": "Choices fit cards not yet seen",
    "near par": "More games near par than honest play has",
    "copied line": "Follows lines that others had played",
    "machine timing": "The times are those of a program",
    "timing signs": "No slower before choices or after new cards",
    "clock slope": "The player's clock runs at another speed",
    "preview": "A linked account saw the deal first",
    "skill jump": "Suddenly far better than before",
    "verification": "The record does not replay",
    "haste": "Actions followed faster than a person acts",
    "downtime": "Much of the time was credited",
}


def card(one: Card) -> str:
    """Return a card as people write it: `10♥`."""
    return f"{'10' if one.text[0] == 'T' else one.text[0]}{SUITS[one.text[1].lower()]}"


def is_red(one: Card) -> bool:
    return one.text[1].lower() in "dh"


def action(done: Action) -> str:
    """Return an action in words: `Draw`, `Remove 3♠ 10♥`."""
    if not isinstance(done, Move) or not done.cards:
        return WITHOUT_CARDS[done.kind]
    said = " ".join(map(card, done.cards))
    return f"Park {said}" if done.kind is Kind.PARK else f"Remove {said}"


def seconds(milliseconds: float) -> str:
    """Return a short time: `0.11 s`, `2.4 s`, `12 s`, `3 min`."""
    own = milliseconds / 1000
    if own < 1:
        return f"{own:.2f} s"
    if own < 10:
        return f"{own:.1f} s"
    return f"{own:.0f} s" if own < 100 else f"{own / 60:.0f} min"


def age(span: timedelta) -> str:
    """Return an age in words: `12 min`, `20 h`, `3 days`."""
    minutes = max(0, int(span.total_seconds() // 60))
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 72 * 60 else f"{minutes // 1440} days"


def times(factor: float) -> str:
    """Return a stake after a multiplication sign, with two digits that count: 0.4, 7, 21,000."""
    if factor < 10:
        return f"{TIMES} {factor:.2g}"
    digits = max(0, len(str(int(factor))) - 2)
    return f"{TIMES} {round(factor, -digits):,.0f}"


def detector(name: str) -> str:
    """Return a detector's finding in a few words."""
    return DETECTORS.get(name, name.capitalize())
