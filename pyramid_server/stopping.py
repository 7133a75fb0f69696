"""The end of a process that a signal stops: players first, and within the time that systemd and Docker give it."""

import signal
import threading
from types import FrameType

from games.doors.sockets.close_codes import CloseCode
from games.doors.sockets.connection import end_all_from_thread


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
