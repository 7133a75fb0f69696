"""The outcome that a player learns follows from the cards seen so far, and says all that follows from them."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.rules import (
    CARDS,
    DRAW,
    REDO,
    RULE_SETS,
    UNDO,
    UNSEEN,
    Card,
    Deck,
    Match,
    Outcome,
    Peak,
    Play,
    Position,
    Record,
    RuleSet,
    TimedAction,
)
from games.rules.errors import FalseResult
from games.rules.tableau import shape_families
from tests.games.rules.strategies import do_something, made_up_rule_sets, rule_sets, seeds, shuffled

PEAK = (Peak(1),)
CLOSED = RuleSet("closed", tableau=PEAK)
MOST_UNSEEN = 4
STARTED = "2026-03-01T10:00:00Z"


def outcome_for_player(text: str, rules: RuleSet = CLOSED) -> Outcome | None:
    """The outcome at the start of a play of these cards, whose stock its player does not know the order of."""
    return Play(Position.from_text(text, rules)).outcome


def test_a_game_is_not_called_stuck_while_an_unseen_card_could_help() -> None:
    """Draws of three never uncover the queen, which her player learns by drawing."""
    play = Play(Position.from_text("Ac |Qc2c3c4c5c 0", RuleSet("three", tableau=PEAK, draw=3)))
    assert (play.position.outcome, play.outcome) == (Outcome.STUCK, None)
    play.do(DRAW, 0)
    assert play.outcome is Outcome.STUCK
    play.do(UNDO, 0)
    assert play.outcome is Outcome.STUCK


def test_a_game_is_no_longer_stuck_once_the_move_that_led_there_is_undone() -> None:
    play = Play(Position.from_text("Ac |Qc2c 0", CLOSED))
    outcomes = []
    for action in (DRAW, DRAW, UNDO, REDO, UNDO):
        play.do(action, 0)
        outcomes.append(play.outcome)
    assert outcomes == [None, Outcome.STUCK, None, Outcome.STUCK, None]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Ac |2c3c 0", Outcome.STUCK),
        ("Ac |2cQc 0", None),
        ("Ac |2cKc 0", None),
        ("Ac Qc2c|3c4c 0", Outcome.STUCK),
        ("-- |2c 0", Outcome.WON),
    ],
)
def test_a_game_is_called_stuck_although_cards_are_unseen_where_none_of_them_helps(
    text: str, outcome: Outcome | None
) -> None:
    assert outcome_for_player(text) is outcome


def test_two_unseen_cards_that_match_help_only_where_both_can_be_exposed() -> None:
    assert outcome_for_player("Ac |2cJc 0") is Outcome.STUCK
    assert outcome_for_player("Ac |2c3cJc 0", replace(CLOSED, stock_open=True)) is None
    assert outcome_for_player("Ac |2cJc 0 c:--", replace(CLOSED, cells=1)) is None
    assert outcome_for_player("Ac ,,|2cJc3c 0", replace(CLOSED, draw=3, wastes=3)) is None


def small(rules: RuleSet, chance: random.Random) -> Position:
    """Return a position of few cards, no more than `MOST_UNSEEN` of them unseen."""
    start = Position.deal(shuffled(chance.randrange(2**32), rules.decks), rules)
    kept = chance.randint(1, min(8, rules.tableau_size))
    places = (1 << (MOST_UNSEEN if rules.face_down else kept)) - 1  # what lies above the others is gone
    stock, waste = start.stock[:MOST_UNSEEN], start.stock[MOST_UNSEEN : MOST_UNSEEN + chance.randint(0, 6)]
    return replace(
        start,
        shapes=tuple(family[family.full.occupied & places] for family in shape_families(rules.tableau)),
        stock=stock[: 0 if rules.face_down and not rules.stock_open else chance.randint(0, MOST_UNSEEN)],
        wastes=tuple(waste[pile :: rules.wastes] for pile in range(rules.wastes)),
        recycles=rules.recycles and chance.randint(0, rules.recycles),
        reserve=tuple(pile[: chance.randint(0, 2)] for pile in start.reserve),
    )


def outcome_of_all_orders(play: Play) -> Outcome | None:
    """Try every order of the unseen cards."""
    view, unseen = play.view, sorted(play.unseen, key=str)
    outcomes = {view.filled(order).outcome for order in permutations(unseen)}
    return outcomes.pop() if len(outcomes) == 1 else None


@pytest.mark.parametrize("slug", RULE_SETS)
def test_the_outcome_is_the_one_that_all_orders_of_the_unseen_cards_share(slug: str) -> None:
    chance = random.Random(slug)
    for _ in range(120):
        play = Play(small(RULE_SETS[slug], chance))
        assert play.outcome is outcome_of_all_orders(play), play.start


@given(made_up_rule_sets().filter(lambda rules: not rules.face_down), st.randoms(use_true_random=False))
def test_the_outcome_by_made_up_rules_is_the_one_that_all_orders_share(rules: RuleSet, chance: random.Random) -> None:
    play = Play(small(rules, chance))
    assert play.outcome is outcome_of_all_orders(play), play.start


# A parked card of the tableau turns up the one below it, which may be any.
PARKED = RuleSet(
    "parked", tableau=(Peak(6), PEAK[0]), match=Match.ELEVEN, reserve=(1, 5), cells=1, draw=2, face_down=True
)


@example(rules=PARKED, seed=0)
@given(rule_sets, seeds)
def test_another_order_of_the_unseen_cards_has_the_same_outcome_all_along(rules: RuleSet, seed: int) -> None:
    chance = random.Random(seed)
    play = Play(Position.deal(shuffled(seed, rules.decks), rules))
    outcomes = [play.outcome]
    for _ in range(chance.randint(0, 60)):
        do_something(chance, play)
        outcomes += [play.outcome] * (play.version - len(outcomes) + 1)
    assert outcomes_along(Play(reordered(play, chance)), play.actions) == outcomes


@given(rule_sets, st.randoms(use_true_random=False))
def test_the_outcome_does_not_depend_on_the_outcomes_that_were_asked_for_before(
    rules: RuleSet, chance: random.Random
) -> None:
    play = Play(small(rules, chance))
    for _ in range(20):
        do_something(chance, play)
        assert play.outcome is play.up_to(play.version).outcome


def reordered(play: Play, chance: random.Random) -> Position:
    unseen = sorted(play.unseen, key=str)
    chance.shuffle(unseen)
    return play.start.seen_by(play.seen).filled(unseen)


def outcomes_along(play: Play, actions: list[TimedAction]) -> list[Outcome | None]:
    outcomes = [play.outcome]
    for timed in actions:
        play.do(*timed)
        outcomes.append(play.outcome)
    return outcomes


@given(rule_sets.filter(lambda rules: rules.slug in RULE_SETS), seeds)
@settings(max_examples=25, deadline=None)
def test_a_record_without_the_unseen_cards_has_the_same_outcome_and_may_be_resigned_alike(
    rules: RuleSet, seed: int
) -> None:
    chance, deck = random.Random(seed), shuffled(seed, rules.decks)
    play = Play(Position.deal(deck, rules))
    for _ in range(chance.randint(0, 60)):
        do_something(chance, play)
    if play.result is None:
        play.resign()
    record = Record("g", rules, deck, "bob", STARTED, tuple(play.actions), play.result)
    public = replace(record, deck=deck.seen_by(play.seen))
    again = Record.from_text(public.text).replay()
    assert (again.result, again.outcome) == (play.result, play.outcome)
    assert record.replay().result is play.result


def stuck_in_truth_alone() -> Record:
    """Sevens and eights in the lowest row, fives and sixes above, and one king that draws of three never uncover."""
    lowest_row, above = cards_of(7) + cards_of(8)[:3], cards_of(5) + cards_of(6) + cards_of(13)[:3]
    others = [card for card in CARDS[:52] if card not in (*lowest_row, *above, *cards_of(13))]
    deck = Deck((*above, *others[:10], *lowest_row, *cards_of(13)[3:], *others[10:]))
    return Record("g", RULE_SETS["king-tut"], deck, "bob", STARTED)


def cards_of(rank: int) -> list[Card]:
    return [card for card in CARDS[:52] if card.rank == rank]


def test_a_game_that_is_stuck_though_its_player_cannot_tell_ends_resigned() -> None:
    record = stuck_in_truth_alone()
    play = record.replay()
    assert play.position.outcome is Outcome.STUCK
    play.resign()
    assert play.result is Outcome.RESIGNED
    for known in (record, record.seen_by_its_player()):
        assert replace(known, result=Outcome.RESIGNED).replay().result is Outcome.RESIGNED


def test_a_record_that_calls_such_a_game_stuck_is_false() -> None:
    record = stuck_in_truth_alone()
    for known in (record, record.seen_by_its_player()):
        with pytest.raises(FalseResult):
            replace(known, result=Outcome.STUCK).replay()


def test_a_view_knows_as_much_as_its_player() -> None:
    record = stuck_in_truth_alone().seen_by_its_player()
    assert UNSEEN in record.deck.cards
    assert record.replay().outcome is None
