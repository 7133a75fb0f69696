"""Start everything that one machine needs: database, daily deals, worker and server."""

from __future__ import annotations

import os
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal
from django.db import DEFAULT_DB_ALIAS

from games.calendar.dailies import commit_to_daily, missing_dailies
from games.doors.commands import LightCommand, progress
from games.rules import RULE_SETS
from games.runtime.clock import clock
from games.solver.verdict import has_exact_verdict
from games.tlog.signing import LogForked, sign_log
from pyramid_server import __version__, folders
from pyramid_server.child_process import ChildProcess
from pyramid_server.health import missing_migrations
from pyramid_server.static_files import collect_own_files

# The default backlog of 50 connections would reset clients in the rush at midnight.
BACKLOG = 1024
# Longer frames are dropped; up to here, those that are too long for a game's socket get an error message.
WEB_FRAME_BYTES = 64 * 1024


class Command(LightCommand):
    help = "Migrate, make the coming daily deals, and serve the API, the sockets and the pages from this machine."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = "Example: manage.py serve --host 0.0.0.0 --port 8001"
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on, 0.0.0.0 for all (default: 127.0.0.1)"
        )
        parser.add_argument("--port", default=8000, type=port_number, help="port to listen on (default: 8000)")
        parser.add_argument("--no-worker", action="store_true", help="leave periodic tasks to another process")

    def handle(self, *, host: str, port: int, no_worker: bool, **options: Any) -> None:
        refuse_unusable(host, port)
        self._say("Preparing the database ...")
        migrate()
        if not settings.DEBUG:  # pages then load the sources, and a change shows at once
            collect_or_exit()
        self._choose_dailies(has_worker=not no_worker)
        with ExitStack() as stack:
            if not no_worker:
                worker = ChildProcess([sys.executable, sys.argv[0], "worker", "--stop-with-parent"])
                stack.callback(worker.stop)
            run_server(host, port, greeting(host, port))

    def _choose_dailies(self, *, has_worker: bool) -> None:
        """Commit to the missing daily deals; to those that need a search only if no worker does so meanwhile.

        The first search compiles the solver, and a newcomer need not wait for that.
        """
        now = clock.now()
        missing = [
            deal
            for deal in missing_dailies(now, settings.PYRAMID_DAILIES_AHEAD_DAYS)
            if not has_worker or has_exact_verdict(RULE_SETS[deal.key.rules])
        ]
        if missing:
            self._say(f"Choosing {len(missing)} daily deals ...")
            for deal in progress(self.stderr, missing, "deal"):
                commit_to_daily(deal, now)
            with suppress(LogForked):  # about which the worker does not fall silent
                sign_log(now)  # the worker compiles the solver first

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def port_number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise ArgumentTypeError(f"a port is a number from 1 to 65535, not {text!r}")
    return int(text)


def migrate() -> None:
    """Make what is missing. Where nothing is, Django's command would draw up all models for those whom it informs."""
    if missing_migrations():
        call_command("migrate", verbosity=0, interactive=False)
    else:
        emit_post_migrate_signal(verbosity=0, interactive=False, db=DEFAULT_DB_ALIAS)


def collect_or_exit() -> None:
    """Exit with one sentence if the files of the pages cannot be written, as on a disk that is full or read-only."""
    try:
        collect_own_files()
    except OSError as error:
        sys.exit(f"The files of the pages cannot be kept in {settings.STATIC_ROOT}: {error.strerror or error}")


def refuse_unusable(host: str, port: int) -> None:
    """Exit with one sentence if it is impossible to listen on the address."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            # As the server itself does: ignore connections of a server that has just stopped.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except OSError as error:
        sys.exit(f"Cannot listen on {host} port {port}: {error.strerror}. Try another: make run PORT=8001")


def greeting(host: str, port: int) -> str:
    """Return a greeting with the server's address and the next steps."""
    everywhere = host in {"0.0.0.0", "::"}  # noqa: S104  only compared
    name = "localhost" if everywhere else f"[{host}]" if ":" in host else host
    url = f"http://{name}:{port}/"
    python, program = _from_here(sys.executable), _from_here(sys.argv[0])
    manage = f"{program} manage" if folders.IS_INSTALLED else f"{python} manage.py"
    client = _from_here(folders.PROJECT / "docs" / "examples" / "thin_client.py")
    lines = [
        f"Pyramid {__version__} is served at {url}",
        f"  play   {python} {client} {url}",
        f"  API    {url}api/docs/",
        f"  admin  {url}admin/   (an account: {manage} createsuperuser)",
        "  stop   Ctrl-C",
    ]
    if (everywhere or name not in settings.LOOPBACK_HOSTS) and settings.ALLOWED_HOSTS == settings.LOOPBACK_HOSTS:
        lines.insert(1, "  From other machines it answers only to the names in PYRAMID_ALLOWED_HOSTS.")
    return "\n".join(lines)


def _from_here(path: str | Path) -> str:
    """Return a path as one would type it in the current folder."""
    return os.path.relpath(path) if Path(path).is_relative_to(Path.cwd()) else str(path)


def run_server(host: str, port: int, greeting: str) -> None:
    """Serve until SIGINT or SIGTERM."""
    # Imported late: daphne installs an event loop, and the application needs every model.
    from daphne.endpoints import build_endpoint_description_strings  # noqa: PLC0415

    from pyramid_server.asgi import application  # noqa: PLC0415
    from pyramid_server.daphne_server import GracefulServer, GracefulSocket, LimitedChannel  # noqa: PLC0415

    def when_ready() -> None:
        # By default, an oversized frame would end the connection without our close code.
        # Autobahn resets what is not named: sandboxed pages, whose origin is null, may come with a ticket.
        server.ws_factory.setProtocolOptions(failByDrop=False, allowNullOrigin=True)
        server.ws_factory.protocol = GracefulSocket
        server.http_factory.protocol = LimitedChannel
        print(greeting, flush=True)  # noqa: T201

    server = GracefulServer(
        application,
        endpoints=[f"{each}:backlog={BACKLOG}" for each in build_endpoint_description_strings(host=host, port=port)],
        http_timeout=60,
        websocket_max_message_size=WEB_FRAME_BYTES,
        websocket_max_frame_size=WEB_FRAME_BYTES,
        server_name="pyramid",
        ready_callable=when_ready,
    )
    server.run()
