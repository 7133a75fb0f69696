"""Watchers of a cup hear of its bracket and of cards left, and never see a card."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings

from games.cups import course, feed, reading
from games.cups.models import Cup
from games.cups.rounds import COUNTDOWN_S
from games.keys.authentication import issue_ticket
from games.play.models import Game
from games.players.models import Player
from games.races import circles
from games.races.circles import Circle
from games.races.models import Race
from tests.games.api import Api
from tests.games.conftest import DECK
from tests.games.cups.conftest import Entrants, games_of, play, qualify, tick
from tests.games.sockets import Client, connected
from tests.games.ways_to_play import open_session, resign, take_action
from tests.moves import takes_from_pyramid

pytestmark = pytest.mark.django_db(transaction=True)
SECOND = timedelta(seconds=1)
NOT_FOUND, TRY_AGAIN_LATER = 4404, 1013


@pytest.fixture
def now() -> datetime:
    """The time of the doors, which read the clock."""
    return datetime.now(UTC)


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "SHOWN_FOR", 0.0)
    monkeypatch.setattr(feed, "SHOWN_FOR", 0.05)
    monkeypatch.setattr(feed, "PAUSE_SECONDS", 0.0)


@asynccontextmanager
async def entering(cup_id: str, player: Player | None) -> AsyncIterator[Client]:
    ticket = await sync_to_async(issue_ticket)(player) if player else ""
    async with connected(f"/ws/cups/{cup_id}/play/?ticket={ticket}", []) as client:
        yield client


async def test_who_opens_the_socket_of_an_entrant_is_in_the_qualification_and_plays(
    cup: Cup, alice: Player, bob: Player, now: datetime
) -> None:
    async with entering(cup.pk, alice) as early:
        assert await early.close_code() == NOT_FOUND
    await sync_to_async(tick)(now)
    async with AsyncExitStack() as open_sockets:
        arriving = [open_sockets.enter_async_context(entering(cup.pk, player)) for player in (alice, bob)]
        clients = await asyncio.gather(*arriving)
        games = [(await client.receive())["game"] for client in clients]
        assert len({*games}) == 2
        assert (await clients[0].play("D"))["version"] == 1
    async with entering(cup.pk, alice) as again:
        state = await again.receive()
        assert (state["game"], state["version"]) == (games[0], 1)
    assert await Game.objects.acount() == 2


async def test_who_may_not_enter_is_sent_away(
    cup: Cup, alice: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sync_to_async(tick)(now)
    bot = await Player.objects.acreate(username="bot", display_name="Bot", is_bot=True, owner=alice)
    for cup_id, player, code in [(cup.pk, bot, NOT_FOUND), ("2evnowhere", alice, NOT_FOUND), (cup.pk, None, 4401)]:
        async with entering(cup_id, player) as client:
            assert await client.close_code() == code
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "cup_entries", (1, 3600))  # every try has counted
    async with entering(cup.pk, bot) as client:
        assert await client.close_code() == TRY_AGAIN_LATER


async def test_a_watcher_hears_of_cards_left_and_of_each_new_bracket_but_of_no_card(
    cup: Cup, entrants: Entrants, now: datetime
) -> None:
    def begin() -> list[Game]:
        tick(qualify(cup, entrants(4), now) + COUNTDOWN_S * SECOND)
        return games_of(cup)

    def remove(game: Game) -> None:
        legal = (move.text for move in open_session(game, begins).play.legal_moves)
        take_action(game, next(filter(takes_from_pyramid, legal)), 0, begins + SECOND)

    def finish(games: list[Game]) -> None:
        resign(first, 1, begins + 2 * SECOND)
        for game in games:
            play(game, 5, begins)
        tick(begins + 9 * SECOND)

    begins = now + (cup.qualify_s + COUNTDOWN_S) * SECOND
    first, *others = await sync_to_async(begin)()
    async with connected(f"/ws/cups/{cup.pk}/1/", [], about="cup") as watcher:
        ((match,),) = (await watcher.receive())["cup"]["rounds"]
        assert [seat["cards_left"] for seat in match["seats"]] == [28] * 4
        await sync_to_async(remove)(first)
        assert await watcher.receive() == {
            "type": "progress",
            "seats": [{"race": match["race"], "handle": first.player.username, "cards_left": 26}],
        }
        race = await Race.objects.aget(cup_match__cup=cup)
        secrets = [DECK, race.deal_id, *(game.pk for game in (first, *others))]
        assert not [secret for secret in secrets if secret in json.dumps(watcher.heard)]
        await sync_to_async(finish)(others)
        while (bracket := await watcher.receive())["cup"]["state"] != "ended":
            pass
        assert bracket["cup"] == await sync_to_async(lambda: Api().get(f"/api/cups/{cup.pk}/").json())()
        assert (await watcher.ask("ping"))["type"] == "pong"
        await watcher.send("[]")
        assert (await watcher.receive())["code"] == "bad_message"


async def test_a_cup_that_opens_is_seen_although_no_notice_of_the_worker_comes(
    cup: Cup, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 3600)
    monkeypatch.setattr(course, "forget_cup", lambda cup_id: None)
    async with connected(f"/ws/cups/{cup.pk}/1/", [], about="cup") as watcher:
        assert (await watcher.receive())["cup"]["state"] == "announced"
        await sync_to_async(tick)(now)
        assert (await watcher.receive())["cup"]["state"] == "qualifying"


@pytest.mark.parametrize("division", ["0", "2", "9" * 40])
async def test_nobody_watches_a_cup_or_a_division_that_is_not_there(cup: Cup, division: str) -> None:
    for path in (f"/ws/cups/{cup.pk}/{division}/", f"/ws/cups/{'0' * 12}/{division}/"):
        async with connected(path, [], about="cup") as watcher:
            assert await watcher.close_code() == 4404


async def test_watchers_do_not_read_a_cup_each_for_themselves(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    read, count = reading.know_cup, 0

    def counted(*arguments: object) -> reading.KnownCup:
        nonlocal count
        count += 1
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(feed, "know_cup", counted)
    path = f"/ws/cups/{cup.pk}/1/"
    async with (
        connected(path, [], "cup") as one,
        connected(path, [], "cup") as two,
        connected(path, [], "cup") as three,
    ):
        for watcher in (one, two, three):
            await watcher.receive()
        before = count
        await sync_to_async(Cup.objects.filter(pk=cup.pk).update)(opens_at=cup.opens_at + 600 * SECOND)
        await sync_to_async(reading.forget_cup)(cup.pk)
        for watcher in (one, two, three):
            assert (await watcher.receive())["cup"]["opens_at"] > watcher.heard[0]["cup"]["opens_at"]
        assert count - before < 3  # one, or beside it the first of the feed, which may be under way


async def test_members_of_a_circle_alone_watch_its_tournament(
    alice: Player, mallory: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Circle("0" * 12, "Oxbow Club", is_led=False)
    monkeypatch.setattr(circles, "finders", [lambda player: [club] if player == alice else []])
    monkeypatch.setattr(circles, "rosters", [lambda _: [alice.pk]])
    terms = {"rules": "relaxed", "for_bots": False, "qualify_s": 0, "limit_s": 600, "announced_for": now}
    cup = await Cup.objects.acreate(**terms, opens_at=now, name="Open", code="BCDFGH", circle=club.id)
    path = f"/ws/cups/{cup.pk}/1/"
    for reader in (mallory, None):
        query = f"?ticket={await sync_to_async(issue_ticket)(reader)}" if reader else ""
        async with connected(f"{path}{query}", [], about="cup") as watcher:
            assert await watcher.close_code() == 4404
    async with connected(f"{path}?ticket={await sync_to_async(issue_ticket)(alice)}", [], about="cup") as watcher:
        assert (await watcher.receive())["cup"]["id"] == cup.pk
        await Cup.objects.filter(pk=cup.pk).aupdate(opens_at=now + SECOND)
        await sync_to_async(reading.forget_cup)(cup.pk)
        assert (await watcher.receive())["cup"]["id"] == cup.pk
