"""A process that has loaded the code of the project and forks itself for each command: `tests/warm.py` starts it.

A fork reads its own settings. Where one that was read while the code was loaded has another value now, or the
environment differs in more than settings, the fork loads everything again, as the command does without all this. What
is drawn by chance while code is loaded would be the same in all forks, so drawing is refused meanwhile.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import random
import runpy
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from multiprocessing.context import ForkContext, ForkProcess
from socket import recv_fds, socket
from traceback import walk_stack
from typing import Any, NamedTuple

import django
from django.conf import Settings, settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connections
from django.urls import reverse
from django.utils.log import configure_logging

from tests.warm import READ_BY_SETTINGS

# This is what `manage.py serve`, the container and the searches of a worker load, but for the application, which starts
# a thread, and the server of daphne, which makes an event loop.
MODULES = (
    "channels.routing",
    "daphne.ws_protocol",
    "games.keys.browser_sessions",
    "games.management.commands.worker",
    "games.migrations.0001_initial",
    "games.site.tags",
    "games.solver.orders",
    "games.solver.solution",
    "leaderboards.migrations.0001_initial",
    "leaderboards.moderation.examining",
    "leaderboards.retests.scoring",
    "leaderboards.skill.measuring",
    "numpy.ma",
    "pyramid_server.another_node",
    "pyramid_server.formats.en.formats",
    "pyramid_server.handshakes",
    "pyramid_server.heartbeat",
    "pyramid_server.http",
    "pyramid_server.management.commands.serve",
    "pyramid_server.socket_urls",
    "pyramid_server.stopping",
    "pyramid_server.urls",
    "pyramid_server.uvicorn_protocols",
    "twisted.internet.endpoints",
    "uvicorn.main",
)
OURS = ("games", "leaderboards", "pyramid_server")
SETTINGS = "pyramid_server.settings"
# What is not read before a command runs: `createsuperuser`, OpenSSL and pgBackRest have variables of their own.
MAY_DIFFER = (
    *READ_BY_SETTINGS,
    *("DJANGO_SUPERUSER_", "FAKETIME_", "MIGRATED_DATABASE", "PGBACKREST_", "PYTEST_", "SSL_CERT_FILE"),
)
MADE_AGAIN = ("ENVIRONMENT", "LOGGING")  # of which no two are equal, or which are of each process
LONGEST_REQUEST = 2**17


class UvicornWorker(ForkProcess):
    """A fork of the process that supervises it, with signals of its own, instead of one that loads all again."""

    def run(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        super().run()


class Job(NamedTuple):
    """A command to run."""

    command: list[str]
    environment: dict[str, str]


def main(descriptor: int) -> None:
    others = others_in(os.environ)
    os.environ["DJANGO_SETTINGS_MODULE"] = SETTINGS
    gc.disable()  # to look for garbage among modules, which stay, takes a fifth of the time of loading them
    with _without_chance():
        _load()
        _leave_out_what_takes_long()
    assert threading.active_count() == 1, "a fork has only the thread that forks"
    assert "twisted.internet.reactor" not in sys.modules, "forks would have one event loop between them"
    read = settings_read()
    gc.collect()
    gc.freeze()
    gc.enable()
    job = _next_job(descriptor)
    if job is not None:
        try:
            do(job, others, read)
        except SystemExit as end:
            _end(end.code)
            raise
    _end(None)


def _load() -> None:
    """Load all code, and what each fork would else make of it by itself."""
    django.setup(set_prefix=False)
    middleware = [name.rpartition(".")[0] for name in settings.MIDDLEWARE]
    for module in (*MODULES, *middleware):
        import_module(module)
    reverse("admin:index")  # compiles the patterns of all addresses, as a first request does
    starting: Any = import_module("uvicorn._subprocess")
    starting.spawn = ForkContext()
    starting.spawn.Process = UvicornWorker
    # What a compiled kernel needs of numba when it is loaded.
    numba: Any = import_module("numba.core.registry")
    numba.cpu_target.typing_context.refresh()
    numba.cpu_target.target_context.refresh()


def _leave_out_what_takes_long() -> None:
    """Have a worker neither fill the stock nor measure deals, which it would do for a second or two in each round.

    Where a test needs that, it says `is_cold=True`. Hashes are as strong as Django makes them in a cold process
    (`tests/games/accounts/test_passwords.py`).
    """
    stock: Any = import_module("games.practice.stock")
    stock.SECONDS_AT_ONCE = 0
    certificates: Any = import_module("games.calendar.certificates")
    certificates.DEALS_AT_ONCE = 0
    PBKDF2PasswordHasher.iterations = 1_000


def do(job: Job, others: dict[str, str], read: dict[str, Any]) -> None:
    """Do a job in a fork, by what its parent's environment had beside settings, and the settings that were read."""
    os.environ.clear()
    os.environ.update(job.environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a script in the background has tests ignore
    if not (others_in(job.environment) == others and _can_have_settings_of_its_own(read)):
        os.execve(sys.executable, job.command, job.environment)  # noqa: S606
    _run(job.command[1:])


def _end(code: object) -> None:
    """End a process with nothing to say about it as the interpreter would, but with all that was loaded in its place.

    To take it apart first, piece by piece, is to copy every page that it has in common with its parent, which takes
    several times as long as a short command.
    """
    if code is None or isinstance(code, int):
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        with suppress(OSError):  # the interpreter says that nobody reads it
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code or 0)


