from __future__ import annotations

from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.players.models import Player
from leaderboards.boards import ranking, reading
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking import sql
from leaderboards.boards.ranking.view import View, position_of
from leaderboards.boards.reading import Row
from tests.leaderboards.conftest import BEST, FASTEST, FEWEST_MOVES, NOON, Finish, board_named, named, submit_score

serial = count()


def fill(finish: Finish, scores: list[tuple[int, int, int]]) -> tuple[View, list[Player]]:
    players = [named(f"player-{next(serial)}") for _ in scores]
    for player, (cards_left, moves, elapsed_ms) in zip(players, scores, strict=True):
        submit_score(finish(player, cards_left, moves, elapsed_ms), NOON)
    return reading.view_of(board_named(FEWEST_MOVES)), players


def seen(rows: list[Row], players: list[Player]) -> list[tuple[int, int]]:
    return [(row.place.rank, [player.username for player in players].index(row.score.handle)) for row in rows]


def test_equal_scores_share_a_rank_and_list_by_who_was_committed_first(finish: Finish) -> None:
    best, tied = (0, 30, 5), (0, 41, 5)
    view, players = fill(finish, [tied, best, tied, (7, 1, 1)])
    assert seen(reading.top_of(view, 10).rows, players) == [(1, 1), (2, 0), (2, 2), (4, 3)]


def test_the_two_tables_of_a_deal_weigh_moves_and_time_differently(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=40, elapsed_ms=90_000), NOON)
    submit_score(finish(bob, moves=50, elapsed_ms=30_000), NOON)

    def listed(slug: str) -> list[str]:
        return [row.score.handle for row in reading.top_of(reading.view_of(board_named(slug)), 2).rows]

    assert listed(FEWEST_MOVES) == ["alice", "bob"]
    assert listed(FASTEST) == ["bob", "alice"]


def test_only_a_strictly_better_game_replaces_a_players_best(alice: Player, bob: Player, finish: Finish) -> None:
    first = finish(alice, moves=40)
    for game in (first, finish(bob, moves=40), finish(alice, moves=40, days=1), finish(alice, moves=41, days=2)):
        submit_score(game, NOON)
    view = reading.view_of(board_named(BEST))
    assert reading.top_of(view, 1).rows[0].score.game == first.pk
    better = finish(alice, moves=39, days=3)
    submit_score(better, NOON)
    view = reading.view_of(board_named(BEST))
    assert reading.top_of(view, 1).rows[0].score.game == better.pk
    assert ranking.top(view, 1).total == 2


def test_answers_are_about_the_version_that_the_reader_holds(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=40), NOON)
    held = reading.view_of(board_named(FEWEST_MOVES))
    submit_score(finish(bob, moves=30), NOON)
    assert reading.standing_of(held, "alice").row.place.rank == 1
    assert reading.standings_of(held, ["bob"]) == []
    assert reading.standing_of(reading.view_of(board_named(FEWEST_MOVES)), "alice").row.place.rank == 2


def test_a_board_without_entries_is_an_empty_table(db: None) -> None:
    view = View(Board(slug=FASTEST), 0)
    assert ranking.top(view, 1).total == 0
    assert ranking.top(view, 10) == (0, [])


@pytest.mark.parametrize("players", [1, 12])
def test_reading_takes_the_same_number_of_queries_however_many_rows_there_are(finish: Finish, players: int) -> None:
    view, _ = fill(finish, [(0, 40, 1000)] * players)
    last = Entry.objects.filter(board=view.board).latest("valid_from")
    with CaptureQueriesContext(connection) as queries:
        rows = reading.around_player(view, last.player.username, 12).rows
        assert {row.score.values["moves"] for row in rows} == {40}
    assert len(queries) <= 8


def test_no_question_skips_rows_by_counting_them_off(finish: Finish) -> None:
    view, _ = fill(finish, [(0, 40, 1000)] * 3)
    last = Entry.objects.filter(board=view.board).latest("valid_from")
    with CaptureQueriesContext(connection) as queries:
        first = sql.top(view, 2).places
        sql.after(view, first[-1], 2)
        sql.around(view, position_of(last), 2)
        sql.places_of(view, [position_of(last)])
    assert not [query for query in queries if "OFFSET" in query["sql"]]
