"""Players who all come back at once, to a process that knows nothing of them, are looked up together."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.accounts.guests import new_guest
from games.calendar.models import DailyDeal
from games.keys.authentication import visitor_of
from games.keys.tokens import issue_token
from games.play import journal
from games.play.live import loading
from games.play.live.live_game import LiveGame
from games.play.live.live_games import live_games
from games.play.live.starting import todays_attempt
from games.play.models import Move
from games.play.refusals import UnknownGame
from games.play.starting import start_ranked
from games.players.models import Player
from games.rules import DRAW, NotationError
from games.runtime.memory import forget_everything
from tests.games.conftest import NOON
from tests.games.ways_to_play import commit, open_session
from tests.guards import guards_dropped

pytestmark = pytest.mark.django_db(transaction=True)

CROWD = 12
LATER = NOON + timedelta(minutes=1)
MOST_QUERIES = 6  # the day, its deals, tokens, attempts, games, logs; no more for a larger crowd


def begun_games() -> dict[str, tuple[int, int]]:
    """Have a crowd begin and play, one a move more than the other; return by token the player and the version."""
    versions = {}
    for moves in range(CROWD):
        player = new_guest()
        session = open_session(start_ranked(player, "standard", NOON), NOON)
        for _ in range(moves):
            commit(session.act(DRAW, session.play.version, NOON + timedelta(seconds=session.play.version)))
        versions[issue_token(player).token] = (player.pk, moves)
    return versions


async def come_back(token: str) -> tuple[int, int]:
    visitor = await visitor_of({"headers": [(b"authorization", f"Bearer {token}".encode())]})
    assert visitor.player is not None
    attempt = await todays_attempt(visitor.player, "standard", LATER)
    game = await live_games().enter(attempt.game, LATER, in_crowd=True)
    return game.player, game.session.play.version


async def all_come_back(tokens: list[str]) -> list[tuple[int, int]]:
    return await asyncio.gather(*map(come_back, tokens))


def test_a_crowd_finds_its_games_again_with_no_more_queries_than_one_player(daily: DailyDeal) -> None:
    begun = begun_games()
    forget_everything()
    with CaptureQueriesContext(connection) as asked:
        found = async_to_sync(all_come_back)(list(begun))
    assert found == list(begun.values())
    assert len(asked) <= MOST_QUERIES, [query["sql"] for query in asked]


def test_a_game_that_is_unknown_or_damaged_keeps_nobody_else_from_coming_back(
    alice: Player, bob: Player, daily: DailyDeal
) -> None:
    sound, damaged = (start_ranked(player, "standard", NOON) for player in (alice, bob))
    for game in (sound, damaged):
        commit(open_session(game, NOON).act(DRAW, 0, LATER))
    with guards_dropped():
        Move.objects.filter(game=damaged).update(action="QQ")

    async def enter_all() -> list[LiveGame | BaseException]:
        entered = (live_games().enter(game, LATER, in_crowd=True) for game in (damaged.id, sound.id, "000000000000"))
        return await asyncio.gather(*entered, return_exceptions=True)

    broken, played, unknown = async_to_sync(enter_all)()
    assert isinstance(broken, NotationError)
    assert isinstance(played, LiveGame)
    assert played.session.play.version == 1
    assert isinstance(unknown, UnknownGame)


def test_a_notice_of_what_another_process_does_while_a_game_is_read_for_a_crowd_is_not_missed(
    alice: Player, daily: DailyDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, read = start_ranked(alice, "standard", NOON), loading.load_in_crowd
    elsewhere = open_session(game, NOON).act(DRAW, 0, LATER)

    async def read_just_before(game_id: str, now: datetime) -> loading.Loaded:
        found = await read(game_id, now)
        await journal.write(elsewhere)
        live_games()._hear({"kind": "changed", "game": game_id, "by": "another process"})
        return found

    async def enter() -> int:
        entered = await live_games().enter(game.id, LATER, in_crowd=True)
        await asyncio.gather(*live_games()._tasks)
        return entered.session.play.version

    monkeypatch.setattr(loading, "load_in_crowd", read_just_before)
    assert async_to_sync(enter)() == 1
