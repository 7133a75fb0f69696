"""The socket of a race: the room, the countdown and everyone's progress, but never a card."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.doors.scopes import Scope
from games.keys.authentication import issue_ticket
from games.keys.keys import make_token
from games.personal_data.erasure import erase_player
from games.players.models import Player
from games.races import course, feed, rooms, socket_wire
from games.races.invites import invite_of
from games.races.models import Race
from games.races.notices import Progress
from games.races.ratings import rate_races
from games.races.reading import KnownRace, know_race, know_together
from games.races.refusals import UnknownRace
from tests.games.races.conftest import TERMS, game_of
from tests.games.races.test_ratings import ended
from tests.games.sockets import Client, Json, connected

pytestmark = pytest.mark.django_db(transaction=True)

NOT_SIGNED_IN, NOT_FOUND = 4401, 4404
PAGE = (Path(__file__).parents[3] / "docs" / "races.md").read_text()


@asynccontextmanager
async def at(race_id: str, player: Player | None) -> AsyncIterator[Client]:
    ticket = await sync_to_async(issue_ticket)(player) if player else ""
    async with connected(f"/ws/races/{race_id}/?ticket={ticket}", [], about="race") as client:
        yield client


async def hear_room(client: Client, state: str) -> Json:
    """Return the next room in a state; rooms in other states, and standings, may come before it."""
    while True:
        message = await client.receive()
        if message["type"] == "room" and message["race"]["state"] == state:
            race: Json = message["race"]
            return race


@pytest.fixture
def live_room(alice: Player, bob: Player) -> Race:
    """A room of alice and bob by the clock of the sockets, whose countdown takes no time."""
    room = rooms.create_race(alice, rooms.Terms("relaxed", countdown_s=0), timezone.now())
    return rooms.join(room.pk, bob, invite_of(room.pk), timezone.now())


async def test_a_race_over_sockets_alone(
    live_room: Race, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 3600)  # nothing is looked up
    async with at(live_room.pk, alice) as host, at(live_room.pk, bob) as guest:
        room = await hear_room(host, "open")
        assert [racer["display_name"] for racer in room["racers"]] == ["Alice", "Bob"]
        await hear_room(guest, "open")
        await host.send(json.dumps({"type": "start", "id": 1}))
        games = [(await hear_room(client, "running"))["game"] for client in (host, guest)]
        while None in games:  # the moment before the games are made
            games = [(await hear_room(client, "running"))["game"] for client in (host, guest)]
        ticket = await sync_to_async(issue_ticket)(bob)
        async with connected(f"/ws/games/{games[1]}/?ticket={ticket}", []) as own:
            await own.receive()
            await own.play("D")
            told = await next_standings(host)
            assert [(row["handle"], row["moves"], row["game"]) for row in told] == [(bob.username, 1, None)]
            for client in (guest, host):
                await client.send(json.dumps({"type": "leave", "id": 2}))
            ended = await hear_room(host, "ended")
            assert (await own.receive())["type"] == "finished"
        assert {racer["place"] for racer in ended["racers"]} == {1, 2}
        await hear_room(guest, "ended")
        await guest.send(json.dumps({"type": "rematch", "id": 3}))
        followed = (await hear_room(host, "ended"))["rematch"]
        assert followed is not None


async def next_standings(client: Client) -> list[Json]:
    while (message := await client.receive())["type"] != "standings":
        pass
    rows: list[Json] = message["racers"]
    return rows


async def test_a_race_by_invite_is_for_its_racers(live_room: Race, bob: Player, mallory: Player) -> None:
    for stranger in (mallory, None):
        async with at(live_room.pk, stranger) as client:
            assert await client.close_code() == NOT_FOUND
    async with at(live_room.pk, bob) as client:
        await hear_room(client, "open")
        await client.send(json.dumps({"type": "leave", "id": 1}))
        while (event := await client.socket.receive_output(timeout=180))["type"] != "websocket.close":
            pass
        assert event["code"] == NOT_FOUND


async def test_who_asks_for_races_that_do_not_exist_fills_no_log(
    live_room: Race, mallory: Player, caplog: pytest.LogCaptureFixture
) -> None:
    async with at("2evnowhere", mallory) as client:
        assert await client.close_code() == NOT_FOUND
    assert not caplog.messages


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The races that feeds have read, in their order."""
    readings: list[str] = []

    def reading(asked: Sequence[tuple[str, Mapping[str, Progress]]]) -> list[KnownRace | UnknownRace]:
        readings.extend(race_id for race_id, _ in asked)
        return know_together(asked)

    monkeypatch.setattr(feed, "know_together", reading)
    monkeypatch.setattr(feed, "LOOK_SECONDS", 3600)
    return readings


async def test_racers_who_come_at_once_do_not_each_read_their_room(
    live_room: Race, alice: Player, bob: Player, readings: list[str]
) -> None:
    async with AsyncExitStack() as open_sockets:
        arriving = (open_sockets.enter_async_context(at(live_room.pk, racer)) for racer in (alice, bob) * 5)
        for client in await asyncio.gather(*arriving):
            await hear_room(client, "open")
        late = await open_sockets.enter_async_context(at(live_room.pk, bob))
        await hear_room(late, "open")
    assert readings == [live_room.pk]


