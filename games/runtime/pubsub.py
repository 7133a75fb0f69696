"""Publish/subscribe between all event loops of a server: directly inside a process, through Redis between processes.

A notice may be lost, with the process that was sending it or with Redis, so each subscriber has another, slower way to
learn the same. Publishing never waits for Redis, however slow it is: separate threads send and receive.
"""

import atexit
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from queue import SimpleQueue
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec
from django.conf import settings

from games.runtime import socket_metrics
from games.runtime.per_loop import PerLoop
from games.runtime.redis_client import REDIS_ERRORS, Client, client_of

logger = logging.getLogger(__name__)

CHANNEL = "pyramid:notices"
HEARD_AGAIN = "heard again"
"""The topic of a notice to this process alone: from now on others are heard, and their earlier ones may be lost."""
MOST_UNSENT = 1000
PAUSE_SECONDS = 2.0
CONNECT_SECONDS = 2.0
LAST_SECONDS = 1.0

Message = dict[str, Any]
Receive = Callable[[Message], None]


class Notice(msgspec.Struct, array_like=True, frozen=True):
    """A message on its way to other processes."""

    process: str
    topic: str
    message: Message


class PubSub:
    """The topics of this process and, through Redis if there is one, of all other processes."""

    def __init__(self, url: str) -> None:
        self._hearing: PerLoop[dict[str, frozenset[Receive]]] = PerLoop(dict)
        self._listening: dict[str, frozenset[Receive]] = {}
        self._others = _RedisChannel(url, self._deliver) if url else None

    def subscribe(self, topic: str, receive: Receive) -> None:
        """Call `receive` in the running event loop for each message on a topic, once even if it is subscribed again."""
        topics = self._hearing()
        topics[topic] = topics.get(topic, frozenset()) | {receive}

    def listen(self, topic: str, receive: Receive) -> None:
        """Call `receive` for each message on a topic, in the thread that delivers it; `receive` must not block."""
        self._listening[topic] = self._listening.get(topic, frozenset()) | {receive}

    @property
    def period(self) -> int:
        """The number of the current period without lost notices of other processes; 0 while they cannot be heard."""
        return self._others.period if self._others is not None else 1

    def publish(self, topic: str, message: Message) -> None:
        """Send a JSON object to all subscribers of a topic, the publisher included. Thread-safe."""
        self._deliver(topic, message)
        if self._others is not None:
            self._others.send(topic, message)

    def _deliver(self, topic: str, message: Message) -> None:
        for receive in self._listening.get(topic, ()):
            receive(message)
        for loop, topics in self._hearing.items():
            with suppress(RuntimeError):  # the loop is closed
                for receive in topics.get(topic, ()):
                    loop.call_soon_threadsafe(receive, message)


class _RedisChannel:
    """One channel for all topics, with a thread that listens and one that sends."""

    def __init__(self, url: str, deliver: Callable[[str, Message], None]) -> None:
        self._url = url
        self._process = uuid4().hex
        # Redis has its channels in common for all its databases, one of which may be another server's.
        self._channel = f"{CHANNEL}:{urlsplit(url).path.strip('/') or 0}"
        self._deliver = deliver
        self._unsent: SimpleQueue[Notice | None] = SimpleQueue()
        self._all_sent = threading.Event()
        self._sender: Client | None = None
        self._is_up = True
        self.period, self._periods = 0, count(1)
        self._reporting = threading.Lock()
        for work in (self._listen, self._send_all):
            threading.Thread(target=work, name="pubsub", daemon=True).start()
        atexit.register(self._finish)

    def send(self, topic: str, message: Message) -> None:
        """Send a message as soon as possible, or drop it if the queue is full."""
        if self._unsent.qsize() < MOST_UNSENT:
            self._unsent.put(Notice(self._process, topic, message))

    def _listen(self) -> None:
        while True:
            try:
                self._hear_all()
            except REDIS_ERRORS as error:
                self.period = 0
                self._report(is_up=False, error=error)
                self._all_sent.wait(PAUSE_SECONDS)  # not beyond the end of the process

    def _client(self) -> Client:
        return client_of(
            self._url, socket_connect_timeout=CONNECT_SECONDS, socket_keepalive=True, health_check_interval=15
        )

    def _hear_all(self) -> None:
        with self._client() as client, client.pubsub() as channel:
            channel.subscribe(self._channel)
            self._report(is_up=True)
            while True:
                message = channel.get_message(timeout=5)
                if message is None:
                    continue
                if message["type"] == "subscribe":  # the first time, and after the client has connected again
                    self.period = next(self._periods)
                    self._deliver(HEARD_AGAIN, {})
                elif message["type"] == "message":
                    self._hear(message["data"])

    def _hear(self, text: bytes) -> None:
        try:
            for notice in msgspec.json.decode(text, type=list[Notice]):
                if notice.process != self._process:  # our own were delivered when they were published
                    self._deliver(notice.topic, notice.message)
        except Exception:  # a process of another version may have sent it; without the thread nothing more is heard
            logger.exception("notices of another process are passed over")

    def _send_all(self) -> None:
        while (notice := self._unsent.get()) is not None:
            self._send_or_drop([notice, *self._waiting()])
        self._all_sent.set()

    def _waiting(self) -> Iterator[Notice]:
        """Take the other notices that wait; the end is left for the next time."""
        while not self._unsent.empty():
            notice = self._unsent.get()
            if notice is None:
                self._unsent.put(None)
                return
            yield notice

    def _send_or_drop(self, notices: Sequence[Notice]) -> None:
        """Send notices, at once again if the connection has just broken: others might never learn of them otherwise.

        It is not kept until Redis is back: who took a seat may have left long before.
        """
        for is_last in (False, True):
            try:
                self._sender = self._sender or self._client()
                self._sender.publish(self._channel, msgspec.json.encode(notices))
                return
            except REDIS_ERRORS as error:
                if is_last:
                    self._report(is_up=False, error=error)

    def _finish(self) -> None:
        """Send the waiting notices before the process ends, as that of a command does at once."""
        self._unsent.put(None)
        self._all_sent.wait(LAST_SECONDS)

    def _report(self, *, is_up: bool, error: Exception | None = None) -> None:
        """Log once when other processes become unreachable, and once when they are reachable again."""
        with self._reporting:
            socket_metrics.broadcast_up.set(is_up)
            was_up, self._is_up = self._is_up, is_up
        if is_up == was_up:
            return
        if is_up:
            logger.warning("live broadcast works again")
        else:
            logger.warning("no live broadcast: play goes on, watchers elsewhere see moves late: %s", error)


def pubsub() -> PubSub:
    """Return the publish/subscribe of this process; its connection to Redis stays open."""
    return _pubsub(settings.REDIS_URL)


_pubsub = cache(PubSub)
