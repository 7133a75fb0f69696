from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.deals.policy import PRACTICE, RANKED, Policy
from games.play.refusals import HintsNotAllowed, StaleVersion, TooManyActions, UndoNotAllowed
from games.play.session import MOST_STEPS, Pause, Session
from games.play.wire import State
from games.rules import DRAW, HINT, REDO, RULE_SETS, UNDO, Deck, GameOver, IllegalMove, Move, Outcome, Play, Position

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
DECK = Deck.from_text(
    "5dTs8s3hJc3sAc5s4hKh5c3cThQc9dQd7c8d6h4c6dJs8h8cKdKs2sKc5h9sAdTcJh4sQh7h7s2dAh4d9cQsTd6s2h9h2cAsJd7d3d6c"
)
STUCK_AFTER_A_DRAW = "2c/----/------/--------/----------/------------/-------------- |3c *"
ONE_KING = "Kc/----/------/--------/----------/------------/-------------- |3c *"
NO_UNDO = Policy(undo=False, hints=False, restart=False, loss_notices=False)


def seconds(count: float) -> datetime:
    return START + timedelta(seconds=count)


def session(position: str | None = None, policy: Policy = PRACTICE, deadline: datetime | None = None) -> Session:
    rules = RULE_SETS["standard"]
    start = Position.from_text(position, rules) if position else Position.deal(DECK, rules)
    return Session("7f3k", policy, Play(start), START, deadline)


def test_an_accepted_action_says_what_it_did() -> None:
    change = session().act(DRAW, version=0, now=seconds(1.5), client_ms=1480)
    step = change.step
    assert step is not None
    assert (step.version, step.action, step.at_ms, step.client_ms, step.moves) == (1, DRAW, 1500, 1480, 1)
    assert [card.text for card in step.revealed] == ["5h"]
    assert [move.text for move in step.legal] == ["2sJs", "5h8c", "5h8h", "D", "Kc", "Kd", "Ks"]
    assert (step.outcome, change.summary, change.repeated) == (None, None, False)


def test_the_very_action_sent_again_gets_the_same_answer_and_is_not_applied_twice() -> None:
    game = session()
    first = game.act(DRAW, 0, seconds(1), client_ms=990)
    game.act(DRAW, 1, seconds(2))
    again = game.act(DRAW, 0, seconds(3))
    assert again.step == first.step
    assert again.repeated
    assert game.play.version == 2


def test_an_action_of_long_ago_sent_again_gets_the_same_answer_though_few_steps_are_in_memory() -> None:
    game = session()
    taken = [game.act(DRAW, version, seconds(version + 1)).step for version in range(2 * MOST_STEPS)]
    assert game.act(DRAW, 0, seconds(100)).step == taken[0]
    assert game.steps_since(2) == taken[2:]


def test_steps_that_were_made_again_stay_so_that_mallory_cannot_have_a_game_replayed_for_each_question() -> None:
    game = session()
    for version in range(2 * MOST_STEPS):
        game.act(DRAW, version, seconds(version + 1))
    assert len(game._steps) == MOST_STEPS
    first = game.step(1)
    game.act(DRAW, 2 * MOST_STEPS, seconds(100))
    assert game.step(1) is first


def test_two_draws_in_a_row_are_two_versions() -> None:
    game = session()
    versions = [game.act(DRAW, version, seconds(version + 1)).step for version in (0, 1)]
    assert [step.version for step in versions if step] == [1, 2]


@pytest.mark.parametrize("version", [1, 7, -1])
def test_an_action_for_another_version_is_refused_and_changes_nothing(version: int) -> None:
    game = session()
    with pytest.raises(StaleVersion, match="at version 0"):
        game.act(DRAW, version, seconds(1))
    assert game.play.version == 0


def test_another_action_than_the_one_that_was_taken_is_stale() -> None:
    game = session()
    game.act(DRAW, 0, seconds(1))
    with pytest.raises(StaleVersion):
        game.act(Move.from_text("Kd"), 0, seconds(2))


