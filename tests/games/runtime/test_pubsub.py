from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from redis import Redis

from games.runtime.pubsub import Message, PubSub
from tests.forwarder import Forwarder


async def test_every_subscriber_of_a_topic_in_an_event_loop_gets_each_message_once() -> None:
    pubsub, received = PubSub(""), []

    def first(message: Message) -> None:
        received.append(("first", message["number"]))

    def second(message: Message) -> None:
        received.append(("second", message["number"]))

    for subscriber in (first, second, first):
        pubsub.subscribe("topic", subscriber)
    pubsub.publish("topic", {"number": 1})
    pubsub.publish("other", {"number": 2})
    await asyncio.sleep(0)
    assert sorted(received) == [("first", 1), ("second", 1)]


@pytest.mark.servers
async def test_a_notice_that_was_under_way_when_its_line_broke_arrives() -> None:
    """Nobody would publish it again: only the sender knows that it is lost."""
    port = urlsplit(settings.REDIS_URL).port
    assert port is not None
    async with Forwarder([port]) as line:
        sender, hearer = PubSub(line.instead_of(settings.REDIS_URL)), PubSub(settings.REDIS_URL)
        heard: asyncio.Queue[Message] = asyncio.Queue()
        hearer.subscribe("moves", heard.put_nowait)
        while heard.empty():  # until both have their connections
            sender.publish("moves", {"number": 0})
            await asyncio.sleep(0.05)
        division = asyncio.create_task(line.divide(0.5, breaks=False))
        await asyncio.sleep(0.1)
        sender.publish("moves", {"number": 1})
        await asyncio.sleep(0.1)
        with Redis.from_url(settings.REDIS_URL) as redis:
            here = redis.client_info()
            for client in redis.client_list(_type="normal"):
                if client["db"] == str(here["db"]) and client["id"] != str(here["id"]):
                    redis.client_kill_filter(_id=client["id"])
        await division
        async with asyncio.timeout(20):
            while await heard.get() != {"number": 1}:
                pass
