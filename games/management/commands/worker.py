"""Run the periodic tasks until told to stop."""

import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Any

from django.core.management.base import CommandParser
from django.db import DatabaseError, close_old_connections

from games.doors.commands import LightCommand
from games.runtime.clock import clock
from games.worker.tasks import end, is_rush, run_due, run_urgent

PAUSE_SECONDS = 1.0


class Command(LightCommand):
    help = (
        "Run the periodic tasks, such as coming daily deals, overdue games, races, analyses and statistics, until the "
        "process gets SIGINT (Ctrl-C) or SIGTERM. Several workers may run at once."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.epilog = "Example: manage.py worker --once"
        parser.add_argument(
            "--once", action="store_true", help="run every task once and stop, with exit code 1 if one fails"
        )
        parser.add_argument(
            "--stop-with-parent",
            action="store_true",
            help="stop when standard input closes, as it does when the parent process ends",
        )

    def handle(self, *, once: bool, stop_with_parent: bool, **options: Any) -> None:
        if stop_with_parent:
            threading.Thread(target=_end_with_input, daemon=True).start()
        if not once and not _people_wait():
            # Before all other tasks: other processes that need the solver wait for it instead of compiling it, too.
            from games.solver.preparing import prepare  # noqa: PLC0415  loads the compiler

            prepare()
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        failed = run_round()
        while not (once or stop.wait(PAUSE_SECONDS)):
            run_round()
        end(clock.now())
        if once and failed:
            sys.exit(1)


def _people_wait() -> bool:
    """Run the urgent tasks, in case another worker has just died, and return True if there is a rush."""
    if _is_ready():
        run_urgent(clock.now())
        with suppress(DatabaseError):  # which the tasks tell
            return is_rush(clock.now())
    return False


def run_round() -> int:
    """Run the tasks that are due, unless the clock is wrong, and return how many failed."""
    return run_due(clock.now()) if _is_ready() else 1


def _is_ready() -> bool:
    """Return True if the clock is right; there is a new connection then if the database has ended the last one."""
    close_old_connections()
    with suppress(DatabaseError):  # the tasks themselves tell that
        clock.measure()
    return clock.is_right


def _end_with_input() -> None:
    """End this process when standard input is closed, which happens however the parent process ends.

    The signal ends it at once while the solver is being compiled, and later after the task that runs.
    """
    # Not sys.stdin.read: its lock, held by a waiting thread, would break the interpreter's shutdown.
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)
