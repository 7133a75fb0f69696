"""The cast, a day that is open, and finished games with any score."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import transaction
from pytest_django.fixtures import Settings

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.play.scores import Placement
from games.players.models import Player
from leaderboards.boards.decisions import decide, ranked_games, set_ban
from leaderboards.boards.models import Board, Decision, Entry, EntryState
from leaderboards.boards.ranking.redis import client
from leaderboards.boards.submission import submit
from tests.calendar import prepared_dailies
from tests.with_servers import running_redis

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
FEWEST_MOVES = "daily.2026-11-20.standard.open.fewest-moves"
FASTEST = "daily.2026-11-20.standard.open.fastest"
WEEK = "weekly.2026-W47.standard.open.points"
MONTH = "monthly.2026-11.standard.open.points"
BEST = "all-time.standard.open.fewest-moves"
BOARDS = ["all-time.standard.open.fastest", BEST, FASTEST, FEWEST_MOVES, MONTH, WEEK]

Finish = Callable[..., Game]


def named(handle: str, **fields: Any) -> Player:
    return Player.objects.create(username=handle, display_name=handle.title(), **fields)


def crowd_of(count: int) -> list[Player]:
    """Return player-0, player-1 and so on."""
    names = [f"player-{number}" for number in range(count)]
    return Player.objects.bulk_create(Player(username=name, display_name=name.title()) for name in names)


def ban(player: Player, reason: str, by: Player | None, now: datetime, confirmed_by: Player | None = None) -> int:
    """Ban a player as reviewers do, the player first and then each game, and return the number of games."""
    with transaction.atomic():
        set_ban(player, now)
        state, people = EntryState.DISQUALIFIED, {"by": by, "confirmed_by": confirmed_by}
        decisions = [Decision(game=game, state=state, reason=reason, at=now, **people) for game in ranked_games(player)]
        decide(*decisions)
    return len(decisions)


@pytest.fixture
def at_noon() -> Iterator[None]:
    """Have what reads the time by itself, in whatever thread, read that of the games; it passes."""
    with time_machine.travel(NOON, tick=True):
        yield


@pytest.fixture
def alice(db: None) -> Player:
    return named("alice")


@pytest.fixture
def bob(db: None) -> Player:
    return named("bob")


@pytest.fixture
def robot(db: None) -> Player:
    return named("robot", is_bot=True)


@pytest.fixture
def daily(db: None) -> DailyDeal:
    dailies = prepared_dailies(NOON, days_ahead=0)
    return next(daily for daily in dailies if (daily.rules, daily.division) == ("standard", "open"))


@pytest.fixture
def coming_days(daily: DailyDeal) -> None:
    """The deals of the coming week."""
    prepared_dailies(NOON)


@pytest.fixture
def finish(daily: DailyDeal) -> Finish:
    """Return a function that makes a player's finished attempt at a day's deal, without telling anyone of it."""

    def deal_of(noon: datetime, division: str) -> DailyDeal:
        if (noon, division) == (NOON, "open"):
            return daily
        found = DailyDeal.objects.filter(day=noon.date(), rules="standard", division=division)
        if not found.exists():
            prepared_dailies(noon, days_ahead=0)
        return found.get()

    def finish(
        player: Player,
        cards_left: int = 0,
        moves: int = 40,
        elapsed_ms: int = 60_000,
        *,
        days: int = 0,
        division: str = "open",
        **fields: Any,
    ) -> Game:
        noon = NOON + timedelta(days=days)
        deal = deal_of(noon, division)
        scored = {"cards_left": cards_left, "moves": moves, "elapsed_ms": elapsed_ms}
        counts = {"draws": 0, "recycles": 0, "undos": 0, "hints": 0, "hasty": 0}
        when = {"created_at": noon, "started_at": noon, "finished_at": noon + timedelta(milliseconds=elapsed_ms)}
        place = {"player": player, "deal": deal.deal, "daily": deal, "status": "resigned" if cards_left else "won"}
        return Game.objects.create(**{**place, **when, **counts, **scored, **fields})

    return finish


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the Redis of the suite, or one started for these tests, so that both engines run on both databases."""
    if settings.REDIS_URL:
        yield settings.REDIS_URL
    elif shutil.which("redis-server"):
        folder = tmp_path_factory.mktemp("redis")
        with running_redis(folder, {}) as redis:
            yield redis.url
    else:
        pytest.skip("redis-server is not installed")


@pytest.fixture
def with_redis(redis_url: str, settings: Settings) -> Iterator[None]:
    settings.REDIS_URL = redis_url
    yield
    client().flushdb()


def submit_score(game: Game, now: datetime) -> list[Placement]:
    """Enter one game."""
    return submit([game.pk], now)[0]


def board_named(slug: str) -> Board:
    return Board.objects.get(slug=slug)


def values_of(entry: Entry) -> dict[str, int]:
    """Return the values that an entry's key was packed from."""
    return entry.board.key.order.unpack(entry.key)


@pytest.fixture
def _noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def table(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=41, elapsed_ms=183_250), NOON)
    submit_score(finish(bob, cards_left=3, moves=37), NOON)


@pytest.fixture
def nine(finish: Finish) -> None:
    submit([finish(player, moves=10 + place).pk for place, player in enumerate(crowd_of(9))], NOON)
