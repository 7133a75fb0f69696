"""The text of a position: one spelling out, lenient in, and nothing accepted that is not a position of the rules."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import CARDS, RULE_SETS, Card, Goal, NotationError, Peak, Play, Position, RuleSet
from tests.games.rules.spelling import respelled
from tests.games.rules.strategies import plays, positions, shuffled

TOKEN = re.compile(r"[A2-9TJQK][cdhsCDHS]|--|\?\?|[rc]:|.")
SMALL = RuleSet("small", tableau=(Peak(3),), passes=3)
CELLS = RuleSet("cells", tableau=(Peak(2),), cells=2)
RESERVE = RuleSet("reserve", tableau=(Peak(2),), reserve=(2, 2))
PILES = RuleSet("piles", tableau=(Peak(2),), draw=3, wastes=3)
TWO_PEAKS = RuleSet("two-peaks", tableau=(Peak(2), Peak(2, inverted=True)))


@given(positions())
def test_a_position_is_read_back_from_its_text(position: Position) -> None:
    again = Position.from_text(position.text, position.rules)
    assert again == position
    assert hash(again) == hash(position)
    assert again.text == position.text
    assert again.legal_moves == position.legal_moves
    assert (again.outcome, again.cards_left) == (position.outcome, position.cards_left)
    assert {again.after(move) for move in again.legal_moves} == {position.after(move) for move in position.legal_moves}


@given(plays(), st.sets(st.sampled_from(CARDS)))
def test_a_view_is_read_back_from_its_text(play: Play, also_known: set[Card]) -> None:
    for view in (play.view, play.position.seen_by(play.seen | also_known)):
        again = Position.from_text(view.text, view.rules)
        assert again == view
        assert again.legal_moves == view.legal_moves


@given(plays())
def test_every_move_of_a_view_has_a_text_of_its_own(play: Play) -> None:
    view = play.view
    for _ in range(3):  # draws bring up unseen cards
        assert all("?" not in move.text for move in view.legal_moves)
        view = next((view.after(move) for move in view.legal_moves if not move.cards), view)
        assert Position.from_text(view.text, view.rules) == view


@given(positions(), st.data())
def test_a_position_is_read_leniently(position: Position, data: st.DataObject) -> None:
    text = data.draw(respelled(TOKEN.findall(position.text), position.rules.decks))
    assert Position.from_text(text, position.rules).text == position.text


def test_positions_are_equal_when_rules_and_texts_are() -> None:
    deck = shuffled(1)
    assert Position.deal(deck, RULE_SETS["standard"]) == Position.deal(deck, RULE_SETS["standard"])
    assert Position.deal(deck, RULE_SETS["relaxed"]) != Position.deal(deck, RULE_SETS["par-pyramid"])
    assert Position.deal(deck, RULE_SETS["standard"]) != Position.deal(shuffled(2), RULE_SETS["standard"])
    assert Position.deal(deck, RULE_SETS["standard"]) != "a position"


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (SMALL, "Ks/5d8c/4s9h2c 3c|Td 2"),
        (SMALL, "--/----/------ | 0"),
        (SMALL, "??/5d8c/4s9h2c |???? 1"),
        (CELLS, "Ks/5d-- 3c| 0 c:8cTdw"),
        (CELLS, "Ks/5d-- 3c| 0 c:8c--"),
        (RESERVE, "Ks/5d8c 3c|Td 0 r:4s9h,2c"),
        (RESERVE, "Ks/5d8c | 0 r:,"),
        (PILES, "Ks/5d8c 3c,,Td|9h 0"),
        (TWO_PEAKS, "Ks/5d8c+4s9h/2c | 0"),
    ],
)
def test_a_drawn_position_keeps_its_text(rules: RuleSet, text: str) -> None:
    assert Position.from_text(text, rules).text == text


@pytest.mark.parametrize(
    ("rules", "text", "reason"),
    [
        (SMALL, "", "a card or -- was expected before 'the end'"),
        (SMALL, "Ks/5d8c/4s9h |Td 2", r"a card or -- was expected before '\|'"),
        (SMALL, "Ks+5d8c/4s9h2c |Td 2", r"'/' was expected before '\+'"),
        (TWO_PEAKS, "Ks/5d8c/4s9h/2c | 0", r"'\+' was expected before '/'"),
        (SMALL, "Ks/5d8c/4s9h2c |Td", "a number of recycles, at most 2, was expected before 'the end'"),
        (SMALL, "Ks/5d8c/4s9h2c |Td 3", "a number of recycles, at most 2, was expected before '3'"),
        (SMALL, "Ks/5d8c/4s9h2c |Td *", r"a number of recycles, at most 2, was expected before '\*'"),
        (SMALL, "Ks/5d8c/4s9h2c |Td 002", "a number of recycles"),
        (SMALL, "Ks/5d8c/4s9h2c |Td \u0662", "is not a part of a position"),  # an Arabic 2
        (SMALL, "Ks/5d8c/4s9h2c |Td " + "1" * 5000, "a number of recycles"),
        (RULE_SETS["standard"], RULE_SETS["standard"].slug, "'standard' is not a part of a position"),
        (SMALL, "Ks/5d8c/4s9h2c |Td 2 Jd", "'the end' was expected before 'Jd'"),
        (SMALL, "Ks/5d8c/4s9h2c |Td 2 r:", "'the end' was expected before 'r:'"),
        (SMALL, "Ks/5d8c/4s9h2c |Td 2 c:", "'the end' was expected before 'c:'"),
        (SMALL, "Ks/5d8c/4s9h2c |Ks 2", "Ks appears twice"),
        (SMALL, "Ks/5d5d/4s9h2c | 2", "5d appears twice"),
        (SMALL, "Ks/5d8c/4s9h2c |Td-- 2", "a pile has no empty places"),
        (SMALL, "Ks/--8c/4s9h2c |Td 2", "a card is gone whose covers are still there"),
        (SMALL, "--/5d8c/------ |Td 2", "a card is gone whose covers are still there"),
        (SMALL, "Ks/5d8c/4s9h2c ,|Td 2", "1 piles"),
        (PILES, "Ks/5d8c 3c,Td|9h 0", "3 piles"),
        (PILES, "Ks/5d8c " + "??" * 50 + ",,|9h 0", "more cards in the talon than were dealt"),
        (RESERVE, "Ks/5d8c 3c|Td 0", "'r:' was expected"),
        (RESERVE, "Ks/5d8c 3c|Td 0 r:4s9h", "2 piles"),
        (RESERVE, "Ks/5d8c 3c|Td 0 r:4s9h2c,", "a reserve pile holds 2"),
        (CELLS, "Ks/5d-- 3c| 0", "'c:' was expected"),
        (CELLS, "Ks/5d-- 3c| 0 c:8c", "a card or -- was expected"),
        (CELLS, "Ks/5d-- 3c| 0 c:8c----", "'the end' was expected before '--'"),
        (CELLS, "Ks/5d-- 3c| 0 c:--w--", "a card or -- was expected before 'w'"),
        (CELLS, "Ks/5d-- 3c| 0 c:??--", "a parked card is always seen"),
        (CELLS, "Ks/5d-- 3c| 0 c:8c8c", "8c appears twice"),
    ],
)
def test_what_is_no_position_of_the_rules_is_refused(rules: RuleSet, text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Position.from_text(text, rules)


def test_a_deck_of_another_size_is_not_dealt() -> None:
    with pytest.raises(NotationError, match="104 cards, not 52"):
        Position.deal(shuffled(1), RULE_SETS["two-pyramids"])


@pytest.mark.parametrize("slug", RULE_SETS)
def test_cards_are_dealt_in_the_order_of_the_text(slug: str) -> None:
    """Tableau row by row, peak after peak; then the reserve, one card to each pile per round; then the stock."""
    rules = RULE_SETS[slug]
    deck = shuffled(7, rules.decks)
    position = Position.deal(deck, rules)
    rounds = [card for layer in zip(*position.reserve, strict=True) for card in layer]
    assert (*position.tableau, *rounds, *position.stock) == deck.cards
    tableau, _, _ = position.text.partition(" ")
    assert tableau.replace("/", "").replace("+", "") == deck.text[: 2 * rules.tableau_size]


def test_a_parked_card_of_the_waste_needs_no_mark_where_every_card_is_the_goal() -> None:
    rules = RuleSet("cells", tableau=(Peak(2),), cells=2, goal=Goal.ALL)
    assert Position.from_text("Ks/5d-- 3c| 0 c:8cTdw", rules).text == "Ks/5d-- 3c| 0 c:8cTd"