async def test_the_start_of_a_race_is_told_without_reading_it(alice: Player, bob: Player, readings: list[str]) -> None:
    in_a_moment = rooms.Terms("relaxed", countdown_s=2)
    room = await sync_to_async(rooms.create_race)(alice, in_a_moment, timezone.now())
    await sync_to_async(rooms.join)(room.pk, bob, invite_of(room.pk), timezone.now())
    await sync_to_async(rooms.start)(room.pk, alice, timezone.now())
    async with at(room.pk, alice) as host, at(room.pk, bob) as guest:
        for client, racer in ((host, alice), (guest, bob)):
            while (race := await hear_room(client, "running"))["game"] is None:
                pass  # the moment before the games are made
            assert race["game"] == (await sync_to_async(game_of)(room, racer)).pk
            assert [(racer["result"], racer["cards_left"]) for racer in race["racers"]] == [("playing", 28)] * 2
    assert readings == [room.pk]


async def test_a_start_that_is_heard_after_the_first_moves_begins_the_race_for_all_watchers(live_room: Race) -> None:
    known = await sync_to_async(know_race)(live_room.pk, {})
    games = {racer.pk: f"game{racer.pk}" for racer in known.racers}
    heard = feed.RaceFeed(live_room.pk, feed.race_feeds())
    heard._adopt(known)
    moved = {game: {"version": 1, "cards_left": 26, "moves": 1, "elapsed_ms": 500} for game in games.values()}
    heard.receive({"progress": {live_room.pk: moved}})
    assert {row.result for row in heard._rows().values()} == {None}
    start = {"begun_at": timezone.now(), "cards_left": 28, "games": games}
    heard.receive({"starts": {live_room.pk: start}})
    assert {(row.result, row.cards_left) for row in heard._rows().values()} == {("playing", 26)}


async def test_someone_whose_joining_was_not_heard_of_is_let_in(
    live_room: Race, alice: Player, mallory: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 3600)
    async with at(live_room.pk, alice) as host:
        await hear_room(host, "open")
        with monkeypatch.context() as lost:
            lost.setattr(rooms, "publish_change", lambda race_id: None)
            await sync_to_async(rooms.join)(live_room.pk, mallory, invite_of(live_room.pk), timezone.now())
        async with at(live_room.pk, mallory) as late:
            names = [racer["display_name"] for racer in (await hear_room(late, "open"))["racers"]]
            assert names == ["Alice", "Bob", "Mallory"]
            assert len((await hear_room(host, "open"))["racers"]) == 3


@asynccontextmanager
async def playing(race_id: str, player: Player | None) -> AsyncIterator[Client]:
    ticket = await sync_to_async(issue_ticket)(player) if player else ""
    async with connected(f"/ws/races/{race_id}/play/?ticket={ticket}", [], about="racer") as client:
        yield client


async def hear_state(client: Client) -> Json:
    """Return the state of the game that begins on a racer's socket."""
    while (message := await client.receive())["type"] != "state":
        assert (message["type"], message["race"]["game"]) == ("room", None)
    return message


async def test_one_socket_has_the_room_and_then_the_game(live_room: Race, alice: Player, bob: Player) -> None:
    async with playing(live_room.pk, alice) as host, playing(live_room.pk, bob) as guest:
        await hear_room(guest, "open")
        assert "server_now" in await guest.ask("ping")
        assert (await guest.ask("rematch"))["code"] == "race_not_over"
        await hear_room(host, "open")
        await host.send('{"type": "start", "id": 1}')
        while (await host.receive())["type"] != "done":
            pass
        for client, racer in ((host, alice), (guest, bob)):
            assert (await hear_state(client))["game"] == (await sync_to_async(game_of)(live_room, racer)).pk
        assert (await guest.play("D"))["version"] == 1
        assert (await guest.play("AcAd"))["version"] == 1
        assert "elapsed_ms" in await guest.ask("ping")
        assert (await guest.ask("rematch"))["code"] == "bad_message"
        assert (await host.ask("resign", version=0))["type"] == "finished"
    async with playing(live_room.pk, bob) as again:
        assert (await hear_state(again))["version"] == 1
        assert (await again.play("D"))["version"] == 2


async def test_only_racers_play(live_room: Race, alice: Player, bob: Player, mallory: Player) -> None:
    public = await sync_to_async(rooms.create_race)(alice, rooms.Terms("relaxed", is_public=True), timezone.now())
    for race_id in (public.pk, live_room.pk, "2evnowhere"):
        async with playing(race_id, mallory) as client:
            assert await client.close_code() == NOT_FOUND
    async with playing(public.pk, None) as client:
        assert await client.close_code() == NOT_SIGNED_IN
    async with playing(live_room.pk, bob) as client:
        await hear_room(client, "open")
        await client.send('{"type": "leave", "id": 1}')
        while (event := await client.socket.receive_output(timeout=180))["type"] != "websocket.close":
            pass
        assert event["code"] == NOT_FOUND


