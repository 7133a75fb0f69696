"""The line between the processes of one house: notices over Redis. Play never waits for it.

A notice may be lost, with the process that was to send it or with all of Redis; whoever listens has another, slower
way to learn the same. One process alone needs no line.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from functools import cache
from queue import Full, Queue
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from django.conf import settings
from redis import Redis, RedisError

from games.live import metrics

logger = logging.getLogger(__name__)

CHANNEL = "pyramid:games"
MOST_UNSENT = 1000
PAUSE_SECONDS = 2.0
CONNECT_SECONDS = 2.0

Notice = dict[str, Any]


class Line:
    """This process's end of the line. It has threads of its own: no socket waits for Redis, however slow it is."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(
            url, socket_connect_timeout=CONNECT_SECONDS, socket_keepalive=True, health_check_interval=15
        )
        self._hearing: WeakKeyDictionary[asyncio.AbstractEventLoop, Callable[[Notice], None]] = WeakKeyDictionary()
        self._unsent: Queue[Notice] = Queue(MOST_UNSENT)
        self._is_up = True
        self._telling = threading.Lock()
        for work in (self._listen, self._speak):
            threading.Thread(target=work, name="line", daemon=True).start()

    def listen(self, hear: Callable[[Notice], None]) -> None:
        """Have every notice heard in the running event loop, those of this process too."""
        self._hearing[asyncio.get_running_loop()] = hear

    def say(self, notice: Notice) -> None:
        """Send a notice to all processes as soon as possible; too many at once are lost."""
        try:
            self._unsent.put_nowait(notice)
        except Full:
            return

    def _listen(self) -> None:
        while True:
            try:
                self._hear_all()
            except (RedisError, OSError) as error:
                self._tell_operators(is_up=False, error=error)
                time.sleep(PAUSE_SECONDS)

    def _hear_all(self) -> None:
        with self._redis.pubsub(ignore_subscribe_messages=True) as channel:  # type: ignore[no-untyped-call]
            channel.subscribe(CHANNEL)
            self._tell_operators(is_up=True)
            while True:
                message = channel.get_message(timeout=5)
                if message is not None:
                    self._pass_on(msgspec.json.decode(message["data"]))

    def _pass_on(self, notice: Notice) -> None:
        for loop, hear in list(self._hearing.items()):
            try:
                loop.call_soon_threadsafe(hear, notice)
            except RuntimeError:  # the loop is closed
                continue

    def _speak(self) -> None:
        while True:
            notice = self._unsent.get()
            try:
                self._redis.publish(CHANNEL, msgspec.json.encode(notice))
            except (RedisError, OSError) as error:
                self._tell_operators(is_up=False, error=error)

    def _tell_operators(self, *, is_up: bool, error: Exception | None = None) -> None:
        with self._telling:
            metrics.broadcast_up.set(is_up)
            was_up, self._is_up = self._is_up, is_up
        if is_up == was_up:
            return
        if is_up:
            logger.warning("live broadcast works again")
        else:
            logger.warning("no live broadcast: play goes on, watchers elsewhere see moves late: %s", error)


class NoLine:
    """What a process has that is alone."""

    def listen(self, hear: Callable[[Notice], None]) -> None: ...

    def say(self, notice: Notice) -> None: ...


def line() -> Line | NoLine:
    """Return the line of this process; once there is one, it stays open."""
    return _line(settings.REDIS_URL) if settings.REDIS_URL else NoLine()


_line = cache(Line)
