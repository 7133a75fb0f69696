"""One accepted WebSocket: frames in and out, and the limits that apply to every client.

A plain ASGI application inside Channels' routing. Consumers would add two tasks and a dispatch to every socket, and
they read frames as fast as they come; reading only when there is budget lets TCP slow a fast client down.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from autobahn.exception import Disconnected

from games.doors.sockets.close_codes import CloseCode, Closed, reason_to_wait
from games.doors.sockets.token_bucket import message_bucket
from games.runtime import socket_metrics
from games.runtime.clock import clock

# Clients are written for these limits, which close_codes.py and docs/live-protocol.md tell them.
MOST_FRAME_BYTES = 4096  # the longest command is far shorter; longer frames up to the web server's limit are refused
IDLE_SECONDS = 15 * 60  # clients send `ping` from time to time; a lost connection takes memory until then
UNREAD_SECONDS = 20  # the messages for a client that does not read them wait in memory
FLOOD_SECONDS = 60  # for which a client may send faster than it is read
CLOSING_SECONDS = 5.0
MOST_UNSENT = 100  # messages
# How many clients of a node that stops come back in a second. Opened all at once, their sockets would wait for seconds
# at the next node, where those wait too who have played there all the time.
BACK_PER_SECOND = 500
GONE = (OSError, Disconnected)  # what uvicorn and daphne raise if the client has already closed

logger = logging.getLogger(__name__)

open_connections: set[Connection] = set()  # of this process, in all event loops


def _by_turn() -> list[tuple[Connection, float]]:
    """Return all connections in the order of closing, those first that play, and how many seconds each stays away."""
    by_loss = sorted(open_connections, key=lambda connection: not connection.plays)
    return [(connection, turn / BACK_PER_SECOND) for turn, connection in enumerate(by_loss)]


async def end_all(code: CloseCode) -> None:
    """Close every connection of this process, those that play first, and wait until all are closed."""
    ending = _by_turn()
    for connection, wait_seconds in ending:
        connection.end(code, wait_seconds=wait_seconds)
    await asyncio.gather(*(connection.task for connection, _ in ending), return_exceptions=True)


def end_all_from_thread(code: CloseCode) -> None:
    """Have every connection of this process closed, those that play first, from outside of the event loops."""
    for connection, wait_seconds in _by_turn():
        connection.end_from_thread(code, wait_seconds)


class Connection:
    """An accepted socket. `plays` says if a game is played on it, `ending` is the close code that another part of the
    server asked for, and `longest` the number of bytes that a frame may have.

    `accepted_at` is a time of the clock in seconds, comparable between processes.

    Only its own task reads and answers (`next_frame`, `tell`); other tasks may only `post` and `end`.
    """

    # A process holds tens of thousands of idle connections: slots, a queue only when it is needed, one timer.
    __slots__ = (
        "_ahead",
        "_bucket",
        "_final_message",
        "_flooding_seconds",
        "_listening_since",
        "_loop",
        "_receive",
        "_send",
        "_sender",
        "_sending_since",
        "_timer",
        "_unsent",
        "_wait_seconds",
        "accepted_at",
        "ending",
        "longest",
        "plays",
        "scope",
        "task",
    )

    def __init__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self.scope = scope
        self.ending: CloseCode | None = None
        self.plays = False
        self.accepted_at = clock.seconds()
        self.task = _this_task()
        self._final_message: str | None = None
        self._wait_seconds = 0.0
        self._receive, self._send = receive, send
        self._loop = asyncio.get_running_loop()
        self._listening_since: float | None = None
        self._sending_since: float | None = None
        self._unsent: deque[str | Callable[[], str]] | None = None
        self._sender: asyncio.Task[None] | None = None
        self.longest = MOST_FRAME_BYTES
        self._bucket = message_bucket(self._loop.time())
        self._ahead: asyncio.Future[dict[str, Any]] | None = None
        self._flooding_seconds = 0.0
        self._timer = self._loop.call_later(0, self._watch_limits)
        open_connections.add(self)

    async def next_frame(self) -> str | None:
        """Return the next text frame, None for a binary one; later if the client has used up its budget.

        Raises `Closed`, also at any limit.
        """
        if self.ending is not None:
            raise Closed(self.ending, self._wait_seconds)
        # Set while nothing is half done, so that `end` may cancel the task.
        now = self._listening_since = self._loop.time()
        short = self._bucket.seconds_short(now)
        event = await (self._receive_slowed(short) if short or self._ahead else self._receive())
        self._listening_since = None
        if event["type"] == "websocket.disconnect":
            raise Closed(None)
        self._require_right_clock()
        self._bucket.spend(1, self._loop.time())
        text: str | None = event.get("text")
        if _size(text or event.get("bytes") or "") > self.longest:
            raise Closed(CloseCode.MESSAGE_TOO_LARGE)
        return text

    async def has_frame_before(self, moment: asyncio.Future[Any]) -> bool:
        """Wait for a frame, which `next_frame` returns then, or for a moment; return True if the frame comes first.

        Raises `Closed`.
        """
        if self.ending is not None:
            raise Closed(self.ending, self._wait_seconds)
        if moment.done():
            return False
        self._listening_since = self._loop.time()
        self._ahead = self._ahead or asyncio.ensure_future(self._receive())
        await asyncio.wait({self._ahead, moment}, return_when=asyncio.FIRST_COMPLETED)
        self._listening_since = None
        return not moment.done()

    def charge(self, tokens: float) -> None:
        """Charge extra tokens for a message that is expensive to answer."""
        self._bucket.spend(tokens, self._loop.time())

    async def tell(self, text: str) -> None:
        """Send a text frame after all posted ones; waits while the client does not read."""
        if self._sender is not None:
            self._queue().append(text)
            await asyncio.wait({self._sender})
        else:
            await self._send_text(text)
            if self._unsent:  # posted meanwhile: `post` starts no sender while a text is being sent
                await self._send_unsent()

    def post(self, text: str, instead: Callable[[], str]) -> None:
        """Queue a text frame without waiting.

        If the queue is full, it is replaced by the single frame that `instead` returns when its turn comes: a client
        that reads slowly gets one up-to-date summary, and the server's memory stays bounded.
        """
        unsent = self._queue()
        if (unsent and unsent[-1] == instead) or self not in open_connections:
            return  # the summary is made when it is sent, and will include this
        if len(unsent) >= MOST_UNSENT:
            unsent.clear()
            unsent.append(instead)
        else:
            unsent.append(text)
        if self._sending_since is None and self._sender is None:
            self._sender = self._loop.create_task(self._send_posted())

    def end(self, code: CloseCode, final_message: str | None = None, wait_seconds: float = 0.0) -> None:
        """Close the connection as soon as the current message is answered; `wait_seconds` are for its client."""
        if self.ending is not None:
            return
        self.ending, self._final_message, self._wait_seconds = code, final_message, wait_seconds
        if self._listening_since is not None:
            self.task.cancel()
        else:  # answering: `next_frame` closes, unless the client does not read the answer
            self._timer.cancel()
            self._timer = self._loop.call_later(CLOSING_SECONDS, self.task.cancel)

    def end_from_thread(self, code: CloseCode, wait_seconds: float) -> None:
        with suppress(RuntimeError):  # its event loop has ended
            self._loop.call_soon_threadsafe(self.end, code, None, wait_seconds)

    async def close(self, code: CloseCode | None, wait_seconds: float | None = None, reason: str = "") -> None:
        """Send the final message and close with a code, or do nothing if the client is gone.

        Without a reason it asks the client to wait as long as `end` says, unless another time is given.
        """
        socket_metrics.closed.labels(code=int(code or 0)).inc()
        if self._sender is not None:
            self._sender.cancel()
        if code is None:
            return
        try:
            async with asyncio.timeout(CLOSING_SECONDS):  # a client that does not read would not receive this either
                if self._final_message:
                    await self._send({"type": "websocket.send", "text": self._final_message})
                reason = reason or reason_to_wait(self._wait_seconds if wait_seconds is None else wait_seconds)
                await self._send({"type": "websocket.close", "code": int(code), "reason": reason})
        except GONE:  # or does not read: a timeout is an OSError too
            return

    def forget(self) -> None:
        """Stop watching limits and sending."""
        self._timer.cancel()
        for task in (self._ahead, self._sender):
            if task is not None:
                task.cancel()
        open_connections.discard(self)

    async def _receive_slowed(self, seconds: float) -> dict[str, Any]:
        """Wait for a frame, and then for the budget. TCP carries the backpressure to the client.

        A client that waits for each answer, however fast it is, sends nothing during that wait. One that does send
        is flooding, and its connection is closed if it does so for `FLOOD_SECONDS`.
        """
        ahead, self._ahead = self._ahead, None
        event = await (ahead or self._receive())
        if seconds:
            # Kept for the next call: cancelling it could lose a frame.
            self._ahead = asyncio.ensure_future(self._receive())
            await asyncio.sleep(seconds)
            self._flooding_seconds = self._flooding_seconds + seconds if self._ahead.done() else 0.0
            if self._flooding_seconds > FLOOD_SECONDS:
                raise Closed(CloseCode.TOO_MANY_MESSAGES)
        return event

    async def _send_text(self, text: str) -> None:
        self._require_right_clock()
        self._sending_since = self._loop.time()
        try:
            await self._send({"type": "websocket.send", "text": text})
        except GONE:
            raise Closed(None) from None
        self._sending_since = None

    async def _send_unsent(self) -> None:
        while self._unsent:
            next_one = self._unsent.popleft()
            await self._send_text(next_one if isinstance(next_one, str) else next_one())

    async def _send_posted(self) -> None:
        try:
            with suppress(Closed):  # the reading task learns this by itself
                await self._send_unsent()
        finally:
            self._sender = None

    def _require_right_clock(self) -> None:
        """Let nothing in or out by a wrong clock, as soon as it is set: what it opens may still be closed."""
        if not clock.is_right:
            self.end(CloseCode.TRY_AGAIN_LATER)
            raise Closed(CloseCode.TRY_AGAIN_LATER)

    def _queue(self) -> deque[str | Callable[[], str]]:
        if self._unsent is None:  # most connections never need one
            self._unsent = deque()
        return self._unsent

    def _watch_limits(self) -> None:
        """Close a client that is silent or does not read for too long. One timer costs less than one per frame."""
        now, idle, unread = self._loop.time(), IDLE_SECONDS, UNREAD_SECONDS
        silent_since = now if self._listening_since is None else self._listening_since
        if self._sending_since is not None and now - self._sending_since >= unread:
            self.ending = CloseCode.NOT_READING  # not by `end`, which would wait for the answer to be read
            self.task.cancel()
        elif now - silent_since >= idle and self._listening_since is not None:
            self.end(CloseCode.IDLE)
        else:
            self._timer = self._loop.call_at(min(silent_since + idle, now + unread), self._watch_limits)


def _size(frame: str | bytes) -> int:
    """Return the bytes of a frame; only a text with other characters than ASCII is copied to count them."""
    return len(frame) if frame.isascii() or isinstance(frame, bytes) else len(frame.encode())


def _this_task() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101  a server runs each socket as a task
    return task
