"""A beacon whose key the tests have, rounds of the real one, and a relay that can be late, down, or lie."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from py_arkworks_bls12381 import G2Point, Scalar

from games.beacon.signatures import message_of
from games.deals.beacons import BEACONS, Beacon

QUICKNET = BEACONS["quicknet"]
# Rounds of the real beacon as they stand in public repositories (noislabs/drand-verify, ideal-lab5/idn-sdk,
# mcdcam/python-drand-verify); each can be checked with its key, and none belongs to a midnight.
RECORDED = {
    123: "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
    1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    1001: "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41",
    657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
}
_SECRET = Scalar(20261120)
OURS = Beacon(
    name="quicknet",  # so that it takes the place of the real one
    chain=hashlib.sha256(b"a beacon of the tests").hexdigest(),
    public_key=(G2Point() * _SECRET).to_compressed_bytes().hex(),
    first_at=QUICKNET.first_at,
    period=QUICKNET.period,
)


@cache
def signature_of(number: int) -> str:
    """Return the signature of a round of our beacon."""
    return (message_of(number) * _SECRET).to_compressed_bytes().hex()


def told(number: int, signature: str) -> dict[str, Any]:
    """Return the answer of a relay."""
    return {"round": number, "randomness": hashlib.sha256(signature.encode()).hexdigest(), "signature": signature}


class Relay(ThreadingHTTPServer):
    """Answers with what `answer` returns for a round, as long as that is not None, and after `released`."""

    def __init__(self, answer: Callable[[int], object] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer or (lambda number: told(number, signature_of(number)))
        self.asked: list[str] = []
        self.released = Event()
        self.released.set()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def relaying(answer: Callable[[int], object] | None = None) -> Iterator[Relay]:
    with Relay(answer) as relay:
        serving = Thread(target=relay.serve_forever, args=(0.01,))
        serving.start()
        yield relay
        relay.released.set()
        relay.shutdown()
        serving.join()


class _Handler(BaseHTTPRequestHandler):
    server: Relay

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.released.wait(30)
        found = self.server.answer(int(self.path.rpartition("/")[2]))
        with suppress(ConnectionError):  # the client may have given up
            self.send_response(404 if found is None else 200)
            self.end_headers()
            self.wfile.write(found if isinstance(found, bytes) else json.dumps(found).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass
