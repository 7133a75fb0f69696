"""A feed is shared by all its followers, and renewed as long as it has any."""

from __future__ import annotations

import asyncio

import pytest
from django.db import OperationalError

from games.doors.sockets import feeds
from games.doors.sockets.feeds import Feed, Feeds
from games.runtime.pubsub import pubsub

TOPIC = "subjects"


class Subject(Feed[str]):
    """Counts its renewals; `failures` of them fail."""

    def __init__(self, *, look_seconds: float = 3600, failures: int = 0) -> None:
        super().__init__("a subject")
        self.renewals = 0
        self.distrusted = 0
        self._look_seconds, self._failures = look_seconds, failures
        self._renewed = asyncio.Event()

    async def renew(self) -> None:
        self.renewals += 1
        self._renewed.set()
        if self.renewals <= self._failures:
            raise OperationalError("no connection")

    async def renewed(self, times: int) -> None:
        """Wait until it has been renewed so often."""
        while self.renewals < times:
            self._renewed.clear()
            await self._renewed.wait()

    def pause_seconds(self) -> float:
        return 0

    def look_seconds(self) -> float:
        return self._look_seconds

    def distrust(self) -> None:
        self.distrusted += 1


def subjects() -> Feeds[Subject]:
    return Feeds(TOPIC, lambda message: message["subjects"])


async def test_followers_of_one_key_share_a_feed_and_those_of_another_have_their_own() -> None:
    some = subjects()
    async with (
        some.following("x", "alice", Subject) as first,
        some.following("x", "bob", Subject) as second,
        some.following("y", "alice", Subject) as other,
    ):
        assert first is second is some.running("x")
        assert other is some.running("y")
        assert set(first.followers) == {"alice", "bob"}


async def test_a_feed_ends_with_its_last_follower_and_the_next_one_gets_a_new_feed() -> None:
    some = subjects()
    async with some.following("x", "alice", Subject) as first:
        async with some.following("x", "alice", Subject):
            pass
        assert some.running("x") is first
    assert some.running("x") is None
    async with some.following("x", "alice", Subject) as second:
        assert second is not first


async def test_a_message_renews_the_feeds_that_it_is_about() -> None:
    some = subjects()
    async with some.following("x", "alice", Subject) as about, some.following("y", "alice", Subject) as other:
        await asyncio.gather(about.renewed(1), other.renewed(1))
        pubsub().publish(TOPIC, {"subjects": ["x", "z"]})
        await about.renewed(2)
        assert (about.renewals, other.renewals, about.distrusted) == (2, 1, 0)


async def test_a_feed_without_messages_is_renewed_now_and_then_and_reads_everything() -> None:
    async with subjects().following("x", "alice", lambda: Subject(look_seconds=0.001)) as feed:
        await feed.renewed(3)
        assert feed.distrusted == 2


async def test_a_feed_goes_on_after_the_database_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "FAILURE_SECONDS", 0)
    async with subjects().following("x", "alice", lambda: Subject(failures=1)) as feed:
        await feed.renewed(1)
        pubsub().publish(TOPIC, {"subjects": ["x"]})
        await feed.renewed(2)
        assert feed.distrusted == 1