@contextmanager
def _without_chance() -> Iterator[None]:
    """Refuse what modules of the project draw. What others draw are keys that processes may have in common.

    Examples of the documents get identifiers that nobody sees.
    """
    drawing = os.urandom

    def draw(number: int) -> bytes:
        asking = [frame.f_globals["__name__"] for frame, _ in walk_stack(sys._getframe(1))]
        drawer = next(name for name in asking if name not in {"random", "secrets", "uuid"})
        if drawer.startswith(OURS) and not any(name.endswith(".examples") for name in asking):
            raise RuntimeError(f"{drawer} draws while it is loaded: all forks would have the same")
        return drawing(number)

    os.urandom = random._urandom = draw  # type: ignore[attr-defined]
    yield
    os.urandom = random._urandom = drawing  # type: ignore[attr-defined]


def settings_read() -> dict[str, Any]:
    """Return the values of all settings that have been read, which Django keeps here.

    Of the databases, only their kind matters: connections are made again.
    """
    return {name: _setting(name) for name in [*vars(settings)] if name != "_wrapped"}


def _setting(name: str) -> Any:
    return settings.DATABASES["default"]["ENGINE"] if name == "DATABASES" else getattr(settings, name)


def _next_job(descriptor: int) -> Job | None:
    """Return, in a fork, each job that comes; at the end None."""
    with socket(fileno=descriptor) as connection:
        while True:
            request, inherited, _, _ = recv_fds(connection, LONGEST_REQUEST, 3)
            if not request:
                return None
            reading, writing = os.pipe()
            parent = os.fork()
            if parent == 0:
                process = os.fork()
                if process == 0:
                    for standard, given in enumerate(inherited):
                        os.dup2(given, standard)
                    os.closerange(3, max(*inherited, writing, descriptor) + 1)
                    connection.detach()
                    return Job(*json.loads(request))
                os.write(writing, str(process).encode())
                os._exit(0)
            os.waitpid(parent, 0)  # from here on, the process that adopts it is the parent
            connection.send(os.read(reading, 100))
            for number in (reading, writing, *inherited):
                os.close(number)


def _run(words: list[str]) -> None:
    """Do what Python does with these words."""
    if words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


def others_in(environment: Any) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.startswith(MAY_DIFFER)}


def _can_have_settings_of_its_own(read: dict[str, Any]) -> bool:
    """Read the settings of this fork, and return whether they explain all that has been loaded."""
    del sys.modules[SETTINGS]
    try:
        settings._wrapped = Settings(SETTINGS)
    except Exception:  # noqa: BLE001  the command itself says it in its own words
        return False
    del connections["default"], connections.settings
    connections._settings = None  # type: ignore[attr-defined]
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
    return all(_setting(name) == value for name, value in read.items() if name not in MADE_AGAIN)


if __name__ == "__main__":
    main(int(sys.argv[1]))
