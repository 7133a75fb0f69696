from __future__ import annotations

import asyncio
import os
from queue import SimpleQueue
from threading import Event

import pytest
from redis import ConnectionError as LineBroken

from games.runtime.pubsub import HEARD_AGAIN, Message, Notice, PubSub, _RedisChannel
from games.runtime.redis_client import client_of


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


class BreakingLine:
    """A client of Redis whose connection has broken, and is made again for the next command."""

    def __init__(self) -> None:
        self.commands = 0
        self.sent: list[bytes] = []

    def publish(self, channel: str, data: bytes) -> None:
        self.commands += 1
        if self.commands == 1:
            raise LineBroken("closed by the server")
        self.sent.append(data)


def test_a_notice_whose_connection_broke_on_the_way_is_sent_again() -> None:
    """Nobody else would: only the sender knows that it is lost."""
    channel, line = object.__new__(_RedisChannel), BreakingLine()
    vars(channel).update(_sender=line, _channel="pyramid:notices:0")
    channel._send_or_drop([Notice("here", "moves", {"number": number}) for number in (1, 2)])
    assert line.sent == [b'[["here","moves",{"number":1}],["here","moves",{"number":2}]]']


@pytest.mark.servers
@pytest.mark.skipif("REDIS_URL" not in os.environ, reason="runs under tests.with_servers")
def test_a_message_that_cannot_be_read_keeps_nobody_from_hearing_the_next_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    url, heard, hears = os.environ["REDIS_URL"], SimpleQueue[Message](), Event()
    alice, bob = PubSub(url), PubSub(url)
    alice.listen(HEARD_AGAIN, lambda _: hears.set())
    alice.listen("topic", heard.put)
    assert alice.period or hears.wait(10)
    assert alice._others is not None
    for text in ('{"of": "tomorrow"}', '[["mallory", "topic"]]', "\xff"):
        client_of(url).publish(alice._others._channel, text)
    bob.publish("topic", {"number": 1})
    assert heard.get(timeout=180) == {"number": 1}
    assert set(caplog.messages) == {"notices of another process are passed over"}
