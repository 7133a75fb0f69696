"""The server and the worker with a fault of each kind, and in each a secret that no log may have."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
import threading
import warnings
from datetime import datetime, timedelta
from typing import Any, NoReturn

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
django.setup(set_prefix=False)

from django.db import OperationalError  # noqa: E402

from games.doors.rest import on_loop  # noqa: E402
from games.notifications import socket as news_socket  # noqa: E402
from games.play import socket as game_socket  # noqa: E402
from games.rule_sets.rest import RuleSet  # noqa: E402
from games.worker.tasks import register  # noqa: E402
from pyramid_server import asgi, command_line  # noqa: E402

SECRET = "hunter2"
application = asgi.application


def fail(where: str) -> NoReturn:
    text = f"{where} fails\nwith postgres://pyramid:{SECRET}@db/pyramid password={SECRET}\n{{forged}}"
    raise RuntimeError(f"{text}\nDETAIL:  Failing row contains (7, {SECRET}).")


class Careless:
    def __del__(self) -> None:
        fail("a destructor")


def break_all() -> None:
    fail_at_once()
    RuleSet.of = classmethod(lambda cls, named: fail("a view"))  # type: ignore[assignment]
    on_loop.learn = learn
    game_socket._talk_about_game = talk
    news_socket.NewsSocket._send_changes = send_changes  # type: ignore[method-assign]
    news_socket._look_seconds = lambda: 0.0
    register(task_with_a_fault, timedelta(seconds=1))
    register(task_without_a_database, timedelta(seconds=1))


def fail_at_once() -> None:
    thread = threading.Thread(target=fail, args=["a thread"])
    thread.start()
    thread.join()
    warnings.warn(f"a warning\nabout password={SECRET}", RuntimeWarning, stacklevel=1)
    Careless()
    logging.getLogger("careless").warning("an argument %d", f"password={SECRET}")
    logging.getLogger("careless").warning("a surrogate \udc80 and \x1b[31m")


def learn(scope: dict[str, Any], body: bytes, answered: Any) -> None:
    if scope["path"] == "/api/nowhere/":
        fail("behind the view")


async def talk(connection: Any) -> None:
    async def lost() -> None:
        fail("a lost task")

    task = asyncio.create_task(lost())
    await asyncio.sleep(0)
    del task
    gc.collect()
    fail("a socket")


async def send_changes(self: Any) -> None:
    fail("updates")


def task_with_a_fault(now: datetime) -> None:
    fail("a task")


def task_without_a_database(now: datetime) -> None:
    try:
        psycopg.connect(f"postgres://pyramid:{SECRET}@127.0.0.1:1,127.0.0.1:1/pyramid")
    except psycopg.OperationalError as error:
        raise OperationalError(*error.args) from error


break_all()

if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", *_]:
            from daphne.server import reactor

            reactor.callLater(0, fail, "the reactor")  # once it runs
            command_line.manage(sys.argv)
        case ["worker", *_]:
            command_line.manage(sys.argv)
        case _:
            fail("the process")
