from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.models import Board
from leaderboards.boards.ranking import redis, replica, sql
from leaderboards.boards.ranking.view import View
from tests.leaderboards.boards.test_agreement import standings, walk
from tests.leaderboards.conftest import BEST, NOON, Finish, board_named, named, submit_score

WRITERS, GAMES = 4, 5


def submit_all(games: list[Game]) -> None:
    try:
        for game in games:
            submit_score(game, NOON)
    finally:
        connection.close()


def as_listed(games: list[Game]) -> list[tuple[int, Player]]:
    keys = [(game.cards_left, game.moves, game.elapsed_ms) for game in games]
    return [(1 + sum(other < key for other in keys), game.player) for game, key in zip(games, keys, strict=True)]


@pytest.mark.usefixtures("with_redis")
@pytest.mark.django_db(transaction=True)
def test_readers_see_whole_versions_while_several_write_at_once(finish: Finish) -> None:
    games = [
        [finish(named(f"player-{writer}-{number}"), moves=number % 2) for number in range(GAMES)]
        for writer in range(WRITERS)
    ]
    everyone = [game for own in games for game in own]
    with ThreadPoolExecutor(WRITERS) as pool:
        writing = [pool.submit(submit_all, own) for own in games]
        while not all(writer.done() for writer in writing):
            board = Board.objects.filter(slug=BEST).first()
            if board is not None:
                view = View(board, board.version)
                places = list(walk(view, 3))
                assert [place.place for place in places] == list(range(1, board.version + 1))
                assert view.entries().count() == board.version
                assert places == sql.top(view, len(everyone)).places
        for writer in writing:
            writer.result()
    board = board_named(BEST)
    view = View(board, len(everyone))
    assert sorted((rank, player.pk) for rank, player in standings(view, sql.top(view, 100).places)) == sorted(
        (rank, player.pk) for rank, player in as_listed(everyone)
    )
    replica.catch_up(board)
    assert redis.top(view, 100) == sql.top(view, 100)


@pytest.mark.django_db(transaction=True)
def test_the_same_game_submitted_by_several_at_once_is_entered_once(alice: Player, finish: Finish) -> None:
    game = finish(alice)
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(submit_all, [[game]] * WRITERS))
    assert board_named(BEST).version == board_named(BEST).entries.count() == 1
