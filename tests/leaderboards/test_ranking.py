from __future__ import annotations

from itertools import count

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import DailyDeal, Player
from leaderboards import ranking
from leaderboards.models import Board, Entry
from leaderboards.ranking import Ranked
from leaderboards.services.submission import submit_score
from tests.leaderboards.conftest import FASTEST, FEWEST_MOVES, Finish, board_named, named

# Small numbers make ties.
scores = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=12)
serial = count()


def naive(scores: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Return (rank, place of the score in the list) by sorting and counting."""
    return [
        (1 + sum(other < score for other in scores), index)
        for score, index in sorted((score, index) for index, score in enumerate(scores))
    ]


def fill(finish: Finish, scores: list[tuple[int, int, int]]) -> tuple[Board, list[Player]]:
    players = [named(f"player-{next(serial)}") for _ in scores]
    for player, (cards_left, moves, elapsed_ms) in zip(players, scores, strict=True):
        submit_score(finish(player, cards_left, moves, elapsed_ms))
    return board_named(FEWEST_MOVES), players


def seen(rows: list[Ranked], players: list[Player]) -> list[tuple[int, int]]:
    return [(row.rank, players.index(row.entry.player)) for row in rows]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scores=scores, limit=st.integers(1, 15))
def test_the_list_every_rank_and_every_neighbourhood_agree_with_a_naive_sort(
    finish: Finish, scores: list[tuple[int, int, int]], limit: int
) -> None:
    with transaction.atomic():
        board, players = fill(finish, scores)
        table = naive(scores)
        assert ranking.count(board) == len(table)
        assert seen(ranking.top(board, limit), players) == table[:limit]
        for place, (rank, index) in enumerate(table):
            entry = ranking.entry_of(players[index].username, board)
            assert entry is not None
            assert ranking.rank_of(entry, board) == rank
            first = max(0, place - limit // 2)
            assert seen(ranking.around(entry, board, limit), players) == table[first : first + limit]
        transaction.set_rollback(True)


def test_equal_scores_share_a_rank_and_list_by_who_was_committed_first(finish: Finish) -> None:
    best, tied = (0, 30, 5), (0, 41, 5)
    board, players = fill(finish, [tied, best, tied, (7, 1, 1)])
    assert seen(ranking.top(board, 10), players) == [(1, 1), (2, 0), (2, 2), (4, 3)]


def test_the_two_tables_of_a_deal_weigh_moves_and_time_differently(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=40, elapsed_ms=90_000))
    submit_score(finish(bob, moves=50, elapsed_ms=30_000))
    assert [row.entry.player for row in ranking.top(board_named(FEWEST_MOVES), 2)] == [alice, bob]
    assert [row.entry.player for row in ranking.top(board_named(FASTEST), 2)] == [bob, alice]


def test_answers_are_about_the_version_that_the_reader_holds(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=40))
    held = board_named(FEWEST_MOVES)
    submit_score(finish(bob, moves=30))
    own = ranking.entry_of("alice", held)
    assert own is not None
    assert (ranking.count(held), ranking.rank_of(own, held)) == (1, 1)
    assert ranking.entry_of("bob", held) is None
    assert ranking.rank_of(own, board_named(FEWEST_MOVES)) == 2


def test_a_board_without_entries_is_an_empty_table(db: None) -> None:
    board = Board(slug=FASTEST)
    assert ranking.count(board) == 0
    assert ranking.top(board, 10) == []
    assert ranking.entry_of("alice", board) is None


@pytest.mark.parametrize("players", [1, 12])
def test_reading_takes_the_same_number_of_queries_however_many_rows_there_are(finish: Finish, players: int) -> None:
    board, _ = fill(finish, [(0, 40, 1000)] * players)
    entry = Entry.objects.filter(board=board).latest("since")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        rows = ranking.around(entry, board, 12)
        assert [row.entry.player.username for row in rows if row.entry.game.moves == 40]
    assert len(queries) == 4


def test_no_question_skips_rows_by_counting_them_off(alice: Player, daily: DailyDeal, finish: Finish) -> None:
    board, _ = fill(finish, [(0, 40, 1000)] * 3)
    entry = Entry.objects.filter(board=board).latest("since")
    with CaptureQueriesContext(connection) as queries:
        ranking.top(board, 2)
        ranking.around(entry, board, 2)
        ranking.rank_of(entry, board)
    assert not [query for query in queries if "OFFSET" in query["sql"]]
