from __future__ import annotations

import asyncio

from games.runtime.pubsub import Message, PubSub


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