async def test_a_frame_that_is_too_long_is_refused_before_the_start_too(live_room: Race, bob: Player) -> None:
    async with playing(live_room.pk, bob) as client:
        await hear_room(client, "open")
        await client.send("x" * 5000)
        assert (await client.receive())["code"] == "message_too_large"
        assert await client.close_code() == 1009


async def test_what_is_no_command_is_refused(live_room: Race, bob: Player) -> None:
    async with at(live_room.pk, bob) as client:
        await hear_room(client, "open")
        for text, code in [
            ("{", "bad_message"),
            ('{"type": "play", "id": 1}', "bad_message"),
            ('{"type": "start", "id": 1}', "not_host"),
            ('{"type": "rematch", "id": 1}', "race_not_over"),
        ]:
            await client.send(text)
            while (message := await client.receive())["type"] == "room":
                pass
            assert (message["type"], message["code"]) == ("refused", code)
        answer = await client.ask("ping")
        assert answer["type"] == "pong"


async def test_a_token_without_the_scope_commands_nothing_and_learns_which_it_lacks(
    live_room: Race, alice: Player
) -> None:
    token = (await sync_to_async(make_token)(alice, "x", frozenset({Scope.READ, Scope.PLAY}))).token
    for path, about in (("", "race"), ("play/", "racer")):
        address = f"/ws/races/{live_room.pk}/{path}"
        async with connected(address, [(b"authorization", f"Bearer {token}".encode())], about) as client:
            await hear_room(client, "open")
            refused = await client.ask("start")
            assert (refused["code"], refused["scope"]) == ("missing_scope", "races")


async def test_someone_unknown_watches_a_public_race_and_commands_nothing(alice: Player) -> None:
    terms = rooms.Terms("relaxed", is_public=True)
    race = await sync_to_async(rooms.create_race)(alice, terms, timezone.now())
    async with at(race.pk, None) as client:
        await hear_room(client, "open")
        await client.send('{"type": "start", "id": 1}')
        while (message := await client.receive())["type"] == "room":
            pass
        assert message["code"] == "not_signed_in"


async def test_the_end_that_the_worker_made_is_heard(live_room: Race, alice: Player, bob: Player) -> None:
    long_ago = timezone.now() - timedelta(seconds=TERMS.limit_s - 1)
    await sync_to_async(rooms.start)(live_room.pk, alice, long_ago)
    await sync_to_async(course.advance)([live_room.pk], long_ago)
    game = await sync_to_async(game_of)(live_room, bob)
    ticket = await sync_to_async(issue_ticket)(bob)
    async with at(live_room.pk, alice) as client, connected(f"/ws/games/{game.pk}/?ticket={ticket}", []) as own:
        await hear_room(client, "running")
        await own.receive()
        await sync_to_async(course.advance_all)(long_ago + timedelta(seconds=live_room.limit_s))
        assert (await hear_room(client, "ended"))["end"] == "time_up"
        assert (await own.receive())["result"] == "expired"


async def test_the_ratings_are_heard_once_the_race_is_rated() -> None:
    people = [await Player.objects.acreate(username=handle) for handle in ("carol", "racer-0", "racer-1", "racer-2")]
    race = await sync_to_async(ended)(people, timezone.now())
    async with at(race.pk, None) as client:
        assert [racer["rating"] for racer in (await hear_room(client, "ended"))["racers"]] == [None] * 4
        await sync_to_async(rate_races)(timezone.now())
        told = {racer["handle"]: racer["rating"]["change"] for racer in await next_standings(client)}
    assert told["carol"] > 0 > told["racer-2"]


async def test_bob_who_deletes_his_account_in_the_middle_of_a_race_is_gone_for_those_who_watch_it(
    live_room: Race, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 3600)  # nothing is looked up
    await sync_to_async(rooms.start)(live_room.pk, alice, timezone.now())
    await sync_to_async(course.advance)([live_room.pk], timezone.now())
    async with at(live_room.pk, alice) as client:
        await hear_room(client, "running")
        await sync_to_async(erase_player)(bob, "bob asked for it", None, timezone.now())
        [stayed, gone] = (await hear_room(client, "running"))["racers"]
    bob = await Player.objects.aget(pk=bob.pk)
    assert (stayed["handle"], stayed["result"]) == (alice.username, "playing")
    assert (gone["handle"], gone["display_name"], gone["result"]) == (bob.username, "Closed account", "absent")


@pytest.mark.parametrize(
    ("side", "union"), [("client", socket_wire.ClientMessage), ("server", socket_wire.ServerMessage)]
)
def test_the_page_on_races_has_every_message_with_its_fields(side: str, union: object) -> None:
    table = PAGE.split(f"| from the {side} | fields | |\n")[1].split("\n\n")[0]
    documented = dict(re.findall(r"^\| `(\w+)` \| (.*?) ?\|", table, re.MULTILINE))
    declared = {
        kind.__name__.lower(): ", ".join(
            f"`{field.name}`" for field in msgspec.structs.fields(kind) if side == "server" or field.name != "id"
        )
        for kind in get_args(union)
    }
    assert documented == declared
