"""A connection between a client and the server that is cut at the most awkward moments."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from socket import SHUT_RDWR, create_connection, create_server, socket

EVERY = 5  # frames from the client
MOMENTS = ("before the command arrives", "before the answer arrives", "in the middle of the answer")


class Cutter:
    """Forwards connections to a port, and cuts each socket at its fifth frame, at the next of the moments.

    `address` is where clients connect, `cuts` are the moments so far.
    """

    def __init__(self, port: int) -> None:
        self.cuts: list[str] = []
        self._port = port
        self._moments = cycle(MOMENTS)
        self._listener = create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def next_cut(self) -> str:
        self.cuts.append(next(self._moments))
        return self.cuts[-1]

    def serve(self) -> None:
        """Accept connections until the listener is closed."""
        with suppress(OSError):
            while True:
                caller, _ = self._listener.accept()
                pair = _Pair(self, caller, create_connection(("127.0.0.1", self._port)))
                threading.Thread(target=pair.forward_questions, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(SHUT_RDWR)
        self._listener.close()


class _Pair:
    """A client's connection and the one to the server that belongs to it. `moment` is set once it is to be cut."""

    def __init__(self, cutter: Cutter, caller: socket, server: socket) -> None:
        self.cutter, self.caller, self.server = cutter, caller, server
        self.moment = ""
        threading.Thread(target=self.forward_answers, daemon=True).start()

    def forward_questions(self) -> None:
        frames = 0
        is_socket = False
        with suppress(OSError):
            while text := self.caller.recv(65536):
                is_socket = is_socket or b"Sec-WebSocket-Key" in text
                frames += is_socket
                if frames > EVERY and not self.moment:
                    self.moment = self.cutter.next_cut()
                if self.moment == MOMENTS[0]:
                    break
                self.server.sendall(text)
        self.cut()

    def forward_answers(self) -> None:
        with suppress(OSError):
            while text := self.server.recv(65536):
                if self.moment == MOMENTS[2]:
                    self.caller.sendall(text[: len(text) // 2])
                if self.moment:
                    break
                self.caller.sendall(text)
        self.cut()

    def cut(self) -> None:
        for end in (self.caller, self.server):
            with suppress(OSError):
                end.shutdown(SHUT_RDWR)
            end.close()


@contextmanager
def cut_again_and_again(port: int) -> Iterator[Cutter]:
    """Serve a `Cutter` in front of a server while the block runs."""
    cutter = Cutter(port)
    serving = threading.Thread(target=cutter.serve, daemon=True)
    serving.start()
    yield cutter
    cutter.close()
    serving.join()
