"""The base of every test: a database for each process, fresh limits, hypothesis profiles, no skips in CI."""

from __future__ import annotations

import asyncio
import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, nullcontext
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection, connections, transaction
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker
from whitenoise.middleware import WhiteNoiseMiddleware  # type: ignore[import-untyped]

from games.accounts import guests
from games.play import journal
from games.puzzles import live
from games.runtime.clock import Clock, clock
from games.runtime.memory import forget_everything
from games.worker import tasks
from leaderboards.boards import batches
from leaderboards.boards.months import divide, make_months
from pyramid_server.postgresql import base, silence
from tests.counts import forget_counts
from tests.guards import let_tests_be_cleaned_up
from tests.once import PATHS, is_left_out, is_whole_and_second, require_existing
from tests.processes import (
    collect_shared_files,
    compiled_solver,
    forget_boards,
    migrated_database,
    modules_compiled_once,
)
from tests.waiting import SECONDS
from tests.with_servers import running_cluster

LONGEST = {"secrecy", "authorisation", "chaos", "journeys", "load"}
IN_MEMORY, ENOUGH_BYTES = "/dev/shm", 2**31  # noqa: S108  where Linux keeps files in memory
IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

# Databases are files, as they are in use, which survive a power cut; to wait for a disk takes longer than most tests.
if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ENOUGH_BYTES:
    os.environ.setdefault("TMPDIR", IN_MEMORY)
    tempfile.tempdir = None  # pytest, which captures output in a file, has looked for the place already

# The ASGI application, which other conftests import, gets no heartbeat: a thread that writes beside what tests do.
settings.PYRAMID_HEARTBEAT_SECONDS = 0
# One deal a day and division, of any grade, is made soon; tests of the programme set theirs.
settings.PYRAMID_DAILY_RULE_SETS = ["standard"]
# The key of the log of each process of tests, beside that of no server.
settings.PYRAMID_LOG_KEY_FILE = Path(tempfile.mkdtemp(prefix="log")) / "log_key"
LAST_HEAD = settings.PYRAMID_LOG_KEY_FILE.with_name("log_key.head")
atexit.register(shutil.rmtree, settings.PYRAMID_LOG_KEY_FILE.parent, ignore_errors=True)
# Tests of races hold theirs.
settings.PYRAMID_HOURLY_RACE = False
settings.PYRAMID_CUPS = []
# Pages name the sources, whatever a server of this folder has collected; tests of collected files collect their own.
settings.STATIC_ROOT = tempfile.mkdtemp(prefix="static")
atexit.register(shutil.rmtree, settings.STATIC_ROOT, ignore_errors=True)
# A test that looks at every page is not a flood; tests of the limit set it.
settings.PYRAMID_LIMITS["pages"] = (1_000_000, 60)
# Hashing a password as often as Django wants takes a third of a second; cold processes that tests start do it so.
PBKDF2PasswordHasher.iterations = 1_000

# Examples are never timed: the machine is shared, and a slow example is not a failure. `make fuzz` tries more of them;
# a property that only rare examples can break has a number of its own.
MANY: dict[str, Any] = {"deadline": None, "max_examples": int(os.environ.get("PROPERTY_EXAMPLES", "30"))}
hypothesis_settings.register_profile("local", **MANY)
hypothesis_settings.register_profile("ci", derandomize=True, print_blob=True, **MANY)
hypothesis_settings.load_profile("ci" if IN_CI else "local")


_while_tests_are_collected = ExitStack()


