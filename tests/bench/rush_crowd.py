"""The players of a rush, made without asking a server, and what database and boards say of them afterwards."""

from __future__ import annotations

import os
import random
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.utils import timezone
from knox.models import AuthToken, get_digest_token
from knox.settings import CONSTANTS

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.deals.daily import Division
from games.play.models import Game
from games.play.sessions import expire_overdue
from games.players.models import Player, new_id
from leaderboards.boards import reading
from leaderboards.boards.models import Board, Entry
from tests.processes import UNLIMITED

SAMPLE, NEIGHBOURS = 50, 11


def todays_deal() -> DailyDeal:
    """Return today's deal of those who have no name yet."""
    now = timezone.now()
    ensure_dailies(now)
    return DailyDeal.objects.get(day=now.date(), rules="standard", division=Division.OPEN)


def expire(daily: DailyDeal) -> int:
    """Expire the games that are still being played when their time runs out, as the worker does."""
    return expire_overdue(daily.key.finish_by)


def crowd(number: int, *, is_guest: bool = True, is_bot: bool = True) -> list[str]:
    """Make so many players and return the tokens that open their accounts. Bots may be as fast as they are."""
    names = [new_id() for _ in range(number)]
    guests = Player.objects.bulk_create(
        Player(username=f"guest-{name}", display_name="Guest", password="!", is_guest=is_guest, is_bot=is_bot)
        for name in names
    )
    keys = [get_digest_token() for _ in guests]
    expiry = timezone.now() + timedelta(days=1)
    AuthToken.objects.bulk_create(
        AuthToken(user=guest, digest=digest, token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH], expiry=expiry)
        for guest, (digest, token) in zip(guests, keys, strict=True)
    )
    return [token for _, token in keys]


def environment() -> dict[str, str]:
    """Return the environment of processes that share the database of this one."""
    name = connection.settings_dict["NAME"]
    shared = os.environ.get("DATABASE_URL", "sqlite")
    url = f"sqlite:///{name}" if shared.startswith("sqlite") else urlsplit(shared)._replace(path=f"/{name}").geturl()
    programme = {"PYRAMID_DAILY_RULE_SETS": "standard", "PYRAMID_LOG_LEVEL": "WARNING"}
    return {**os.environ, **UNLIMITED, **programme, "DATABASE_URL": url, "PYRAMID_SECRET_KEY": settings.SECRET_KEY}


def require_one_attempt_each(daily: DailyDeal, players: int) -> None:
    """Raise `AssertionError` if a start was lost or doubled."""
    attempts = Game.objects.filter(daily=daily).values("player").annotate(games=Count("pk")).order_by()
    assert [row["games"] for row in attempts] == [1] * players, f"{len(attempts)} of {players} players have attempts"


def require_agreement(daily: DailyDeal, players: int) -> int:
    """Raise `AssertionError` unless each game counts once, and list, rank, neighbours and number agree on every board.

    Return how many boards there are.
    """
    ended = Game.objects.filter(daily=daily).exclude(status=Game.Status.PLAYING)
    assert ended.count() == players
    boards = list(Board.objects.filter(entries__player__games__daily=daily).distinct())
    for board in boards:
        _require_agreement(board, players)
    return len(boards)


def _require_agreement(board: Board, players: int) -> None:
    listed = Entry.objects.filter(board=board, valid_to=None, listed=True)
    assert listed.count() == listed.values("player").distinct().count() == players, f"{board} lists {listed.count()}"
    view = reading.view_of(board)
    table = reading.top_of(view, players + 1)
    assert table.count == len(table.rows) == players, f"{board} counts {table.count}, shows {len(table.rows)}"
    for index in random.sample(range(players), min(SAMPLE, players)):
        row = table.rows[index]
        handle = row.score.handle
        assert reading.standing_of(view, handle).row.place == row.place, f"{handle} on {board}"
        around = [row.place for row in reading.around_player(view, handle, NEIGHBOURS).rows]
        first = table.rows.index(next(other for other in table.rows if other.place == around[0]))
        assert row.place in around
        assert around == [other.place for other in table.rows[first : first + len(around)]], f"{handle} on {board}"
