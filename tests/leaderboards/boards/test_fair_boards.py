"""Fair ranks: none for games without a removal, banned players or inhuman speed; and final days do not change."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.calendar.models import DailyDeal, SecretAccess
from games.play.models import Game
from games.players.models import Player
from games.statistics.statistics import statistics_of
from leaderboards.boards import reading
from leaderboards.boards.decisions import decide, lift_ban
from leaderboards.boards.models import Decision, Entry, EntryState
from leaderboards.boards.refusals import DayIsFinal
from leaderboards.boards.submission import submit
from tests.guards import guards_dropped
from tests.leaderboards.conftest import (
    BEST,
    FASTEST,
    FEWEST_MOVES,
    NOON,
    WEEK,
    Finish,
    ban,
    board_named,
    named,
    submit_score,
)
from tests.leaderboards.played import played

FINAL = NOON.replace(hour=0, minute=30) + timedelta(days=2)


def table(slug: str) -> list[str]:
    return [row.score.handle for row in reading.top_of(reading.view_of(board_named(slug)), 100).rows]


def states(game: Game) -> set[str]:
    return set(game.entries.filter(valid_to=None).values_list("state", flat=True))


@pytest.fixture
def reviewers(db: None) -> tuple[Player, Player]:
    return named("rhea", is_staff=True), named("rolf", is_staff=True)


def test_who_resigns_at_once_has_no_rank_and_who_tried_has_one(
    alice: Player, bob: Player, robot: Player, finish: Finish
) -> None:
    submit_score(finish(alice, cards_left=28, moves=0, elapsed_ms=0), NOON)
    assert table(FEWEST_MOVES) == table(FASTEST) == table(BEST) == table(WEEK) == []
    submit_score(finish(bob, cards_left=26, moves=50), NOON)
    assert table(FEWEST_MOVES) == ["bob"]
    assert Entry.objects.filter(player=alice, valid_to=None, listed=False).exists()


def test_a_better_attempt_than_an_untouched_one_is_listed(alice: Player, daily: DailyDeal, finish: Finish) -> None:
    with guards_dropped():
        DailyDeal.objects.update(stored_policy={"attempts": 2})
    for attempt, left in ((1, 28), (2, 27)):
        submit_score(finish(alice, cards_left=left, attempt=attempt), NOON)
    assert table(FEWEST_MOVES) == ["alice"]


def test_who_acts_faster_than_a_person_is_looked_at_first(
    alice: Player, bob: Player, robot: Player, daily: DailyDeal
) -> None:
    fast = played(alice, NOON, step=timedelta(milliseconds=7))
    assert (fast.hasty, states(fast)) == (25, {EntryState.FLAGGED})
    assert "25 actions came faster than a person acts" in fast.decisions.get().reason
    assert states(played(bob, NOON)) == {EntryState.PROVISIONAL}
    assert states(played(robot, NOON, step=timedelta(milliseconds=7))) == {EntryState.PROVISIONAL}


@pytest.mark.parametrize(("hasty", "state"), [(5, EntryState.PROVISIONAL), (6, EntryState.FLAGGED)])
def test_more_than_five_hasty_actions_are_looked_at(
    alice: Player, finish: Finish, hasty: int, state: EntryState
) -> None:
    game = finish(alice, hasty=hasty)
    submit_score(game, NOON)
    assert states(game) == {state}


def test_a_flag_of_an_open_day_takes_the_rank_until_a_person_has_cleared_it_and_then_gives_back_the_place(
    alice: Player, bob: Player, reviewers: tuple[Player, Player], finish: Finish
) -> None:
    flagged = finish(alice, moves=30, hasty=6)
    submit([flagged.pk, finish(bob, moves=30).pk, finish(named("carol"), moves=31).pk], NOON)
    assert table(FEWEST_MOVES) == table(FASTEST) == table(BEST) == ["bob", "carol"]
    assert "alice" not in table(WEEK)
    assert submit_score(finish(alice, moves=50, days=1), NOON + timedelta(days=1))  # other games of hers have ranks
    assert table(BEST) == ["bob", "carol", "alice"]
    decide(Decision(game=flagged, state=EntryState.VERIFIED, reason="a stalled train", by=reviewers[0], at=NOON))
    assert table(FEWEST_MOVES) == table(BEST) == ["alice", "bob", "carol"]


def test_a_flag_moves_nobody_on_a_final_day_and_two_reviewers_clear_one_that_is_left(
    alice: Player, bob: Player, reviewers: tuple[Player, Player], finish: Finish
) -> None:
    held, other = finish(alice, moves=30, hasty=6), finish(bob)
    submit([held.pk, other.pk], NOON)
    decide(Decision(game=other, state=EntryState.FLAGGED, reason="it does not replay", at=FINAL))
    assert table(FEWEST_MOVES) == ["bob"]
    one, two = reviewers
    cleared = Decision(game=held, state=EntryState.VERIFIED, reason="a stalled train", by=one, at=FINAL)
    with pytest.raises(DayIsFinal):
        decide(cleared)
    cleared.confirmed_by = two
    decide(cleared)
    assert table(FEWEST_MOVES) == ["alice", "bob"]


@pytest.mark.parametrize(("downtime_ms", "state"), [(60_000, EntryState.PROVISIONAL), (60_001, EntryState.FLAGGED)])
def test_more_than_a_minute_of_downtime_is_looked_at(
    alice: Player, finish: Finish, downtime_ms: int, state: EntryState
) -> None:
    game = finish(alice, downtime_ms=downtime_ms)
    submit_score(game, NOON)
    assert states(game) == {state}


def test_a_banned_player_is_on_no_board_past_or_coming(alice: Player, bob: Player, finish: Finish) -> None:
    for player in (alice, bob):
        submit_score(finish(player), NOON)
    ban(alice, "a program", None, NOON)
    submit_score(finish(alice, days=1), NOON + timedelta(days=1))
    for slug in (FEWEST_MOVES, BEST, WEEK, "daily.2026-11-21.standard.open.fewest-moves"):
        assert "alice" not in table(slug)
    lift_ban(alice)
    submit_score(finish(alice, days=2), NOON + timedelta(days=2))
    assert table("daily.2026-11-22.standard.open.fewest-moves") == ["alice"]


def test_what_is_disqualified_counts_in_no_best_and_no_streak(alice: Player, bob: Player, finish: Finish) -> None:
    game = finish(alice, moves=30)
    submit_score(game, NOON)
    assert [row.moves for row in statistics_of(alice, bob, NOON).tallies] == [30]
    decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="looked at", at=NOON))
    figures = statistics_of(alice, bob, NOON)
    assert (figures.tallies, figures.played.current, figures.won.current) == ((), 0, 0)
    decide(Decision(game=game, state=EntryState.REINSTATED, reason="looked at again", at=NOON))
    assert [row.moves for row in statistics_of(alice, bob, NOON).tallies] == [30]
    ban(alice, "a program", None, NOON)
    assert statistics_of(alice, bob, NOON).tallies == ()


def test_a_closed_account_is_listed_without_a_name(alice: Player, finish: Finish) -> None:
    submit_score(finish(alice), NOON)
    Player.objects.filter(pk=alice.pk).update(is_active=False)
    (row,) = reading.top_of(reading.view_of(board_named(FEWEST_MOVES)), 9).rows
    assert (row.score.handle, row.score.display_name) == (f"closed-{alice.pk}", "Closed account")
    assert reading.standings_of(reading.view_of(board_named(FEWEST_MOVES)), ["alice"]) == []


def test_staff_who_looked_at_the_secrets_while_they_played_have_no_rank(
    alice: Player, daily: DailyDeal, finish: Finish
) -> None:
    SecretAccess.objects.create(player=alice, daily=daily, at=NOON + timedelta(seconds=1), reason="curious")
    game = finish(alice)
    submit_score(game, NOON)
    assert (states(game), table(FEWEST_MOVES)) == ({EntryState.DISQUALIFIED}, [])


def test_a_game_that_is_entered_when_its_day_is_final_changes_nothing(
    alice: Player, bob: Player, finish: Finish
) -> None:
    submit_score(finish(bob), NOON)
    late = finish(alice, moves=20)
    submit([late.pk], FINAL)
    assert table(FEWEST_MOVES) == ["bob"]
    late.refresh_from_db()
    assert late.pending.error == "the tables of its day are final"


def test_a_final_day_is_amended_by_two_reviewers_only(
    alice: Player, finish: Finish, reviewers: tuple[Player, Player]
) -> None:
    game = finish(alice)
    submit_score(game, NOON)
    one, other = reviewers
    alone = [
        {},
        {"by": one},
        {"by": one, "confirmed_by": one},
        {"by": one, "confirmed_by": alice},
    ]
    before = EntryState.PROVISIONAL
    for next_state in (EntryState.DISQUALIFIED, EntryState.REINSTATED):
        for who in alone:
            with pytest.raises(DayIsFinal):
                decide(Decision(game=game, state=next_state, reason="late", at=FINAL, **who))
        assert states(game) == {before}
        decide(Decision(game=game, state=next_state, reason="late", at=FINAL, by=one, confirmed_by=other))
        assert states(game) == {next_state}
        listed = reading.amendments_of(board_named(FEWEST_MOVES), FINAL)[0]
        assert (listed.game, listed.state, listed.reason) == (game, next_state, "late")
        before = next_state


def test_a_reviewer_alone_bans_no_history(alice: Player, finish: Finish, reviewers: tuple[Player, Player]) -> None:
    submit_score(finish(alice), NOON)
    with pytest.raises(DayIsFinal):
        ban(alice, "a program", reviewers[0], FINAL)
    alice.refresh_from_db()
    assert alice.banned_at is None
    assert ban(alice, "a program", reviewers[0], FINAL, reviewers[1]) == 1


def test_before_it_is_final_one_decision_is_enough(alice: Player, finish: Finish) -> None:
    game = finish(alice)
    submit_score(game, NOON)
    decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="seen", at=FINAL - timedelta(milliseconds=1)))
    assert table(FEWEST_MOVES) == []
