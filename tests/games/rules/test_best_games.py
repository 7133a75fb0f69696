"""The fewest actions that a pyramid of 28 cards can take."""

from __future__ import annotations

from games.rules import CARDS, RULE_SETS, Card, Deck, Kind, Move, Outcome, Play, Position
from tests.games.rules.test_tableau import all_shapes


def deck_with_tableau(tableau: list[Card]) -> Deck:
    return Deck((*tableau, *(card for card in CARDS[:52] if card not in tableau)))


def matched_pairs(number: int) -> list[Card]:
    """Neighbours that add up to 13."""
    low = [card for card in CARDS[:52] if card.rank <= 6][:number]
    high = {rank: [card for card in CARDS[:52] if card.rank == rank] for rank in range(7, 13)}
    return [card for one in low for card in (one, high[13 - one.rank].pop())]


def play_from_the_bottom(deck: Deck, slug: str) -> Play:
    """Remove the tableau from its last card to its first, kings alone and other cards with their neighbour."""
    play = Play(Position.deal(deck, RULE_SETS[slug]))
    cards = list(deck.cards[:28])
    while cards:
        taken = [cards.pop()]
        if taken[0].rank < 13:
            taken.append(cards.pop())
        play.do(Move.from_text("".join(card.text for card in taken)), 0)
    return play


def test_with_covered_pairs_the_best_game_has_14_actions() -> None:
    play = play_from_the_bottom(deck_with_tableau(matched_pairs(14)), "covered-pairs")
    assert play.result is Outcome.WON
    assert play.moves == 14


def test_without_covered_pairs_the_best_game_has_15_actions() -> None:
    kings = [card for card in CARDS[:52] if card.rank == 13][:2]
    play = play_from_the_bottom(deck_with_tableau([*kings, *matched_pairs(13)]), "standard")
    assert play.result is Outcome.WON
    assert play.moves == 15
    assert play.count(Kind.REMOVE) == 15


def test_the_apex_can_never_leave_together_with_another_tableau_card() -> None:
    """So that 28 cards never leave in 14 pairs: when the apex is exposed it is the last card."""
    (peak,) = RULE_SETS["standard"].tableau
    assert {shape.exposed for shape in all_shapes(peak) if 0 in shape.exposed} == {(0,)}