def test_an_illegal_move_changes_nothing() -> None:
    game = session()
    before = State.of(game, START)
    with pytest.raises(IllegalMove):
        game.act(Move.from_text("4s9s"), 0, seconds(1))
    assert State.of(game, START) == before


def test_undo_and_redo_count_as_moves_and_the_card_stays_known() -> None:
    game = session()
    game.act(DRAW, 0, seconds(1))
    undone = game.act(UNDO, 1, seconds(2)).step
    assert undone is not None
    assert (undone.moves, undone.revealed) == (2, ())
    assert "|5h?" in State.of(game, seconds(3)).position
    redone = game.act(REDO, 2, seconds(3)).step
    assert redone is not None
    assert (redone.moves, redone.version) == (3, 3)


def test_undo_is_refused_where_the_policy_forbids_it() -> None:
    game = session(policy=NO_UNDO)
    game.act(DRAW, 0, seconds(1))
    for action in (UNDO, REDO):
        with pytest.raises(UndoNotAllowed):
            game.act(action, 1, seconds(2))


def test_hints_are_refused_in_a_ranked_attempt() -> None:
    with pytest.raises(HintsNotAllowed):
        session(policy=RANKED).act(HINT, 0, seconds(1))


def test_a_hint_is_an_action_and_no_move() -> None:
    step = session(policy=PRACTICE).act(HINT, 0, seconds(1)).step
    assert step is not None
    assert (step.version, step.moves, step.revealed) == (1, 0, ())


def test_removing_the_last_card_wins_and_sums_up() -> None:
    game = session(ONE_KING)
    summary = game.act(Move.from_text("Kc"), 0, seconds(4)).summary
    assert summary is not None
    assert (summary.status, summary.moves, summary.elapsed_ms, summary.cards_left) == ("won", 1, 4000, 0)
    assert summary.finished_at == seconds(4)


def test_the_action_that_ended_a_game_sums_up_when_it_is_sent_again_and_no_earlier_one_does() -> None:
    game = session(ONE_KING)
    game.act(DRAW, 0, seconds(1))
    won = game.act(Move.from_text("Kc"), 1, seconds(2))
    again = game.act(Move.from_text("Kc"), 1, seconds(2))
    assert again == won._replace(repeated=True)
    assert won.summary is not None
    assert game.act(DRAW, 0, seconds(3)).summary is None


def test_the_last_action_of_a_game_that_was_given_up_did_not_end_it() -> None:
    game = session()
    game.act(DRAW, 0, seconds(1))
    game.resign(1, seconds(2))
    assert game.act(DRAW, 0, seconds(3)).summary is None


def test_an_end_that_someone_else_made_durable_is_taken_over_once() -> None:
    game = session()
    game.follow_end(Outcome.EXPIRED)
    game.follow_end(Outcome.RESIGNED)
    assert game.play.result is Outcome.EXPIRED


def test_a_game_that_has_ended_is_never_overdue() -> None:
    game = session(deadline=seconds(60))
    game.resign(0, seconds(1))
    assert not game.is_overdue(seconds(61))


def test_a_won_game_takes_no_more_actions() -> None:
    game = session(ONE_KING)
    game.act(Move.from_text("Kc"), 0, seconds(4))
    for action in (UNDO, DRAW):
        with pytest.raises(GameOver):
            game.act(action, 1, seconds(5))
    with pytest.raises(GameOver):
        game.resign(1, seconds(5))


def test_being_stuck_is_told_and_ends_nothing_while_undo_may_save_the_game() -> None:
    game = session(STUCK_AFTER_A_DRAW)
    change = game.act(DRAW, 0, seconds(1))
    assert change.step is not None
    assert (change.step.outcome, change.summary) == (Outcome.STUCK, None)


def test_being_stuck_ends_a_game_without_undo() -> None:
    game = session(STUCK_AFTER_A_DRAW, policy=NO_UNDO)
    change = game.act(DRAW, 0, seconds(1))
    assert change.summary is not None
    assert change.summary.status == "stuck"
    assert change.step is not None
    assert change.step.legal == ()
    assert game.act(DRAW, 0, seconds(1)) == change._replace(repeated=True)


def test_a_game_without_undo_goes_on_until_it_is_stuck() -> None:
    game = session(policy=NO_UNDO)
    change = game.act(DRAW, 0, seconds(1))
    assert (change.summary, game.play.result) == (None, None)
    assert change.step is not None
    assert change.step.legal == game.play.legal_moves != ()


def test_the_action_that_ended_a_game_is_answered_alike_where_it_was_loaded_or_followed() -> None:
    first = session(STUCK_AFTER_A_DRAW, policy=NO_UNDO).act(DRAW, 0, seconds(1))
    followed, played = session(STUCK_AFTER_A_DRAW, policy=NO_UNDO), session(STUCK_AFTER_A_DRAW).play
    followed.follow(DRAW, 1000)
    followed.follow_end(Outcome.STUCK)
    played.do(DRAW, 1000)
    played.end(Outcome.STUCK)
    for elsewhere in (followed, Session("7f3k", NO_UNDO, played, START)):
        again = elsewhere.act(DRAW, 0, seconds(2))
        assert again.step == first.step
        assert again.step is not None
        assert again.step.legal == elsewhere.play.legal_moves == ()


def test_resigning_when_stuck_is_called_stuck() -> None:
    assert session(STUCK_AFTER_A_DRAW).resign(0, seconds(1)).summary.status == "stuck"  # type: ignore[union-attr]
    assert session().resign(0, seconds(1)).summary.status == "resigned"  # type: ignore[union-attr]


def test_what_only_unseen_cards_make_stuck_neither_ends_a_game_nor_changes_how_it_is_given_up() -> None:
    """Draws of three never uncover the queen; before the draw only the server knows."""
    text = STUCK_AFTER_A_DRAW.replace("2c/", "Ac/").replace("|3c", "|Qc3c3d4c")
    start = Position.from_text(text, RULE_SETS["king-tut"])
    game = Session("7f3k", NO_UNDO, Play(start), START)
    assert game.play.outcome is None
    assert Session("7f3k", NO_UNDO, Play(start), START).resign(0, START).summary.status == "resigned"  # type: ignore[union-attr]
    assert game.act(DRAW, 0, START).summary.status == "stuck"  # type: ignore[union-attr]


def test_the_clock_of_a_finished_game_stands_at_its_last_action() -> None:
    game = session()
    game.act(DRAW, 0, seconds(2))
    game.resign(1, seconds(60))
    assert game.elapsed_ms(seconds(90)) == 2000


def test_a_clock_that_steps_back_never_makes_time_negative() -> None:
    game = session()
    game.act(DRAW, 0, seconds(10))
    step = game.act(DRAW, 1, seconds(9)).step
    assert step is not None
    assert step.at_ms == 10_000
    assert [game.elapsed_ms(seconds(count)) for count in (9, 11)] == [10_000, 11_000]


@pytest.mark.parametrize("end", ["resign", "win", "expire"])
def test_a_game_ends_no_sooner_than_its_last_action_though_the_clock_was_set_back(end: str) -> None:
    game = session(ONE_KING)
    game.pauses = (Pause(2_000, 5_000),)
    game.act(DRAW, 0, seconds(10))
    ends = {
        "resign": lambda: game.resign(1, seconds(7)),
        "win": lambda: game.act(Move.from_text("Kc"), 1, seconds(7)),
        "expire": lambda: game.expire(seconds(7)),
    }
    summary = ends[end]().summary
    assert summary is not None
    assert (summary.elapsed_ms, summary.downtime_ms, summary.finished_at) == (7_000, 3_000, seconds(10))


@pytest.mark.parametrize(("real", "shown"), [(4, 4), (10, 10), (15, 10), (20, 10), (25, 15), (35, 20), (45, 25)])
def test_a_pause_stops_the_clock_no_longer_than_it_lasts_and_not_before_it_came(real: int, shown: int) -> None:
    game = session()
    game.pauses = (Pause(10_000, 20_000), Pause(30_000, 40_000))
    game.act(DRAW, 0, seconds(real))
    assert (game.play.elapsed_ms, game.elapsed_ms(seconds(real))) == (shown * 1000, shown * 1000)
    summary = game.resign(1, seconds(real)).summary
    assert summary is not None
    assert (summary.elapsed_ms, summary.downtime_ms) == (shown * 1000, (real - shown) * 1000)


@pytest.mark.parametrize("offset_ms", [0, 1])
def test_from_the_deadline_on_nothing_is_accepted(offset_ms: int) -> None:
    game = session(deadline=seconds(60))
    late = seconds(60) + timedelta(milliseconds=offset_ms)
    with pytest.raises(GameOver, match="run out"):
        game.act(DRAW, 0, late)
    with pytest.raises(GameOver, match="run out"):
        game.resign(0, late)
    assert game.expire(late).summary.status == "expired"  # type: ignore[union-attr]


def test_just_before_the_deadline_a_move_counts() -> None:
    assert session(deadline=seconds(60)).act(DRAW, 0, seconds(60) - timedelta(milliseconds=1)).step is not None


def test_what_a_client_missed_are_the_actions_and_the_cards_they_turned_up() -> None:
    game = session()
    for version in range(3):
        game.act(DRAW, version, seconds(version))
    missed = game.steps_since(1)
    assert missed is not None
    assert [(step.action.text, step.at_ms) for step in missed] == [("D", 1000), ("D", 2000)]
    assert [card.text for step in missed for card in step.revealed] == ["9s", "Ad"]
    assert game.steps_since(3) == []
    assert game.steps_since(4) is None
    assert game.steps_since(-1) is None


def test_a_game_that_was_loaded_remembers_the_steps_that_it_did_not_see() -> None:
    played, again = session(), session()
    for version, action in enumerate([DRAW, UNDO, DRAW, Move.from_text("Kd")]):
        played.act(action, version, seconds(version))
    for timed in played.play.actions[:-1]:
        again.play.do(*timed)
    again.follow(*played.play.actions[-1])
    steps = again.steps_since(0)
    assert steps is not None
    assert steps == played.steps_since(0)


def test_a_game_as_it_was_before_its_end_shows_and_loses_nothing_that_came_later() -> None:
    game = session(deadline=seconds(90))
    before = State.of(game, seconds(0))
    game.act(DRAW, 0, seconds(1))
    game.resign(1, seconds(2))
    earlier = game.up_to(0)
    assert State.of(earlier, seconds(0)) == before
    assert (game.play.version, game.play.result) == (1, Outcome.RESIGNED)
    assert earlier.is_overdue(seconds(90))


def test_giving_up_again_gets_the_same_answer() -> None:
    game = session()
    first = game.resign(0, seconds(1))
    again = game.resign(0, seconds(2))
    assert again.repeated
    assert again.summary is not None
    assert again.summary.status == first.summary.status  # type: ignore[union-attr]
    with pytest.raises(StaleVersion):
        game.resign(1, seconds(3))


def test_the_state_shows_no_card_that_was_not_seen() -> None:
    game = session()
    game.act(DRAW, 0, seconds(1))
    text = State.of(game, seconds(2)).position
    for hidden in DECK.cards[29:]:
        assert hidden.text not in text


def test_a_game_cannot_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.play.session.MOST_ACTIONS", 3)
    game = session()
    for version, action in enumerate([DRAW, UNDO, REDO]):
        game.act(action, version, seconds(version))
    with pytest.raises(TooManyActions, match="at most 3"):
        game.act(UNDO, 3, seconds(4))
    assert game.act(REDO, 2, seconds(4)).repeated
    assert game.resign(3, seconds(5)).summary is not None
