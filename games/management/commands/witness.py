"""Be a witness of a server's log."""

import sys
from argparse import ArgumentParser
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from re import fullmatch
from threading import Event, Thread
from typing import Any

from django.core.management.base import CommandError

from games.doors.commands import LightCommand, at_least_one
from games.runtime.clock import clock
from games.tlog.notes import LOG, Key
from games.tlog.watching import keys_of, watch
from games.tlog.witnessing import Witness

MOST_BYTES = 16_384


class Command(LightCommand):
    help = "Sign the heads of a server's log as a witness, and refuse one that does not continue the last."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py witness https://pyramid.example --name witness.example/w1 --port 8041"
        parser.add_argument("address", metavar="URL", help="the server, such as https://pyramid.example")
        parser.add_argument("--folder", type=Path, default=Path("witness"), help="its key and heads (default: witness)")
        parser.add_argument("--name", default="witness.invalid/w1", help="the name of the witness, for a new key")
        parser.add_argument("--key", help="the key of the log (default: at first the one that the server shows)")
        parser.add_argument("--every", type=at_least_one, default=300, help="seconds between two looks (default: 300)")
        parser.add_argument("--once", action="store_true", help="look once, for a timer; status 1 if it does not sign")
        parser.add_argument("--host", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
        parser.add_argument("--port", type=int, help="listen for heads that the server shows (default: only look)")

    def handle(self, *, address: str, **options: Any) -> None:
        witness = self._witness(options["folder"], options["name"])
        self._trust(witness, address.rstrip("/"), options["key"])
        self.stdout.write(f"The key of this witness: {witness.key.text}")
        if options["once"]:
            if not self._look(witness, address.rstrip("/")):
                raise CommandError("the newest head was not signed")
            return
        if options["port"] is not None:
            self._listen(witness, options["host"], options["port"])
        pause = Event()
        while True:
            self._look(witness, address.rstrip("/"))
            pause.wait(options["every"])

    def _witness(self, folder: Path, name: str) -> Witness:
        try:
            return Witness(folder, name, self._alarm)
        except (OSError, ValueError) as error:
            raise CommandError(f"the folder {folder} is of no use to the witness {name!r}: {error}") from error

    def _trust(self, witness: Witness, address: str, given: str | None) -> None:
        try:
            if given:
                witness.trust([Key.from_text(given, LOG)])
            elif not witness.trusted:
                witness.trust(keys_of(address))
                self.stdout.write(f"Trusting the key that {address} shows; compare it with what others have:")
        except (OSError, ValueError) as error:
            raise CommandError(f"there is no key of the log to trust: {error}") from error
        for key in witness.trusted:
            self.stdout.write(f"The key of the log: {key.text}")

    def _look(self, witness: Witness, address: str) -> bool:
        try:
            reply = watch(address, witness, clock.now())
        except (OSError, ValueError) as error:
            self.stderr.write(f"{address} cannot be read: {error}")
            return False
        if reply.status != HTTPStatus.OK:
            self.stderr.write(f"not signed ({reply.status}): {reply.text.strip()}")
        else:
            self.stdout.write(f"signed: {reply.text.strip()}")
        return reply.status == HTTPStatus.OK

    def _listen(self, witness: Witness, host: str, port: int) -> None:
        try:
            server = Listener((host, port), handler_of(witness))
        except (OSError, OverflowError) as error:
            raise CommandError(f"cannot listen on {host} port {port}: {error}") from error
        Thread(target=server.serve_forever, daemon=True).start()
        self.stdout.write(f"Listening at http://{host}:{server.server_port}/add-checkpoint")

    def _alarm(self, text: str) -> None:
        self.stderr.write(self.style.ERROR(f"ALARM: {text}"))
        sys.stderr.flush()


class Listener(ThreadingHTTPServer):
    """A server for strangers, whose connections may break off."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def handler_of(witness: Witness) -> type[BaseHTTPRequestHandler]:
    """Return the handler of requests to a witness."""

    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self) -> None:
            size = self.headers.get("Content-Length", "")
            if self.path != "/add-checkpoint" or not fullmatch("[0-9]{1,5}", size) or int(size) > MOST_BYTES:
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            body = self.rfile.read(int(size)).decode("utf-8", "replace")
            reply = witness.add_checkpoint(body, clock.now())
            data = reply.text.encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.media)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: Any, **more: Any) -> None:
            """Write no line for each request: strangers choose what is in it."""

    return Handler
