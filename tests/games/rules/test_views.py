"""A player's knowledge: never an unseen card, and every card that was ever seen."""

from __future__ import annotations

import random
import re
from collections.abc import Set as AbstractSet
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    CARDS,
    DRAW,
    RECYCLE,
    RULE_SETS,
    UNDO,
    UNSEEN,
    Action,
    Card,
    IllegalMove,
    Move,
    Play,
    Position,
    RulesError,
    RuleSet,
)
from tests.games.rules.strategies import do_something, plays, rule_sets, seeds, shuffled, some_move

CARD = re.compile(r"[A2-9TJQK][cdhsCDHS]")


def cards_in(text: str) -> set[str]:
    return set(CARD.findall(text))


def names(cards: AbstractSet[Card]) -> set[str]:
    return {card.text for card in cards}


@given(plays())
def test_a_view_names_no_card_that_was_never_seen(play: Play) -> None:
    view = play.view
    assert cards_in(view.text) <= names(play.seen)
    assert {*view.layout.cards, *view.layout.goal, *view.stock} <= play.seen | {UNSEEN}


@given(plays())
def test_a_view_shows_every_card_in_play_that_was_seen(play: Play) -> None:
    assert cards_in(play.view.text) == cards_in(play.position.text) & names(play.seen)


@given(plays())
def test_a_view_has_the_legal_moves_the_counts_and_the_passes_of_the_position(play: Play) -> None:
    view, position = play.view, play.position
    assert view.legal_moves == position.legal_moves
    assert view.cards_left == position.cards_left
    assert view.recycles == position.recycles
    assert len(view.text) == len(position.text)
    assert view.in_sight == position.in_sight


@given(rule_sets, seeds, seeds)
def test_a_card_once_seen_stays_known_whatever_is_undone(rules: RuleSet, deck: int, line: int) -> None:
    play, chance = Play(Position.deal(shuffled(deck, rules.decks), rules)), random.Random(line)
    ever_in_sight = set(play.position.in_sight)
    for _ in range(60):
        do_something(chance, play)
        ever_in_sight.update(play.position.in_sight)
        assert play.seen == ever_in_sight


@given(rule_sets, seeds, seeds)
def test_an_action_tells_exactly_the_cards_that_it_turned_up_for_the_first_time(
    rules: RuleSet, deck: int, line: int
) -> None:
    play, chance = Play(Position.deal(shuffled(deck, rules.decks), rules)), random.Random(line)
    for _ in range(60):
        if not play.position.legal_moves:
            break
        before = set(play.seen)
        revealed = play.do(chance.choice(play.position.legal_moves), 0)
        assert len(revealed) == len(set(revealed))
        assert set(revealed) == set(play.position.in_sight) - before


def revealed(slug: str, *moves: Move) -> str:
    rules = RULE_SETS[slug]
    play = Play(Position.deal(shuffled(4, rules.decks), rules))
    return " ".join(str(len(play.do(move, 0))) for move in moves)


@pytest.mark.parametrize("slug", RULE_SETS)
def test_each_draw_shows_the_cards_it_moves_unless_they_were_seen(slug: str) -> None:
    rules = RULE_SETS[slug]
    if rules.has_stock:
        shown = 0 if rules.stock_seen else rules.draw
        assert revealed(slug, DRAW, DRAW) == f"{shown} {shown}"


def test_a_closed_stock_is_hidden_and_of_an_open_one_all_but_the_next_card() -> None:
    deck = shuffled(4)
    assert Play(Position.deal(deck, RULE_SETS["standard"])).view.text.endswith("|" + "??" * 24 + " *")
    open_stock = Play(Position.deal(deck, RULE_SETS["relaxed"])).view.text
    assert open_stock.endswith(f"|{deck.cards[28]}" + "??" * 23 + " 2")


@pytest.mark.parametrize("slug", ["face-up-stock", "open-pyramid"])
def test_a_stock_that_is_dealt_face_up_is_known_from_the_start_and_after_every_move(slug: str) -> None:
    play, chance = Play(Position.deal(shuffled(4), RULE_SETS[slug])), random.Random(4)
    for _ in range(60):
        assert play.unseen == frozenset()
        assert play.view == play.position
        assert set(play.position.in_sight) == set(play.position.cards)
        if play.position.legal_moves:
            assert play.do(some_move(chance, play.position), 0) == ()


