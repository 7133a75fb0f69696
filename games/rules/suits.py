"""The suits of a game: the same deal in other cards, since suits never matter in the rules."""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.cards import CARDS, DECK_SIZE, RANKS, SUITS, UNSEEN, Card, Deck
from games.rules.errors import NotationError
from games.rules.moves import Action, Kind, Move, pair_move, park_move, solo_move


@dataclass(frozen=True, slots=True)
class Suits:
    """A permutation of the four suits for each rank.

    `text` has 52 letters: for A, 2, 3 ... K in turn, what c, d, h and s of that rank become. Cards of a second deck
    become cards of the second deck.
    """

    text: str

    def __post_init__(self) -> None:
        each_rank = [self.text[start : start + len(SUITS)] for start in range(0, len(self.text), len(SUITS))]
        if len(self.text) != DECK_SIZE or any(set(letters) != set(SUITS) for letters in each_rank):
            raise NotationError(f"suits are the letters c d h s in some order for each of {RANKS}: {self.text!r}")

    @classmethod
    def from_text(cls, text: str) -> Suits:
        """Read 52 letters. Raises `NotationError`."""
        return cls("".join(text.split()).lower())

    @property
    def inverse(self) -> Suits:
        """The permutation that takes this one back."""
        back = {self.of_card(card): card for card in CARDS[:DECK_SIZE]}
        return Suits("".join(back[card].text[-1] for card in CARDS[:DECK_SIZE]))

    def of_card(self, card: Card) -> Card:
        """Return a card with its suit permuted; an unseen card stays unseen."""
        if card is UNSEEN:
            return card
        return CARDS[card.index - card.index % len(SUITS) + SUITS.index(self.text[card.index % DECK_SIZE])]

    def of_deck(self, deck: Deck) -> Deck:
        return Deck(tuple(map(self.of_card, deck.cards)))

    def of_action(self, action: Action) -> Action:
        """Return an action with its suits permuted; one without cards, such as a draw, stays the same."""
        match action:
            case Move(kind=Kind.PARK, cards=(card,)):
                return park_move(self.of_card(card))
            case Move(cards=(card,)):
                return solo_move(self.of_card(card))
            case Move(cards=(card, other)):
                return pair_move(self.of_card(card), self.of_card(other))
        return action


OWN_SUITS = Suits(SUITS * len(RANKS))
