"""The end of a process that a signal stops: players first, and within the time that systemd and Docker give it."""

import asyncio
import signal
import threading
from types import FrameType
from typing import Any

from games.doors import mail
from games.doors.sockets.close_codes import CloseCode
from games.doors.sockets.connection import end_all_from_thread

MAIL_SECONDS = 5.0  # with those that uvicorn gives requests, fewer than units and containers allow


def close_players_first() -> None:
    """Have SIGTERM answer what players wait for and close their sockets, before the server closes all connections.

    Call it once the server's own handler is in place; without one, nothing changes.
    """
    of_server = signal.getsignal(signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread() or not callable(of_server):
        return

    def stop(number: int, frame: FrameType | None) -> None:
        end_all_from_thread(CloseCode.RESTARTING)
        of_server(number, frame)

    signal.signal(signal.SIGTERM, stop)


async def finish_mails(scope: Any, receive: Any, send: Any) -> None:
    """The application of the protocol `lifespan`: after the last request, the mails that are queued are sent.

    uvicorn ends by the signal that stopped it, and so waits for no thread.
    """
    await receive()
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await asyncio.to_thread(mail.wait_for_queued, MAIL_SECONDS)
    await send({"type": "lifespan.shutdown.complete"})
