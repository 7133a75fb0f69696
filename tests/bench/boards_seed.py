"""Boards with many entries, and what is asked of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player
from leaderboards.boards import ranking
from leaderboards.boards.catalog import ELAPSED_MS, FEWEST_MOVES, BoardKey, Entrants, Period
from leaderboards.boards.histogram import histogram
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking import redis, replica, sql
from leaderboards.boards.ranking.view import Position, SortKey, View
from leaderboards.boards.reading import view_of
from leaderboards.boards.rest import BoardEndpoint
from leaderboards.boards.submission import submit
from leaderboards.boards.value_counts import discard_counts, keep_counts
from tests.bench.rows import multiply, new_games
from tests.bench.table import Row

Measure = Callable[..., Iterator[Row]]
SUBMISSIONS = 200
NEIGHBOURS, PAGE, BINS = 11, 20, 20
SLOW_SAMPLES, FEW_SAMPLES = 30, 3


def seed(small: int, large: int) -> dict[int, Board]:
    """Return a board of each size, of one daily deal and of all time, with scores of won games."""
    call_command("migrate", verbosity=0)
    now = timezone.now()
    daily = ensure_dailies(now)[0]
    player = Player.objects.create(username="player-0", display_name="Player")
    game = _finished(player, daily)
    people = large + SUBMISSIONS + 1
    multiply(player, people, {"id": f"{player.pk} + n", "username": "'player-' || n"})
    multiply(game, people, {"id": new_games(game), "player_id": f"{player.pk} + n"})
    keys = [
        BoardKey(period, period.first_day(daily.day), daily.rules, daily.division, Entrants.PEOPLE, FEWEST_MOVES)
        for period in (Period.DAILY, Period.ALL_TIME)
    ]
    boards = {size: _board(str(key), size, game) for size, key in zip((small, large), keys, strict=True)}
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    replica.rebuild(boards[small])
    return boards


def seconds_to_rebuild(board: Board) -> float:
    begun = perf_counter()
    replica.rebuild(board)
    return perf_counter() - begun


def reading(board: Board, size: int, measure: Measure) -> Iterator[Row]:
    """Ask for what players look at, at random places."""
    view, of = view_of(board), f"{size:,} entries"
    positions = _positions(view, 500)
    members, _ = redis.keys_of(board)
    client = redis.client()

    def two_commands() -> None:
        sort_key, entry = random.choice(positions)
        place: Any = client.zrank(members, redis.member(*sort_key, entry))
        client.zrange(members, place, place + NEIGHBOURS - 1)

    def around(engine: ranking.Ranking) -> Callable[[], object]:
        def ask() -> object:
            return engine.around(view, random.choice(positions), NEIGHBOURS)

        return ask

    middle = sql.places_of(view, positions[:1]).places[0]
    yield from measure(f"ZRANK and ZRANGE alone, {of}", two_commands)
    yield from measure(f"rank and ten neighbours, Redis, {of}", around(redis))
    yield from measure(f"rank and ten neighbours, SQL, {of}", around(sql), SLOW_SAMPLES)
    yield from measure(f"top page, Redis, {of}", lambda: redis.top(view, PAGE))
    yield from measure(f"top page, SQL, {of}", lambda: sql.top(view, PAGE))
    yield from measure(f"a page from the middle, SQL, {of}", lambda: sql.after(view, middle, PAGE))
    yield from _counting(board, of, measure)
    yield from _over_rest(board, of, measure)


def _counting(board: Board, of: str, measure: Measure) -> Iterator[Row]:
    """Ask for a histogram, which counts every entry at first, and then only what has come since counts were kept."""
    view = view_of(board)
    discard_counts([board])
    yield from measure(f"a histogram that counts, {of}", lambda: histogram(view, "elapsed_ms", BINS), FEW_SAMPLES)
    keep_counts(board)
    yield from measure(f"a histogram from kept counts, {of}", lambda: histogram(view, "elapsed_ms", BINS), SLOW_SAMPLES)


def writing(board: Board, measure: Measure) -> Iterator[Row]:
    """Submit games, each of which enters six boards of which two are as large as this one."""
    games = iter(Game.objects.exclude(entries__isnull=False).select_related("player", "daily")[: SUBMISSIONS + 1])
    yield from measure(
        f"submit a game to its six boards, {board.version:,} entries",
        lambda: submit([next(games).pk], timezone.now()),
        SUBMISSIONS - 1,
    )


def _over_rest(board: Board, of: str, measure: Measure) -> Iterator[Row]:
    BoardEndpoint.throttle_classes = []  # nobody who asks so often would be answered
    client, address = APIClient(SERVER_NAME="localhost"), f"/api/boards/{board.slug}/"

    def get(**query: Any) -> Any:
        response = client.get(address, query)
        assert response.status_code == 200, response.content
        return response

    def around() -> None:
        get(around=f"player-{random.randint(1, board.version)}", limit=NEIGHBOURS)

    [middle] = redis.stretch(view_of(board), board.version // 2, 1)
    deep = get(around=Entry.objects.get(pk=middle.entry).player.username, limit=PAGE).json()["next"]
    yield from measure(f"rank and ten neighbours, REST, {of}", around)
    yield from measure(f"top page, REST, {of}", lambda: get(limit=PAGE))
    yield from measure(f"a page from the middle, REST, {of}", lambda: get(cursor=deep, limit=PAGE))


def _finished(player: Player, daily: DailyDeal) -> Game:
    now = timezone.now()
    counts = dict.fromkeys(("draws", "recycles", "undos", "hints", "hasty", "cards_left"), 0)
    when = {"created_at": now, "started_at": now, "finished_at": now}
    return Game.objects.create(
        player=player, deal=daily.deal, daily=daily, status="won", moves=40, elapsed_ms=60_000, **counts, **when
    )


def _board(slug: str, size: int, game: Game) -> Board:
    board = Board.objects.create(slug=slug, version=size)
    unlisted = Entry.objects.create(
        board=board,
        player=game.player,
        game=game,
        key=0,
        changed_at=timezone.now(),
        entered_at_version=1,
        valid_from=1,
        listed=False,
    )
    score = f"(30 + (random() * 170)::bigint) * {ELAPSED_MS.size} + (20000 + (random() * 600000)::bigint)"
    columns = {"game_id": new_games(game), "player_id": f"{game.player_id} + n", "key": score, "listed": "true"}
    multiply(unlisted, size, {**columns, "id": f"{unlisted.pk} + n", "entered_at_version": "n", "valid_from": "n"})
    return board


def _positions(view: View, number: int) -> list[Position]:
    owners = [f"player-{random.randint(1, view.version)}" for _ in range(number)]
    found = view.entries().filter(player__username__in=owners).values_list("key", "entered_at_version", "pk")
    return [Position(SortKey(key, entered), pk) for key, entered, pk in found]
