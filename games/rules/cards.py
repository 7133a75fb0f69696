"""Cards and decks: 104 shared card values, and the order in which they are dealt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.errors import NotationError

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK_SIZE = 52

_TOKEN = re.compile(r"\s*(?:(10|[A2-9TJQK])([cdhs])|(--)|(\?\?))", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card. There is exactly one object for each, so cards compare by identity.

    `rank` is 1 (ace) to 13 (king), 0 for the unseen card; `index` is the place in `CARDS`, 0 to 103.
    The cards of a second deck write their suit in upper case.
    """

    text: str
    rank: int
    index: int

    @staticmethod  # Twisted, once imported, pickles class methods in a way of its own
    def from_text(text: str) -> Card:
        """Read one card, such as `4s`, `10h` or `4S` (second deck)."""
        places = list(read_places(text))
        if len(places) != 1 or places[0] is None:
            raise NotationError(f"{text!r} is not a card: write a rank (A 2-9 T J Q K) and a suit (c d h s)")
        return places[0]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Card.from_text, (self.text,)


CARDS: tuple[Card, ...] = tuple(
    Card(text=rank + suit, rank=RANKS.index(rank) + 1, index=deck * DECK_SIZE + number)
    for deck, suits in enumerate((SUITS, SUITS.upper()))
    for number, (rank, suit) in enumerate((rank, suit) for rank in RANKS for suit in suits)
)
UNSEEN = Card(text="??", rank=0, index=len(CARDS))

_BY_TEXT = {card.text: card for card in CARDS}


def read_places(text: str, *, decks: int = 2) -> Iterator[Card | None]:
    """Read places written without separators: cards, `??` (unseen) and `--` (gone: None).

    With one deck the case of a suit says nothing and is ignored.
    """
    text = text.rstrip()
    end = 0
    while end < len(text):
        token = _TOKEN.match(text, end)
        if token is None:
            raise NotationError(f"no card at {text[end : end + 8]!r} in {text!r}")
        end = token.end()
        rank, suit, gone, _unseen = token.groups()
        if gone:
            yield None
        elif rank is None:
            yield UNSEEN
        else:
            yield _BY_TEXT[("T" if rank == "10" else rank.upper()) + (suit.lower() if decks == 1 else suit)]


def require_distinct(cards: list[Card], text: str) -> None:
    """Raise `NotationError` if a card appears twice in a text; unseen cards may repeat."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen and card is not UNSEEN:
            raise NotationError(f"{card} appears twice in {text!r}")
        seen.add(card)


@dataclass(frozen=True, slots=True)
class Deck:
    """One or two whole decks in dealing order; unseen cards stand for those that must stay secret."""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        if len(self.cards) not in (DECK_SIZE, 2 * DECK_SIZE):
            raise NotationError(f"a deck has 52 or 104 cards, this one {len(self.cards)}: {self.text!r}")
        require_distinct(list(self.cards), self.text)
        if any(card.index >= len(self.cards) for card in self.cards if card is not UNSEEN):
            raise NotationError(f"a single deck has no second-deck cards: {self.text!r}")

    @classmethod
    def from_text(cls, text: str) -> Deck:
        """Read 52 or 104 cards in dealing order."""
        cards = list(read_places(text))
        if len(cards) == DECK_SIZE:
            cards = list(read_places(text, decks=1))
        if None in cards:
            raise NotationError(f"a deck has no empty places: {text!r}")
        return cls(tuple(card for card in cards if card is not None))

    @property
    def text(self) -> str:
        return "".join(card.text for card in self.cards)

    def seen_by(self, known: frozenset[Card] | set[Card]) -> Deck:
        """Return this deck as someone sees it who knows only these cards."""
        return Deck(tuple(card if card in known else UNSEEN for card in self.cards))
