"""The socket of one's own news: each player hears their own, once, and in step with what was read elsewhere."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from games.cups.notifications import MATCH
from games.doors.refusals import BadMessage
from games.keys.authentication import issue_ticket
from games.notifications import notifications, socket, wire
from games.notifications.models import Notification
from games.notifications.notifications import NotificationKind, mark_read, notify
from games.players.models import Player
from games.runtime.pubsub import HEARD_AGAIN, pubsub
from tests.games.sockets import Client, connected
from tests.live_contract import answers_to, messages_of, validator

NOT_SIGNED_IN = 4401
FRIEND = NotificationKind(
    "friend", "New friends", lambda facts: f"{facts['name']} is your friend.", lambda facts: "/players/"
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]


@pytest.fixture(autouse=True)
def _kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "_kinds", {FRIEND.code: FRIEND})
    monkeypatch.setattr(socket, "PAUSE_SECONDS", 0)


@asynccontextmanager
async def news_of(player: Player | None, key: str = "") -> AsyncIterator[Client]:
    ticket = await sync_to_async(issue_ticket)(player) if player else key
    async with connected(f"/ws/me/?ticket={ticket}", [], about="me") as client:
        yield client


@sync_to_async
def befriend(player: Player, *others: str) -> None:
    for other in others:
        notify(FRIEND, {player.pk: {"name": other.title()}}, other, timezone.now())


async def heard(client: Client) -> tuple[int, list[str]]:
    news = await client.receive()
    assert news["type"] == "news"
    return news["unread"], [one["words"] for one in news["notifications"]]


async def test_a_player_hears_own_news_and_nobody_else_does(alice: Player, bob: Player) -> None:
    await befriend(alice, "carol")
    async with news_of(alice) as first, news_of(alice) as second, news_of(bob) as other:
        assert [await heard(one) for one in (first, second, other)] == [(1, []), (1, []), (0, [])]
        await befriend(alice, "dave")
        assert [await heard(one) for one in (first, second)] == [(2, ["Dave is your friend."])] * 2
        assert await other.is_silent()


async def test_who_connects_while_a_match_begins_is_told_and_later_or_once_it_is_read_no_more(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(notifications._kinds, MATCH.code, MATCH)
    await befriend(alice, "carol")
    begun = timezone.now()
    await sync_to_async(notify)(MATCH, {alice.pk: {"race": "4m7vq1ht2x9k"}}, "4m7vq1ht2x9k", begun)
    async with news_of(alice) as client, news_of(alice) as other:
        assert await heard(client) == await heard(other) == (2, ["Your match in the cup begins."])
        await befriend(alice, "dave")
        assert await heard(client) == (3, ["Dave is your friend."])
    match = await Notification.objects.aget(kind=MATCH.code)
    assert notifications.is_missed(match, begun + timedelta(minutes=2, seconds=-1))
    assert not notifications.is_missed(match, begun + timedelta(minutes=2))
    await sync_to_async(mark_read)(alice, match.pk, begun, only=True)
    async with news_of(alice) as client:
        assert await heard(client) == (2, [])


async def test_what_is_read_on_one_device_is_read_on_all(alice: Player) -> None:
    await befriend(alice, "carol")
    async with news_of(alice) as client:
        assert await heard(client) == (1, [])
        last = await Notification.objects.aget()
        await sync_to_async(mark_read)(alice, last.pk, timezone.now())
        assert await heard(client) == (0, [])


async def test_a_lost_announcement_is_made_up_for(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "_look_seconds", lambda: 0.01)
    async with news_of(alice) as client:
        assert await heard(client) == (0, [])
        facts = {"player": alice, "kind": "friend", "subject": "erin", "facts": {"name": "Erin"}}
        await Notification.objects.acreate(at=timezone.now(), **facts)
        assert await heard(client) == (1, ["Erin is your friend."])


async def test_news_of_a_time_without_redis_come_as_soon_as_others_are_heard_again(
    alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "_look_seconds", lambda: 300.0)
    async with news_of(alice) as client:
        assert await heard(client) == (0, [])
        await Notification.objects.acreate(
            player=alice, kind=FRIEND.code, subject="x", facts={"name": "Carol"}, at=timezone.now()
        )
        assert await client.is_silent()
        pubsub()._deliver(HEARD_AGAIN, {})
        assert await heard(client) == (1, ["Carol is your friend."])


async def test_more_than_twenty_at_once_are_counted_and_the_newest_listed(alice: Player) -> None:
    async with news_of(alice) as client:
        assert await heard(client) == (0, [])
        rows = {"player": alice, "kind": "friend", "facts": {"name": "Many"}, "at": timezone.now()}
        await Notification.objects.abulk_create(Notification(subject=str(number), **rows) for number in range(30))
        await befriend(alice, "zoe")
        unread, words = await heard(client)
        assert (unread, len(words), words[0]) == (31, 20, "Zoe is your friend.")


@pytest.mark.parametrize("key", ["", "nonsense"])
async def test_nobody_without_a_key_hears_anything(key: str) -> None:
    async with news_of(None, key) as client:
        assert await client.close_code() == NOT_SIGNED_IN


async def test_a_ping_is_answered_and_everything_else_refused(alice: Player) -> None:
    async with news_of(alice) as client:
        kinds = {(await client.receive())["type"]}
        for frame in ('{"type": "ping", "id": 7}', '{"type": "ping"}', '{"type": "news", "id": 1}', "[", "null"):
            await client.socket.send_to(text_data=frame)
            answer = await client.receive()
            assert answer["type"] in answers_to("me", "ping")
            assert answer.get("id") == 7 or answer["code"] == "bad_message"
            kinds.add(answer["type"])
        assert kinds == messages_of("me", "send")


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["ping", "pong", "news", 1, None]),
            "id": st.none() | st.booleans() | st.text(max_size=3) | st.integers(-1, 2) | st.integers(),
            "up_to": st.integers(),
        },
    )
)
def test_the_reader_reads_what_the_document_announces_and_nothing_else(message: dict[str, object]) -> None:
    try:
        wire.read(json.dumps(message))
    except BadMessage:
        assert not validator("me", "ping").is_valid(message)
    else:
        assert validator("me", "ping").is_valid(message)
