"""Many at once: workers that make the same deals, players who start in the same instant."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.db import connection

from games.accounts.guests import create_guest
from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal, Deal
from games.calendar.verification import mistakes_in_commitments
from games.deals.daily import Division
from games.play.models import Game
from games.play.refusals import TooManyOpenGames
from games.play.sessions import expire_overdue
from games.play.starting import start_practice, start_ranked
from games.tlog import tree
from tests.calendar import prepared_dailies
from tests.games.api import as_json_schema, openapi, validator_of
from tests.processes import MANAGE, PROJECT, free_port, kind_of_process, own_database, run, serving

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 4
PLAYERS, DEVICES = 40, 2
GENEROUS = ("PYRAMID_GUESTS_PER_HOUR", "PYRAMID_GUESTS_PER_DAY", "PYRAMID_ANONYMOUS_REQUESTS_PER_MINUTE")


def at_once(count: int, act: Callable[[int], Any]) -> list[Any]:
    """Do something in as many threads, which wait for each other before they begin."""
    barrier = threading.Barrier(count, timeout=120)

    def start(number: int) -> Any:
        barrier.wait()
        try:
            return act(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(start, range(count)))


@pytest.mark.django_db(transaction=True)
def test_several_workers_commit_to_each_deal_once_in_the_order_of_the_log(now: datetime) -> None:
    made = at_once(WORKERS, lambda _: ensure_dailies(now))
    dailies = list(DailyDeal.objects.order_by("pk"))
    days_and_divisions = [(day, division) for day in range(1, 9) for division in sorted(Division)]
    assert sorted((daily.day.day, daily.division) for daily in dailies) == days_and_divisions
    assert sorted(daily.pk for new in made for daily in new) == sorted(daily.pk for daily in dailies)
    assert [leaf.text for _, leaf in tree.leaves_of_kind("commitment/1")] == [daily.leaf.text for daily in dailies]
    assert tree.mistakes_in_log() + mistakes_in_commitments() == []
    assert Deal.objects.count() == 16, "a deal was left behind that belongs to no day"


@pytest.mark.django_db(transaction=True)
def test_several_workers_expire_each_attempt_once(now: datetime) -> None:
    prepared_dailies(now, 0)
    games = [start_ranked(create_guest().player, "standard", now) for _ in range(5)]
    daily = games[0].daily
    assert daily
    at_once(WORKERS, lambda _: expire_overdue(daily.key.finish_by))
    assert set(Game.objects.values_list("status", "finished_at")) == {("expired", daily.key.finish_by)}


def test_forty_starts_at_once_do_not_pass_a_limit_of_twenty_unfinished_games(now: datetime) -> None:
    player = create_guest().player

    def start(_: int) -> str:
        try:
            return start_practice(player, "giza", now).status
        except TooManyOpenGames as refusal:
            return refusal.code

    assert sorted(at_once(40, start)) == ["playing"] * 20 + ["too_many_open_games"] * 20
    assert Game.objects.count() == 20


def test_worker_processes_that_start_together_leave_one_log(tmp_path: Path) -> None:
    with own_database(tmp_path) as environment:
        options: dict[str, Any] = {"env": environment, "cwd": PROJECT, "stdout": PIPE, "stderr": STDOUT}
        command = [*MANAGE, "worker", "--once"]
        workers = [kind_of_process(command)(command, **options) for _ in range(2)]
        said = [worker.communicate(timeout=120)[0].decode() for worker in workers]
        assert [worker.returncode for worker in workers] == [0, 0], said
        assert not [text for text in said if "Traceback" in text]
        verified = run([*MANAGE, "verify_daily"], environment)
        assert "4 daily deals match their commitments" in verified.stdout, verified.stdout + verified.stderr


# Players who start in the same instant, at a real server


class Device:
    """A client of a player over real HTTP."""

    def __init__(self, url: str, token: str = "") -> None:
        self._url, self._headers = url, {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def ask(self, path: str, body: object = None) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(self._url + path, data, self._headers), timeout=120) as answer:
                return answer.status, json.load(answer)
        except HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server on a separate database, without a limit on new guests."""
    with own_database(tmp_path) as environment:
        generous = dict.fromkeys(GENEROUS, "100000")
        port = free_port()
        command = [*MANAGE, "serve", "--port", str(port), "--no-worker"]
        with serving(command, port, environment | generous):
            yield f"http://127.0.0.1:{port}"


@pytest.mark.servers
def test_eighty_starts_in_the_same_instant_by_forty_players_are_forty_games(server: str) -> None:
    if "postgresql" not in settings.DATABASES["default"]["ENGINE"]:
        pytest.skip("needs PostgreSQL: python -m tests.with_servers pytest ...")
    tokens = [Device(server).ask("/api/guests/", {})[1]["token"] for _ in range(PLAYERS)]
    wish = {"kind": "daily", "rules": "standard"}
    answers = at_once(
        PLAYERS * DEVICES, lambda number: Device(server, tokens[number % PLAYERS]).ask("/api/games/", wish)
    )
    for status, body in answers:
        require_documented_start(status, body)
    for number, token in enumerate(tokens):
        of_player = answers[number::PLAYERS]
        assert sorted(status for status, _ in of_player) == [200, 201]
        named = {body["id"] for _, body in of_player}
        listed = Device(server, token).ask("/api/games/")[1]["games"]
        assert {game["id"] for game in listed} == named
        assert len(named) == 1
    assert len({body["id"] for _, body in answers}) == PLAYERS


def require_documented_start(status: int, body: Any) -> None:
    assert status in {200, 201}, body
    responses = openapi()["paths"]["/api/games/"]["post"]["responses"]
    content = responses[str(status)]["content"]["application/json"]
    validator_of(as_json_schema(content["schema"])).validate(body)
