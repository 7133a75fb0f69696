from __future__ import annotations

import csv

import pytest

from games.hints.hints import SAMPLES, Knowledge, Suggestion, Why, suggest, suggest_quickly
from games.play.wire import Hinted
from games.rules import DRAW, RECYCLE, RULE_SETS, UNSEEN, Deck, Outcome, Play, Position
from games.solver import solve
from games.solver.verdict import verdict
from tests.processes import PROJECT

with (PROJECT / "tests/data/decks.csv").open() as file:
    KNOWN = list(csv.DictReader(file))
WINNABLE = next(row["deck"] for row in KNOWN if row["standard"] == "1")
DARK = next(row["deck"] for row in KNOWN if row["dark-pyramid"] == "1")
UNWINNABLE = next(row["deck"] for row in KNOWN if row["standard"] == "0")


def play_of(deck: str, slug: str = "standard") -> Play:
    return Play(Position.deal(Deck.from_text(deck), RULE_SETS[slug]))


def with_all_seen(play: Play) -> Play:
    """Draw through the stock once and turn it over, or stay where it cannot be turned."""
    while DRAW in play.position.legal_moves:
        play.do(DRAW, play.version)
    if RECYCLE in play.position.legal_moves:
        play.do(RECYCLE, play.version)
    return play


def test_a_player_knows_what_was_seen_and_nothing_else() -> None:
    play = play_of(WINNABLE)
    play.do(DRAW, 0)
    knowledge = Knowledge.of(play)
    assert len(knowledge.unseen) == 23
    assert set(knowledge.unseen).isdisjoint(play.seen)
    assert knowledge.view.text == play.view.text


def test_possible_positions_are_what_the_player_may_imagine() -> None:
    play = play_of(WINNABLE, "pyramid-thirteen")
    knowledge = Knowledge.of(play)
    for _, position in zip(range(5), knowledge.possible(), strict=False):
        assert UNSEEN not in (*position.layout.cards, *position.stock)
        assert position.seen_by(play.seen).text == knowledge.view.text


@pytest.mark.parametrize("slug", ["face-up-stock", "open-pyramid"])
def test_nothing_is_unseen_where_the_stock_is_dealt_face_up(slug: str) -> None:
    assert Knowledge.of(play_of(WINNABLE, slug)).unseen == ()


def test_a_hint_is_exact_from_the_first_move_where_nothing_is_hidden() -> None:
    play = play_of(DARK, "open-pyramid")
    hint = suggest(Knowledge.of(play))
    length = solve(play.position).length
    assert hint.is_exact
    assert hint.reason() == f"You can win in {length} moves, and this is the first of them."
    assert not suggest(Knowledge.of(play_of(DARK, "dark-pyramid"))).is_exact


def test_a_hint_depends_on_what_was_seen_only() -> None:
    """Two deals that look alike so far get the same hint: it cannot give a hidden card away."""
    deck = Deck.from_text(WINNABLE)
    other = Deck((*deck.cards[:28], *reversed(deck.cards[28:])))
    assert suggest(Knowledge.of(play_of(deck.text))) == suggest(Knowledge.of(play_of(other.text)))


def test_once_everything_was_seen_advice_is_the_shortest_line() -> None:
    play = with_all_seen(play_of(WINNABLE))
    while play.result is None:
        hint = suggest(Knowledge.of(play))
        solution = solve(play.position)
        assert hint.is_exact
        assert hint.count == solution.length
        assert hint.move is not None
        before = solution.length
        play.do(hint.move, play.version)
        assert solve(play.position).length == (before or 0) - 1
    assert play.result is Outcome.WON


def test_before_that_it_says_that_it_sampled() -> None:
    play = play_of(WINNABLE, "relaxed")
    hint = suggest(Knowledge.of(play))
    assert not hint.is_exact
    assert f"of {SAMPLES} shuffles" in hint.reason()
    assert hint.move in play.legal_moves


def winnable_deals(slug: str) -> list[Play]:
    return [play_of(row["deck"], slug) for row in KNOWN if row[slug] == "1"][:10]


