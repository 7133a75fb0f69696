"""A server in front of browsers whose clock, and that of its worker, tests move."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from playwright.sync_api import Page

from games.rules.pace import HASTY_MS
from tests.browser.conftest import UNHURRIED
from tests.clocks import clock_in
from tests.journeys.conftest import Server
from tests.moves import takes_from_pyramid
from tests.processes import A_WEEK_AHEAD, MANAGE, PROJECT, kind_of_process, own_database, run
from tests.with_servers import started, wait_for

PASSWORD = "correct horse battery"
SATURDAY, MORNING = 5, 10
METRICS_TOKEN = "of-the-test-" * 5


class Clock:
    """The clock of a server and of its worker, which begins on the morning of a Saturday."""

    def __init__(self, folder: Path) -> None:
        now = datetime.now(UTC)
        morning = now.replace(hour=MORNING, minute=0, second=0, microsecond=0)
        self._ahead = morning + timedelta(days=7 + (SATURDAY - now.weekday()) % 7) - now
        self._offset = folder.parent / "offset"  # one for all tests of a process: for each file it loads the code
        self.environment = clock_in(self._offset, is_read_at_once=False)
        self.shift(timedelta())

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def shift(self, time: timedelta) -> None:
        self._ahead += time
        self._offset.write_text(f"{self._ahead.total_seconds():+.0f}")


class World:
    """A server whose worker does what is due only when it is asked, unless it is kept running."""

    _rounds = 0.0

    def __init__(self, server: Server, clock: Clock) -> None:
        self.server, self.clock = server, clock

    def work(self) -> None:
        """Have the worker do all that is due."""
        run([*MANAGE, "worker", "--once"], self.server.environment, timeout=300).check_returncode()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Keep a worker running. `await_worker` waits until it has done for the first time all that it does."""
        self._rounds = self._rounds_of_worker()
        command = [*MANAGE, "worker"]
        kind = kind_of_process(command)
        with started(command, signal.SIGTERM, kind, env=self.server.environment, cwd=PROJECT):
            yield

    def await_worker(self) -> None:
        self.wait_for(lambda: self._rounds_of_worker() > self._rounds)

    def _rounds_of_worker(self) -> float:
        """Return how often workers have done a task, as they note at the end of a round."""
        asked = Request(f"{self.server.url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
        with urlopen(asked, timeout=180) as answer:
            counted = re.search(r'pyramid_worker_task_runs_total{task="deal_days"} (\S+)', answer.read().decode())
        assert counted is not None
        return float(counted[1])

    def go_on(self, days: int) -> None:
        """Go to the morning of a later day; days in between need a worker."""
        self.clock.shift(timedelta(days=days))
        if days > 1:
            self.work()
        self._await_clock()

    def go_to(self, time: datetime) -> None:
        """Go to a time, and three seconds further."""
        self.clock.shift(time - self.clock.now + timedelta(seconds=3))
        self._await_clock()

    def _await_clock(self) -> None:
        """Wait until the server knows how late it is."""
        self.wait_for(lambda: abs(self._server_now() - self.clock.now) < timedelta(seconds=3))

    def _server_now(self) -> datetime:
        return datetime.fromisoformat(self.server.get("/api/daily/")["server_now"])

    def wait_for(self, holds: Any) -> None:
        """Wait until something holds that the server or its worker does."""

        def look() -> None:
            try:
                assert holds()
            except HTTPError as error:
                with error:
                    raise AssertionError(error.read()) from error

        wait_for(self.server.process, look, AssertionError)


@contextmanager
def moving_world(folder: Path) -> Iterator[World]:
    """Start a world with one deal a day: its worker would choose those of all rules for each week that passes."""
    clock = Clock(folder)
    with own_database(folder) as database:
        own = A_WEEK_AHEAD | {"PYRAMID_METRICS_TOKEN": METRICS_TOKEN}
        world = World(Server(database | UNHURRIED | own | clock.environment), clock)
        world.work()
        with closing(world.server):
            world.server.start()
            yield world


def register(page: Page, name: str) -> None:
    """Register under a handle like the name."""
    page.goto("/account/claim/")
    page.get_by_label("Handle").fill(name.lower())
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()


class Player(Protocol):
    """Someone who sends requests of their own."""

    def get(self, path: str) -> Any: ...

    def post(self, path: str, body: object) -> Any: ...


class Token:
    """Requests of a player by a token."""

    def __init__(self, server: Server, token: str) -> None:
        self._server, self._token = server, token

    def get(self, path: str) -> Any:
        return self._server.get(path, self._token)

    def post(self, path: str, body: object) -> Any:
        return self._server.post(path, body, self._token)


def remove_and_give_up(player: Player, game: str) -> None:
    """Take something from the pyramid, without which there is no rank, and give up."""
    address, version = f"/api/games/{game}", 0
    legal = player.get(f"{address}/state/")["legal"]
    while True:
        pair = next(filter(takes_from_pyramid, legal), None)
        played = player.post(f"{address}/actions/", {"version": version, "action": pair or legal[-1]})
        legal, version = played["legal"], version + 1
        if pair:
            break
        while player.get(f"{address}/state/")["elapsed_ms"] - played["at_ms"] < HASTY_MS:
            pass  # who draws several cards faster than people do gets no rank
    player.post(f"{address}/resign/", {"version": version})
