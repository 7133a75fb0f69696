"""A play: counting, undo and redo, what ends it, and that a refused action changes nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.rules import (
    DRAW,
    HINT,
    RECYCLE,
    REDO,
    RULE_SETS,
    UNDO,
    Action,
    GameOver,
    IllegalMove,
    Kind,
    Move,
    Outcome,
    Play,
    Position,
    RulesError,
    RuleSet,
    TimedAction,
)
from tests.games.rules.strategies import plays, positions, seeds, shuffled, some_move

CLOSED = RuleSet("closed", passes=2)


@pytest.fixture
def play() -> Play:
    return Play(Position.deal(shuffled(11), RULE_SETS["standard"]))


def state(play: Play) -> tuple[object, ...]:
    return play.position, tuple(play.actions), frozenset(play.seen), play.result, play.moves, play.version


def test_every_accepted_action_counts_one_move_except_a_hint(play: Play) -> None:
    for moves, action in enumerate([DRAW, DRAW, UNDO, UNDO, REDO, REDO, UNDO], start=1):
        play.do(action, 0)
        assert (play.moves, play.version) == (moves, moves)
    play.do(HINT, 0)
    assert (play.moves, play.version) == (7, 8)


def test_a_recycle_counts_one_move(play: Play) -> None:
    for _ in range(24):
        play.do(DRAW, 0)
    play.do(RECYCLE, 0)
    assert (play.moves, play.count(Kind.DRAW), play.count(Kind.RECYCLE)) == (25, 24, 1)


@given(positions(), st.sampled_from([1, 700]))
def test_undo_restores_the_position_but_neither_time_nor_move_count(position: Position, at_ms: int) -> None:
    for move in position.legal_moves:
        play = Play(position)
        play.do(move, at_ms)
        assert play.result is None or play.position.is_won
        if play.result is None:
            play.do(UNDO, at_ms * 2)
            assert play.position == position
            assert (play.moves, play.elapsed_ms) == (2, at_ms * 2)


def test_undo_restores_the_pass() -> None:
    play = Play(Position.deal(shuffled(1), CLOSED))
    for _ in range(24):
        play.do(DRAW, 0)
    play.do(RECYCLE, 0)
    assert play.position.recycles == 0
    play.do(UNDO, 0)
    assert play.position.recycles == 1
    play.do(RECYCLE, 0)
    assert play.position.recycles == 0


@given(positions(), seeds)
def test_undo_is_unlimited_and_redo_leads_back(position: Position, seed: int) -> None:
    play, chance = Play(position), random.Random(seed)
    line = [position]
    while len(line) < 30 and play.position.legal_moves and play.result is None:
        play.do(some_move(chance, play.position), 0)
        line.append(play.position)
    assume(play.result is None)
    for earlier in reversed(line[:-1]):
        play.do(UNDO, 0)
        assert play.position == earlier
    for later in line[1:]:
        play.do(REDO, 0)
        assert play.position == later


def test_a_new_action_clears_what_could_be_redone(play: Play) -> None:
    for action in (DRAW, DRAW, UNDO, UNDO, DRAW):
        play.do(action, 0)
    with pytest.raises(IllegalMove, match="there is nothing to redo"):
        play.do(REDO, 0)


def test_a_hint_keeps_what_can_be_redone(play: Play) -> None:
    for action in (DRAW, UNDO, HINT, REDO):
        play.do(action, 0)
    assert len(play.position.wastes[0]) == 1


def test_there_is_nothing_to_undo_at_the_start(play: Play) -> None:
    with pytest.raises(IllegalMove, match="U: there is nothing to undo"):
        play.do(UNDO, 0)


@given(plays(), st.data())
def test_a_refused_action_changes_nothing(play: Play, data: st.DataObject) -> None:
    candidates: list[Action] = [DRAW, RECYCLE, UNDO, REDO, HINT]
    text = data.draw(st.sampled_from(["Kd", "4s9s", "PAc", "AcAd", "6c6d", "PQs", "TcAs"]))
    action = data.draw(st.sampled_from([*candidates, Move.from_text(text)]))
    before = state(play)
    try:
        play.do(action, play.elapsed_ms)
    except RulesError:
        assert state(play) == before
    else:
        assert play.version == before[-1] + 1  # type: ignore[operator]


def test_a_clock_that_runs_backwards_is_refused_and_changes_nothing(play: Play) -> None:
    play.do(DRAW, 700)
    before = state(play)
    with pytest.raises(ValueError, match="699 ms after 700 ms"):
        play.do(DRAW, 699)
    assert state(play) == before


def test_the_clock_reads_the_last_action(play: Play) -> None:
    assert play.elapsed_ms == 0
    play.do(DRAW, 700)
    assert play.elapsed_ms == 700
    assert play.actions == [TimedAction(DRAW, 700)]


@given(plays(), st.data())
def test_a_play_up_to_a_version_is_the_play_as_it_was_then(play: Play, data: st.DataObject) -> None:
    version = data.draw(st.integers(0, play.version))
    earlier = play.up_to(version)
    assert earlier.actions == play.actions[:version]
    for timed in play.actions[version:]:
        earlier.do(*timed)
    assert state(earlier) == state(play)


ALMOST_WON = "Kc/----/------/--------/----------/------------/-------------- |5d *"
STUCK = "2c/----/------/--------/----------/------------/-------------- |5d *"


def almost(text: str) -> Play:
    return Play(Position.from_text(text, RULE_SETS["standard"]))


def test_winning_ends_a_game_and_nothing_more_is_accepted() -> None:
    play = almost(ALMOST_WON)
    play.do(Move.from_text("Kc"), 5)
    assert play.result is Outcome.WON
    for action in (DRAW, UNDO, HINT):
        with pytest.raises(GameOver, match="the game has ended: won"):
            play.do(action, 6)
    with pytest.raises(GameOver):
        play.resign()
    assert play.version == 1


def test_a_stuck_game_stays_open_for_draws_and_undo() -> None:
    play = almost(STUCK)
    assert play.position.outcome is Outcome.STUCK
    for action in (DRAW, UNDO, REDO, RECYCLE):
        play.do(action, 0)
    assert play.result is None


@pytest.mark.parametrize(("text", "result"), [(STUCK, Outcome.STUCK), (ALMOST_WON, Outcome.RESIGNED)])
def test_who_resigns_a_stuck_position_was_stuck(text: str, result: Outcome) -> None:
    play = almost(text)
    play.resign()
    assert play.result is result
    with pytest.raises(GameOver, match=f"the game has ended: {result}"):
        play.do(DRAW, 0)


def test_a_game_whose_time_has_run_out_has_expired() -> None:
    play = almost(ALMOST_WON)
    play.end(Outcome.EXPIRED)
    with pytest.raises(GameOver, match="the game has ended: expired"):
        play.end(Outcome.RESIGNED)


def test_a_restart_is_the_same_deal_with_all_counts_at_zero(play: Play) -> None:
    play.do(DRAW, 9)
    again = Play(play.start)
    assert (again.version, again.moves, again.elapsed_ms) == (0, 0, 0)
    assert again.position == play.start
