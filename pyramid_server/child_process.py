import logging
import subprocess
from collections.abc import Sequence
from threading import Event, Thread

logger = logging.getLogger(__name__)


class ChildProcess:
    """Keep a command running until `stop`, restarting it some seconds after it exits.

    Its standard input is a pipe that nobody writes to. When the pipe closes, the child knows that its parent has ended,
    however it did.
    """

    def __init__(self, command: Sequence[str], *, rest_seconds: float = 5) -> None:
        self._command = command
        self._rest_seconds = rest_seconds
        self._stopping = Event()
        self._thread = Thread(target=self._keep_running, daemon=True)
        self._start_child()
        self._thread.start()

    def stop(self, timeout_seconds: float = 10) -> None:
        """Ask the child to exit, wait, and kill it if it does not."""
        self._stopping.set()
        self._child.terminate()
        self._thread.join(timeout_seconds)
        self._child.kill()
        self._thread.join()

    def _start_child(self) -> None:
        # A separate session shields the child from Ctrl-C in the terminal: we stop it ourselves, after our own work.
        self._child = subprocess.Popen(self._command, stdin=subprocess.PIPE, start_new_session=True)

    def _keep_running(self) -> None:
        while True:
            with self._child as child:
                code = child.wait()
            if self._stopping.is_set():
                return
            logger.error("%s ended with code %s; starting it again", " ".join(self._command), code)
            if self._stopping.wait(self._rest_seconds):
                return
            self._start_child()