def test_covered_cards_stay_hidden_beside_a_stock_that_is_dealt_face_up() -> None:
    rules, deck = RuleSet("dark", face_down=True, stock_seen=True), shuffled(4)
    play = Play(Position.deal(deck, rules))
    assert play.unseen == frozenset(deck.cards[:21])
    assert play.view.stock == deck.cards[28:]


@given(rule_sets.filter(lambda rules: rules.has_stock), seeds, seeds)
@settings(max_examples=40)
def test_seeing_the_stock_changes_neither_the_legal_moves_nor_the_true_outcome(
    rules: RuleSet, deck: int, line: int
) -> None:
    dealt, chance = shuffled(deck, rules.decks), random.Random(line)
    hidden, seen = (Position.deal(dealt, replace(rules, stock_seen=is_seen)) for is_seen in (False, True))
    for _ in range(60):
        assert (hidden.legal_moves, hidden.exposed, hidden.outcome) == (seen.legal_moves, seen.exposed, seen.outcome)
        if not hidden.legal_moves:
            break
        move = some_move(chance, hidden)
        hidden, seen = hidden.after(move), seen.after(move)


def test_a_card_in_a_stock_that_is_dealt_face_up_is_refused_by_where_it_lies() -> None:
    play = Play(Position.deal(shuffled(4), RULE_SETS["open-pyramid"]))
    following, later = play.position.stock[:2]
    assert following in play.position.exposed
    assert later not in play.position.exposed
    assert answer(play.position, Move.from_text(later.text)) == f"{later}: {later} still lies in the stock"


def test_after_one_full_pass_the_order_of_what_remains_is_known() -> None:
    play = Play(Position.deal(shuffled(4), RULE_SETS["standard"]))
    for move in [DRAW] * 24 + [RECYCLE]:
        play.do(move, 0)
    assert play.view == play.position


def test_a_drawn_card_that_is_undone_stays_known_in_the_stock() -> None:
    deck = shuffled(4)
    play = Play(Position.deal(deck, RULE_SETS["standard"]))
    play.do(DRAW, 0)
    play.do(UNDO, 0)
    assert play.view.text.endswith(f"|{deck.cards[28]}" + "??" * 23 + " *")
    assert play.do(DRAW, 0) == ()


def test_covered_cards_are_hidden_where_they_lie_face_down_and_only_there() -> None:
    deck = shuffled(4)
    assert Play(Position.deal(deck, RULE_SETS["pyramid-thirteen"])).view.text.startswith("??/????/")
    assert Play(Position.deal(deck, RULE_SETS["relaxed"])).view.text.startswith(f"{deck.cards[0]}/")


def test_the_whole_reserve_is_in_sight() -> None:
    play = Play(Position.deal(shuffled(4), RULE_SETS["giza"]))
    assert UNSEEN not in play.view.in_sight
    assert play.view == play.position


@given(plays())
def test_no_refusal_names_a_card_out_of_sight_that_the_player_did_not_name(play: Play) -> None:
    """Neither the position's own answer nor the play's: who asks for a hidden card learns nothing about another."""
    actions = [Move.from_text(text) for text in ("4s9s", "KdQd", "5c", "P8h", "AcJd", "6S7S", "PTd")]
    for action in (*actions, DRAW, RECYCLE, UNDO):
        assert cards_in(answer(play.position, action)) <= names(set(play.position.in_sight)) | cards_in(action.text)


@given(plays())
def test_a_hidden_card_and_one_that_has_left_are_refused_in_the_same_words(play: Play) -> None:
    in_sight = set(play.position.in_sight)
    for card in CARDS:
        if card not in in_sight and not play.position.is_won:
            with pytest.raises(IllegalMove) as refused:
                play.position.after(Move.from_text(card.text))
            assert str(refused.value) == f"{card}: {card} is not in sight"


@given(plays(), st.lists(st.sampled_from(CARDS), min_size=1, max_size=2, unique=True), st.booleans())
@settings(max_examples=200)
def test_an_answer_depends_on_nothing_but_the_view(play: Play, cards: list[Card], park: bool) -> None:
    text = "".join(card.text for card in cards)
    move = Move.from_text("P" + text[:2] if park else text)
    assert answer(play.view, move) == answer(play.position, move)


def answer(position: Position, action: Action) -> str:
    try:
        Play(position).do(action, 0)
    except RulesError as refusal:
        return str(refusal)
    return "accepted"