@pytest.fixture(scope="session", autouse=True)
def _no_stock() -> None:
    """Let the worker's task of the stock end at once; its tests give it time."""
    from games.practice import stock  # noqa: PLC0415  models exist only now

    stock.SECONDS_AT_ONCE = 0


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Let the first of several processes compile the modules of the tests, not each of them at once."""
    with modules_compiled_once() if hasattr(session.config, "workerinput") else nullcontext():
        return (yield)


def pytest_collection_finish() -> None:
    """Have the garbage collector leave out what stays until the end: a tenth of the suite's processor time.

    Before, it would look for garbage among modules and tests, which stay: a tenth of the time of collecting them.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    """Give each pytest process its own Redis database, so that game 1 of one is not game 1 of another.

    The first process makes the tables and compiles the solver once, for all that run tests.
    """
    let_tests_be_cleaned_up()
    require_existing()
    if config.getoption("numprocesses", None):
        config.add_cleanup(_while_tests_are_collected.close)
        _while_tests_are_collected.enter_context(compiled_solver())
        collect_shared_files()
        migrated_database()
    else:
        gc.disable()
    if not settings.REDIS_URL:
        return
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    url = urlsplit(settings.REDIS_URL)._replace(path=f"/{worker}").geturl()
    os.environ["REDIS_URL"] = settings.REDIS_URL = url


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Begin when the solver is compiled; the processes collect their tests meanwhile."""
    _while_tests_are_collected.close()


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a Redis Cluster that is started for these tests."""
    folder = tmp_path_factory.mktemp("cluster")
    with running_cluster(folder, {}) as url:
        yield url


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what is not repeated on PostgreSQL."""
    return (is_whole_and_second(config) and collection_path in PATHS) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest tests, so that no process is left alone with one of them at the end.

    Tests that share a server also stay together so: what other processes take over is the end of the list.
    """
    if is_whole_and_second(config):
        config.hook.pytest_deselected(items=[item for item in items if is_left_out(item)])
        items[:] = [item for item in items if not is_left_out(item)]
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a skipped test in CI: there, everything that a test may need has to be present."""
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Test SQLite as it is used, as a file: in memory there is no write-ahead log and no second process."""
    database, migrated = settings.DATABASES["default"], os.environ.get("MIGRATED_DATABASE")
    test: dict[str, Any] = database.setdefault("TEST", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        test["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")
        if migrated:
            shutil.copy(migrated, test["NAME"])
    elif migrated:
        test["TEMPLATE"] = migrated
    test["MIGRATE"] = not migrated


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None) -> bool:
    """Keep the copy of the migrated SQLite file, which Django would remove before it makes tables."""
    database = settings.DATABASES["default"]
    return database["ENGINE"] == "django.db.backends.sqlite3" and not database["TEST"]["MIGRATE"]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Close what tests leave open in other threads; PostgreSQL drops no database in use.

    With `DIVIDED_TABLES=yes` tests run on tables that are divided by month.
    """
    if os.environ.get("DIVIDED_TABLES") and connection.vendor == "postgresql":
        with django_db_blocker.unblock(), transaction.atomic():
            divide(date(2026, 11, 1))
            make_months(date(2026, 11, 1), date(2030, 1, 1))
    yield
    for queue in (guests, journal, batches, live):
        queue.stop()
    asyncio.run(sync_to_async(connections.close_all)())
    if connection.vendor == "postgresql":  # threads that answer requests keep theirs
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session", autouse=True)
def _patience() -> Iterator[None]:
    """Wait for a database on a machine that has other things to do; tests of the deadlines set theirs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "_process_seconds", None)
        patch.setattr(silence, "GONE_SECONDS", SECONDS)
        yield


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_found_once() -> Iterator[None]:
    """Each client of a test loads the middleware, which would look for all static files again."""
    known = WhiteNoiseMiddleware(lambda request: None).files

    def add_known_files(middleware: WhiteNoiseMiddleware) -> None:
        middleware.files.update(known)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_known_files)
        yield


@pytest.fixture(autouse=True)
def _entered_scores(_django_db_marker: None) -> Iterator[None]:
    """Enter what a test has ended before its tables are emptied: both at once is a deadlock on PostgreSQL.

    The boards of the next test have the same numbers.
    """
    yield
    batches.stop()
    forget_boards(settings.REDIS_URL)


@pytest.fixture(autouse=True)
def _uncounted() -> Iterator[None]:
    for task in tasks._tasks:  # tests run at many times
        task.last_run, task.failures_in_a_row = None, 0
    yield
    forget_counts()
    forget_everything()
    vars(clock).update(vars(Clock()))  # which a test at another time has measured
    LAST_HEAD.unlink(missing_ok=True)  # of a log that is not that of the next test