@pytest.mark.parametrize("slug", ["standard", "covered-pairs"])
def test_where_the_order_of_the_stock_does_not_matter_a_winnable_deal_is_called_winnable(slug: str) -> None:
    for play in winnable_deals(slug):
        hint = suggest(Knowledge.of(play))
        assert hint.why is Why.STILL_WINNABLE
        assert hint.move is not None
        assert verdict(play.position.after(hint.move))


@pytest.mark.parametrize("slug", ["standard", "relaxed"])
def test_a_deal_that_no_order_of_the_unseen_cards_wins_is_called_lost(slug: str) -> None:
    hint = suggest(Knowledge.of(play_of(UNWINNABLE, slug)))
    assert hint.why is Why.LOST_WHATEVER_THE_ORDER
    assert not hint.is_exact


def test_an_order_that_the_search_cannot_decide_is_not_counted_as_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.hints.hints.NODES_A_SAMPLE", 1)
    monkeypatch.setattr("games.hints.hints.NODES_OF_ONE", 1)
    hint = suggest(Knowledge.of(play_of(WINNABLE, "relaxed")))
    assert (hint.why, hint.undecided) == (Why.NO_WIN_IN_SAMPLES, SAMPLES)
    assert hint.reason().startswith("A win is hard to find from here.")


def test_a_search_that_decides_one_order_leaves_the_others_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.hints.hints.NODES_A_SAMPLE", 1)
    hint = suggest(Knowledge.of(play_of(WINNABLE, "relaxed")))
    assert hint.undecided == SAMPLES - 1
    assert hint.reason() == f"Your best chance: this wins at least 1 of {SAMPLES} shuffles of the hidden cards."


def test_without_any_line_a_move_is_advised_that_keeps_the_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.hints.hints.NODES_A_SAMPLE", 1)
    monkeypatch.setattr("games.hints.hints.NODES_OF_ONE", 1)
    for play in winnable_deals("standard"):
        while play.result is None and len(play.position.stock) > 12:
            hint = suggest(Knowledge.of(play))
            assert hint.why is Why.STILL_WINNABLE
            assert hint.move is not None
            play.do(hint.move, play.version)
        assert verdict(play.position)


def test_with_all_cards_seen_some_win_is_better_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.hints.hints.NODES", 500)
    hint = suggest(Knowledge(play_of(WINNABLE, "relaxed").position, ()))
    assert hint.reason().endswith("beginning with this one.")
    assert not hint.is_exact


def test_without_time_the_greedy_move_is_advised() -> None:
    play = play_of(WINNABLE)
    assert suggest_quickly(Knowledge.of(play)).move in play.legal_moves


def test_where_there_is_no_legal_move_none_is_advised() -> None:
    text = "2c/2d3d/------/--------/----------/------------/-------------- 3c| 0"
    end = Position.from_text(text, RULE_SETS["single-pass"])
    assert suggest(Knowledge(end, ())) == Suggestion(None, Why.NO_MOVE, is_exact=True)


class InBrackets:
    """A translation that shows which texts went through it."""

    def gettext(self, message: str, /) -> str:
        return f"<{message}>"

    def ngettext(self, singular: str, plural: str, number: int, /) -> str:
        return self.gettext(singular if number == 1 else plural)


@pytest.mark.parametrize("why", Why)
def test_every_reason_is_one_sentence_that_can_be_translated(why: Why) -> None:
    hint = Suggestion(None, why, is_exact=False, count=1, undecided=2)
    assert hint.reason(InBrackets()) == f"<{hint.reason()}>"
    assert "%" not in hint.reason()
    assert "1 moves" not in hint.reason()


def test_a_hint_is_sent_with_its_reason_in_the_language_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.play.wire.translation", InBrackets())
    hint = Suggestion(None, Why.WIN, is_exact=True, count=2)
    assert Hinted.of(hint, 3).reason == "<You can win in 2 moves or fewer, beginning with this one.>"
