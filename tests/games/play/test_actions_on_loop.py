"""Ranked starts and actions over REST that the event loop answers, as their views do."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings

from games.doors.rest import on_loop
from games.keys.tokens import issue_token
from games.play.live import live_games as registry
from games.play.live.live_games import live_games
from games.play.models import Game, Move
from games.players import devices
from games.players.devices import Seen, players_seen
from games.players.models import Player
from games.runtime.memory import forget_everything
from tests.calendar import prepared_dailies
from tests.counts import forget_counts
from tests.guards import guards_dropped
from tests.pyramid_server.test_http import ask

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("views")]

DAILY, PRACTICE = b'{"kind": "daily", "rules": "standard"}', b'{"kind": "practice", "rules": "relaxed"}'
GAMES = "/api/games/"
OF_ONE_ANSWER = {"x-request-id", "content-length", "location", "ratelimit"}
Key = dict[str, str]


async def key_of(player: Player) -> Key:
    await sync_to_async(prepared_dailies)(datetime.now(UTC), 1)
    signed_in = await sync_to_async(issue_token)(player)
    return {"authorization": f"Bearer {signed_in.token}"}


async def begun(key: Key, body: bytes = DAILY) -> str:
    """Start a game and its clock; return the address of its actions."""
    status, headers, _ = await ask(GAMES, body, **key)
    assert status == 201
    assert (await ask(f"{headers['location']}state/", **key))[0] == 200
    return f"{headers['location']}actions/"


def draw(version: int) -> bytes:
    return json.dumps({"version": version, "action": "D"}).encode()


def lasting(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in OF_ONE_ANSWER}


async def test_an_action_is_answered_and_logged_as_by_its_view(views: list[str], alice: Player, bob: Player) -> None:
    as_alice, as_bob = await key_of(alice), await key_of(bob)
    of_alice, of_bob = await begun(as_alice), await begun(as_bob)
    views.clear()
    by_view = await ask(of_alice, draw(0), **as_alice)
    by_loop = [await ask(of_bob, draw(version), **as_bob) for version in range(3)]
    assert views == [of_alice]
    assert [status for status, _, _ in (by_view, *by_loop)] == [200] * 4
    assert lasting(by_view[1]) == lasting(by_loop[0][1])
    assert json.loads(by_view[2]).keys() == json.loads(by_loop[0][2]).keys()
    assert await Move.objects.filter(game__player=bob).acount() == 3


@pytest.mark.parametrize("language", ["en", "de"])
async def test_an_action_is_refused_as_by_its_view(views: list[str], alice: Player, bob: Player, language: str) -> None:
    as_alice, as_bob = [await key_of(player) | {"accept_language": language} for player in (alice, bob)]
    actions, nobodys = await begun(as_alice), {"authorization": "Bearer nobody", "accept_language": language}
    unknown = f"{GAMES}{'0' * 15}/actions/"
    asked = [
        (actions, draw(7), as_alice, 409),
        (actions, b'{"version": 1, "action": "Kd9s"}', as_alice, 409),
        (actions, b'{"version": 1, "action": "up"}', as_alice, 400),
        (actions, b'{"version": 9, "action": "U"}', as_alice, 409),
        (actions, draw(1), as_bob, 403),
        (actions, draw(1), nobodys, 401),
        (actions, draw(1), {"accept_language": language}, 401),
        (unknown, draw(0), as_alice, 404),
        (actions, b'{"version": "1", "action": "D"}', as_alice, 400),
    ]
    assert (await ask(actions, draw(0), **as_alice))[0] == 200
    on_loop.forget()
    by_view = [await ask(path, body, **key) for path, body, key, _ in asked]
    assert (await ask(actions, draw(0), **as_alice))[0] == 200
    by_loop = [await ask(path, body, **key) for path, body, key, _ in asked]
    codes = [(status, json.loads(body)["code"]) for status, _, body in by_view]
    assert [status for status, _ in codes] == [status for *_, status in asked]
    assert [(status, json.loads(body)["code"]) for status, _, body in by_loop] == codes
    assert [lasting(headers) for _, headers, _ in by_loop] == [lasting(headers) for _, headers, _ in by_view]


async def test_an_action_that_is_sent_again_is_answered_again_and_taken_once(alice: Player) -> None:
    key = await key_of(alice)
    actions = await begun(key)
    answers = [await ask(actions, draw(0), **key) for _ in range(3)]
    assert len({body for _, _, body in answers}) == 1
    assert await Move.objects.acount() == 1


async def test_a_game_stays_in_memory_for_the_next_action_and_then_leaves_it(
    monkeypatch: pytest.MonkeyPatch, alice: Player
) -> None:
    monkeypatch.setattr(registry, "LINGER_SECONDS", 0)
    key = await key_of(alice)
    actions = await begun(key)
    assert (await ask(actions, draw(0), **key))[0] == 200
    for _ in range(3):  # until the loop has done what is due
        await asyncio.sleep(0)
    assert not live_games()._games
    monkeypatch.setattr(registry, "LINGER_SECONDS", 60)
    assert (await ask(actions, draw(1), **key))[0] == 200
    [live] = live_games()._games.values()
    assert (await ask(actions, draw(2), **key))[0] == 200
    assert [*live_games()._games.values()] == [live]


async def test_not_more_games_stay_in_memory_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch, alice: Player, bob: Player, carol: Player
) -> None:
    monkeypatch.setattr(registry, "MOST_LINGERING", 2)
    played = []
    for player in (alice, bob, carol):
        key = await key_of(player)
        actions = await begun(key)
        played.append(actions.split("/")[3])
        for version in range(3):  # a game takes one place, however often its player acts
            assert (await ask(actions, draw(version), **key))[0] == 200
    assert [*live_games()._games] == played[:2]


async def test_what_another_process_did_to_a_game_in_memory_is_known_to_the_next_action(alice: Player) -> None:
    key = await key_of(alice)
    actions = await begun(key)
    assert (await ask(actions, draw(0), **key))[0] == 200
    game = await Game.objects.aget()
    await Move.objects.acreate(game=game, version=2, action="D", at_ms=10_000)
    assert (await ask(actions, b'{"version": 1, "action": "R"}', **key))[0] == 409
    assert (await ask(actions, draw(2), **key))[0] == 200
    assert [move.version async for move in Move.objects.order_by("version")] == [1, 2, 3]


async def test_a_game_in_memory_follows_a_database_that_was_restored_and_lacks_its_last_move(alice: Player) -> None:
    key = await key_of(alice)
    actions = await begun(key)
    for version in range(3):
        assert (await ask(actions, draw(version), **key))[0] == 200
    [live] = live_games()._games.values()
    await sync_to_async(lose_moves_after)(1)
    status, _, text = await ask(actions.replace("actions", "state"), **key)
    assert (status, json.loads(text)["version"]) == (200, 1)
    assert (await ask(actions, draw(1), **key))[0] == 200
    assert [*live_games()._games.values()] == [live]


def lose_moves_after(version: int) -> None:
    with guards_dropped():
        Move.objects.filter(version__gt=version).delete()


async def test_a_token_that_ends_opens_nothing_any_more(alice: Player) -> None:
    key = await key_of(alice)
    actions = await begun(key)
    assert (await ask(actions, draw(0), **key))[0] == 200
    assert (await ask("/api/sign-out/", b"{}", **key))[0] == 200
    assert (await ask(actions, draw(1), **key))[0] == 401


async def test_a_token_that_is_not_cached_is_looked_up_by_the_view(views: list[str], alice: Player) -> None:
    key = await key_of(alice)
    actions = await begun(key)
    await ask(actions, draw(0), **key)
    forget_everything()
    views.clear()
    assert [(await ask(actions, draw(version), **key))[0] for version in (1, 2)] == [200, 200]
    assert views == [actions]


async def test_requests_of_the_loop_count_for_their_player(
    monkeypatch: pytest.MonkeyPatch, alice: Player, bob: Player
) -> None:
    key = await key_of(alice)
    actions = await begun(key)
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "user", (3, 3600))
    forget_counts()
    statuses = [(await ask(actions, draw(version), **key))[0] for version in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert await Move.objects.acount() == 3


async def test_a_visit_is_reported_from_the_loop_too(
    views: list[str], monkeypatch: pytest.MonkeyPatch, alice: Player, bob: Player
) -> None:
    seen: list[int] = []

    def note(sender: object, visits: list[Seen], **_: object) -> None:
        seen.extend(visit.player for visit in visits)

    as_alice, as_bob = await key_of(alice), await key_of(bob)
    monkeypatch.setattr(devices, "LOOPBACK", ("nowhere",))
    players_seen.connect(note)
    try:
        for key in (as_alice, as_bob, as_bob):
            assert (await ask(GAMES, DAILY, **key))[0] in {200, 201}
    finally:
        players_seen.disconnect(note)
    assert (seen, views) == ([alice.pk, bob.pk], [GAMES])


async def test_a_start_is_answered_as_by_its_view(views: list[str], alice: Player, bob: Player) -> None:
    as_alice, as_bob = await key_of(alice), await key_of(bob)
    by_view, by_loop = [await ask(GAMES, DAILY, **key) for key in (as_alice, as_bob)]
    again_by_loop = await ask(GAMES, DAILY, **as_bob)
    on_loop.forget()
    again_by_view = await ask(GAMES, DAILY, **as_bob)
    assert [status for status, _, _ in (by_view, by_loop, again_by_loop, again_by_view)] == [201, 201, 200, 200]
    assert views == [GAMES] * 2
    assert lasting(by_view[1]) == lasting(by_loop[1])
    assert json.loads(by_loop[2]).keys() == json.loads(by_view[2]).keys()
    assert by_loop[1]["location"] == again_by_view[1]["location"] == f"{GAMES}{json.loads(by_loop[2])['id']}/"
    assert again_by_loop[2] == again_by_view[2]
    assert await Game.objects.acount() == 2


async def test_other_starts_are_left_to_the_view(views: list[str], alice: Player) -> None:
    key = await key_of(alice)
    await ask(GAMES, DAILY, **key)
    assert [(await ask(GAMES, PRACTICE, **key))[0] for _ in range(2)] == [201, 201]
    assert views == [GAMES] * 3
