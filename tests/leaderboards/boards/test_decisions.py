from __future__ import annotations

import pytest

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards import reading
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, Entry, EntryState
from tests.leaderboards.conftest import BEST, FEWEST_MOVES, MONTH, NOON, WEEK, Finish, ban, board_named, submit_score


def decision(game: Game, state: EntryState, reason: str = "looked at") -> Decision:
    return Decision(game=game, state=state, reason=reason, at=NOON)


def table(slug: str) -> list[tuple[int, str]]:
    rows = reading.top_of(reading.view_of(board_named(slug)), 100).rows
    return [(row.place.rank, row.score.handle) for row in rows]


def points(player: Player) -> int:
    row = reading.standing_of(reading.view_of(board_named(MONTH)), player.username).row
    return row.score.values["points"]


@pytest.fixture
def best(alice: Player, bob: Player, finish: Finish) -> Game:
    """Alice's best game; she has a second one, and bob stands between them."""
    game = finish(alice, moves=30)
    for each in (game, finish(bob, moves=40), finish(alice, moves=50, days=1)):
        submit_score(each, NOON)
    return game


def test_a_disqualified_game_gives_way_to_the_next_best_and_everyone_below_moves_up(best: Game) -> None:
    assert table(BEST) == [(1, "alice"), (2, "bob")]
    decide(decision(best, EntryState.DISQUALIFIED))
    assert table(BEST) == [(1, "bob"), (2, "alice")]
    assert table(FEWEST_MOVES) == [(1, "bob")]


def test_a_reinstated_game_has_its_old_place_even_within_a_tie(best: Game, finish: Finish, bob: Player) -> None:
    decide(decision(best, EntryState.DISQUALIFIED))
    submit_score(finish(bob, moves=30, days=2), NOON)
    decide(decision(best, EntryState.REINSTATED))
    assert table(BEST) == [(1, "alice"), (1, "bob")]


def test_a_disqualified_day_is_taken_from_the_sums_and_given_back(best: Game, alice: Player) -> None:
    before = points(alice)
    decide(decision(best, EntryState.DISQUALIFIED))
    assert points(alice) < before
    decide(decision(best, EntryState.REINSTATED))
    assert points(alice) == before


def test_whoever_has_nothing_left_is_on_no_board_of_points(bob: Player, best: Game) -> None:
    assert ban(bob, "a program", None, NOON) == 1
    assert [handle for _, handle in table(WEEK)] == [handle for _, handle in table(BEST)] == ["alice"]


def test_a_banned_player_disappears_from_every_board_and_nothing_is_deleted(alice: Player, best: Game) -> None:
    entries = Entry.objects.count()
    assert ban(alice, "a program", None, NOON) == 2
    assert table(BEST) == table(FEWEST_MOVES) == [(1, "bob")]
    assert Entry.objects.count() > entries
    assert Decision.objects.filter(state=EntryState.DISQUALIFIED, reason="a program").count() == 2


def test_a_score_that_a_reviewer_flags_keeps_its_rank_and_says_so(best: Game, bob: Player) -> None:
    flag = decision(best, EntryState.FLAGGED)
    flag.by = bob
    decide(flag)
    rows = reading.top_of(reading.view_of(board_named(BEST)), 1).rows
    assert [(row.score.handle, row.score.state) for row in rows] == [("alice", "flagged")]


def test_the_same_decision_twice_makes_no_new_version(best: Game) -> None:
    decide(decision(best, EntryState.VERIFIED))
    version = board_named(BEST).version
    decide(decision(best, EntryState.VERIFIED))
    assert board_named(BEST).version == version


def test_a_decision_before_the_game_was_entered_counts(alice: Player, bob: Player, finish: Finish) -> None:
    game = finish(alice)
    Decision.objects.create(game=game, state=EntryState.DISQUALIFIED, reason="seen before", at=NOON)
    for each in (game, finish(bob)):
        submit_score(each, NOON)
    assert table(FEWEST_MOVES) == [(1, "bob")]


def test_a_player_who_is_marked_as_a_bot_later_keeps_the_scores_where_they_are(alice: Player, best: Game) -> None:
    alice.is_bot = True
    alice.save()
    decide(decision(Game.objects.get(pk=best.pk), EntryState.DISQUALIFIED))
    assert table(FEWEST_MOVES) == [(1, "bob")]
