"""Analyses of plays on a deck whose shortest win is known: 32 moves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import solver
from games.analysis.analysing import UNKNOWN, AnalysedAction, Analysis, Verdict, analyse
from games.analysis.examples import ANALYSED
from games.play.examples import ENDED
from games.rules import RULE_SETS, Action, Deck, NotationError, Play, Position
from tests.games.conftest import DECK, WINNING_LINE

LAYOUT = Position.deal(Deck.from_text(DECK), RULE_SETS["relaxed"])
SHORTEST = 32


def played(actions: str, start: Position = LAYOUT) -> Play:
    play = Play(start)
    for action in actions.split():
        play.do(Action.from_text(action), play.elapsed_ms)
    return play


def shortest_line(start: Position) -> str:
    return " ".join(move.text for move in solver.solve(start).moves)


def last(actions: str) -> AnalysedAction:
    return analyse(played(actions)).steps[-1]


def test_a_perfect_game_has_no_fault() -> None:
    perfect = analyse(played(shortest_line(LAYOUT)))
    assert (perfect.shortest, perfect.lost_at, perfect.accuracy, perfect.critical) == (SHORTEST, None, 100.0, ())
    assert [step.after for step in perfect.steps] == list(range(SHORTEST - 1, -1, -1))
    assert {(step.cost, step.verdict, step.best == step.action) for step in perfect.steps} == {(0, Verdict.BEST, True)}


def test_what_was_wasted_adds_up_to_the_moves_beyond_the_shortest() -> None:
    won = analyse(played(WINNING_LINE))
    assert sum(step.cost or 0 for step in won.steps) == len(WINNING_LINE.split()) - SHORTEST
    slower = [step.version for step in won.steps if step.verdict is Verdict.SLOWER]
    assert slower == list(won.critical)
    assert won.accuracy is not None
    assert won.accuracy < 100


def test_a_wasted_action_costs_one_and_its_undo_another() -> None:
    wasted = last("AcQc U")
    assert (wasted.before, wasted.after, wasted.cost, wasted.verdict) == (31, 32, 2, Verdict.SLOWER)
    again = last("AcQc U Y")
    assert (again.before, again.after, again.cost, again.verdict) == (32, 31, 0, Verdict.BEST)


def test_undo_and_redo_are_no_decisions() -> None:
    assert analyse(played("AcQc U Y U")).accuracy == analyse(played("AcQc")).accuracy == 100.0


def lost_game() -> Play:
    """Draw through all passes until the deal is lost, which it is without a stock."""
    return played("D " * 24 + "R " + "D " * 24 + "R " + "D " * 24)


def test_the_move_that_lost_the_win_is_named_and_what_follows_is_hopeless() -> None:
    lost = analyse(lost_game())
    (moment,) = [step for step in lost.steps if step.verdict is Verdict.LOST]
    assert (moment.version, moment.after, moment.cost) == (lost.lost_at, None, None)
    assert moment.version in lost.critical
    assert moment.best not in {None, moment.action}
    assert {step.verdict for step in lost.steps[moment.version :]} == {Verdict.HOPELESS}


def test_an_undo_that_takes_the_loss_back_regains_the_win() -> None:
    lost = lost_game()
    version = analyse(lost).lost_at
    assert version
    back = lost.up_to(version)
    back.undo(0)
    regained = analyse(back)
    assert (regained.lost_at, regained.steps[-1].verdict) == (None, Verdict.REGAINED)
    assert regained.steps[-1].after == regained.steps[-2].before


def test_a_game_of_a_deal_that_cannot_be_won_is_lost_from_the_start() -> None:
    dead = Position.from_text("5c/----/------/--------/----------/------------/-------------- |9d 2", LAYOUT.rules)
    lost = analyse(played("D R", dead))
    assert (lost.shortest, lost.lost_at, lost.accuracy, lost.critical) == (None, 0, None, ())


def test_a_game_without_an_action_has_no_accuracy() -> None:
    assert analyse(Play(LAYOUT)) == Analysis(SHORTEST, None, None, (), ())


def test_what_the_search_leaves_open_is_unknown_and_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.analysis.analysing.MOST_NODES", 1)
    left_open = analyse(played("D AcQc"))
    assert (left_open.shortest, left_open.lost_at, left_open.accuracy) == (UNKNOWN, None, None)
    assert {(step.before, step.cost, step.verdict, step.best) for step in left_open.steps} == {
        (UNKNOWN, None, Verdict.UNKNOWN, None)
    }


def test_every_position_is_solved_once_and_progress_is_reported() -> None:
    reported: list[tuple[int, int]] = []
    analyse(played("D U " * 20), lambda done, total: reported.append((done, total)))
    assert reported == [(0, 2), (1, 2), (2, 2)]


def test_a_game_with_unseen_cards_is_refused() -> None:
    deck = Deck.from_text(DECK).seen_by(set())
    with pytest.raises(NotationError):
        analyse(Play(Position.deal(deck, LAYOUT.rules)))


def test_the_documented_example_is_the_analysis_of_the_documented_game() -> None:
    assert analyse(ENDED.play) == ANALYSED


@settings(max_examples=15)
@given(st.data())
def test_moves_never_cost_less_than_nothing_and_the_worth_is_a_percentage(data: st.DataObject) -> None:
    play = Play(LAYOUT)
    for _ in range(data.draw(st.integers(1, 25))):
        play.do(data.draw(st.sampled_from(play.legal_moves)), 0)
    analysed = analyse(play)
    assert all(step.cost is None or step.cost >= 0 for step in analysed.steps)
    assert analysed.accuracy is None or 0 <= analysed.accuracy <= 100
    if analysed.lost_at is not None:
        assert solver.is_winnable(play.up_to(analysed.lost_at).position) is False
        assert solver.is_winnable(play.up_to(analysed.lost_at - 1).position) is True
