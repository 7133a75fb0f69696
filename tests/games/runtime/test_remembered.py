"""Tokens and days are remembered by a process, and nobody notices but by the time it takes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
import time_machine
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from knox.models import AuthToken
from pytest_django.fixtures import Settings
from redis import RedisCluster

from games.accounts.accounts import Wanted, claim, rename, sign_out
from games.calendar.certificates import certify_deals
from games.calendar.dailies import dailies_of, ensure_dailies
from games.calendar.models import DailyDeal, SetProgramme
from games.keys.authentication import NOBODY, issue_ticket, key_of_token, ticket_holder, visitor_of
from games.keys.tokens import issue_token, known_holder, token_holder
from games.keys.unchanged import unchanged
from games.play.starting import start_ranked
from games.players.models import Player
from games.runtime import memory
from games.runtime.pubsub import CHANNEL, Message, Notice, PubSub, pubsub
from games.runtime.redis_client import CLUSTER
from leaderboards.boards.decisions import lift_ban, set_ban
from tests.calendar import prepared_dailies
from tests.games.api import Api
from tests.leaderboards.boards.test_lost_signal import environment_of_this_database, run_in_another_process
from tests.processes import run

pytestmark = pytest.mark.django_db(transaction=True)

TIMEOUT_SECONDS = 30


@pytest.fixture(autouse=True)
def _others_are_heard() -> None:
    wait_until(lambda: pubsub().period)


@pytest.fixture
def token(alice: Player) -> str:
    return issue_token(alice).token


def queries(ask: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as asked:
        ask()
    return len(asked)


def test_whose_a_token_is_is_asked_once(token: str, alice: Player) -> None:
    memory.forget_everything()
    assert queries(lambda: token_holder(token)) == 1
    assert queries(lambda: token_holder(token)) == 0
    ticket = issue_ticket(alice, key_of_token(token))
    assert queries(lambda: ticket_holder(ticket)) == 0
    assert token_holder(token) == ticket_holder(ticket).player == alice


def test_a_token_that_was_just_made_is_known(token: str, alice: Player) -> None:
    scope = {"headers": [(b"authorization", f"Bearer {token}".encode())]}
    with CaptureQueriesContext(connection) as asked:
        visitor = async_to_sync(visitor_of)(scope)
    assert visitor == (alice, key_of_token(token))
    assert not asked


@pytest.mark.parametrize("header", [b"Bearer", b"Bearer nonsense", b"Basic YWxpY2U=", b"Bearer \xff"])
def test_nobody_is_known_by_another_header(token: str, header: bytes) -> None:
    assert async_to_sync(visitor_of)({"headers": [(b"authorization", header)]}) == NOBODY


@pytest.mark.parametrize("everywhere", [False, True])
def test_a_token_that_was_ended_is_refused_at_once(token: str, alice: Player, *, everywhere: bool) -> None:
    ticket = issue_ticket(alice, key_of_token(token))
    assert token_holder(token) == alice
    sign_out(alice, token, everywhere=everywhere)
    assert token_holder(token) is None
    assert ticket_holder(ticket).player is None


def test_a_token_that_staff_have_deleted_is_refused_at_once(token: str, alice: Player) -> None:
    assert token_holder(token) == alice
    AuthToken.objects.get(user=alice, digest=key_of_token(token).removeprefix("token:")).delete()
    assert token_holder(token) is None


def test_the_tokens_of_an_account_that_was_closed_are_refused_at_once(token: str, alice: Player) -> None:
    assert token_holder(token) == alice
    alice.is_active = False
    alice.save()
    assert token_holder(token) is None


def test_a_ban_and_its_end_are_known_by_all_tokens_at_once(token: str, alice: Player) -> None:
    assert token_holder(token) == alice
    set_ban(alice, datetime.now(UTC))
    assert (token_holder(token) or alice).banned_at is not None
    lift_ban(alice)
    assert (token_holder(token) or alice).banned_at is None


def test_a_remembered_token_ends_in_time(token: str) -> None:
    assert token_holder(token) is not None
    with time_machine.travel(datetime.now(UTC) + timedelta(days=31), tick=False):
        assert known_holder(token) is None
        assert token_holder(token) is None


def test_a_player_who_has_changed_is_known_as_such_by_all_tokens(token: str, alice: Player) -> None:
    assert known_holder(token) == alice
    rename(alice, "Alicia")
    assert (token_holder(token) or alice).display_name == "Alicia"
    claim(alice, Wanted("alicia", None, "correct horse battery"), RequestFactory().post("/"), datetime.now(UTC))
    assert (token_holder(token) or alice).username == "alicia"


def test_what_one_request_does_to_its_player_is_not_seen_by_another(token: str) -> None:
    one, other = token_holder(token), token_holder(token)
    assert one is not None
    assert other is not None
    one.display_name = "not saved"
    assert other.display_name == "Alice"


def test_the_deals_of_a_day_are_read_once(now: datetime) -> None:
    prepared_dailies(now, 0)
    assert queries(lambda: dailies_of(now.date())) == 1
    assert queries(lambda: dailies_of(now.date())) == 0


def test_a_deal_that_an_operator_adds_to_today_is_there_at_once(
    now: datetime, alice: Player, settings: Settings
) -> None:
    settings.PYRAMID_DAILIES_AHEAD_DAYS = 0
    ensure_dailies(now)
    assert {daily.rules for daily in dailies_of(now.date())} == {"standard"}
    slots = [{"rules": "standard"}, {"rules": "giza"}]
    SetProgramme.objects.create(valid_from=now.date(), slots=slots, made_by=alice, made_at=now)
    settings.PYRAMID_DAILIES_AHEAD_DAYS = 0
    ensure_dailies(now)
    assert {daily.rules for daily in dailies_of(now.date())} == {"standard", "giza"}
    assert start_ranked(alice, "giza", now).deal.rules == "giza"


def test_what_the_worker_has_measured_is_told_at_once(now: datetime) -> None:
    prepared_dailies(now, 0)
    assert [daily.deal.grade for daily in dailies_of(now.date())] == [None, None]
    certify_deals(now)
    assert all(daily.deal.grade for daily in dailies_of(now.date()))


IN_ANOTHER_PROCESS = """
from datetime import datetime
from games.keys.tokens import token_holder
from games.calendar.models import SetProgramme
from games.accounts.accounts import sign_out
from games.calendar.dailies import ensure_dailies
now, token = datetime.fromisoformat(words[0]), words[1]
player = token_holder(token)
sign_out(player, token)
SetProgramme.objects.create(
    valid_from=now.date(), slots=[{"rules": "standard"}, {"rules": "giza"}], made_by=player, made_at=now
)
ensure_dailies(now)
"""


@pytest.mark.servers
@pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers")
def test_what_another_process_changes_is_known_here_long_before_it_would_be_asked_again(
    now: datetime, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "SECONDS", 3600)
    ensure_dailies(now)
    wait_until(lambda: dailies_of(now.date()) and not queries(lambda: dailies_of(now.date())))
    wait_until(lambda: token_holder(token) and known_holder(token))
    changed = run_in_another_process(IN_ANOTHER_PROCESS, now.isoformat(), token)
    assert changed.returncode == 0, changed.stderr
    wait_until(lambda: token_holder(token) is None)
    wait_until(lambda: {daily.rules for daily in dailies_of(now.date())} == {"standard", "giza"})


IN_SERVERS_ON_ONE_REDIS = """
import sys
from games.runtime.pubsub import PubSub
for url in sys.argv[1:]:
    PubSub(url).publish("tests", {"from": url})
"""


@pytest.mark.servers
@pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers")
def test_servers_with_two_databases_of_one_redis_do_not_hear_each_other() -> None:
    heard: list[object] = []
    pubsub().listen("tests", heard.append)
    wait_until(lambda: pubsub().period)
    elsewhere = urlsplit(settings.REDIS_URL)._replace(path="/15").geturl()
    command = [sys.executable, "-c", IN_SERVERS_ON_ONE_REDIS, elsewhere, settings.REDIS_URL]
    run(
        command, {**environment_of_this_database(), "DJANGO_SETTINGS_MODULE": "pyramid_server.settings"}
    ).check_returncode()
    wait_until(lambda: heard)
    assert heard == [{"from": settings.REDIS_URL}]


@pytest.mark.servers
@pytest.mark.skipif(not settings.REDIS_URL, reason="runs under tests.with_servers")
def test_processes_hear_each_other_through_whichever_server_of_a_cluster(cluster_url: str) -> None:
    heard: list[Message] = []
    pubsub = PubSub(cluster_url)
    pubsub.listen("tests", heard.append)
    wait_until(lambda: pubsub.period)
    with closing(RedisCluster.from_url(cluster_url.replace(CLUSTER, ""))) as elsewhere:
        for number, node in enumerate(elsewhere.get_primaries()):  # type: ignore[no-untyped-call]
            notices = msgspec.json.encode([Notice("another process", "tests", {"number": number})])
            elsewhere.get_redis_connection(node).publish(f"{CHANNEL}:0", notices)
    wait_until(lambda: len(heard) == 3)
    pubsub.publish("tests", {"number": 3})
    assert sorted(message["number"] for message in heard) == [0, 1, 2, 3]


def wait_until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def told(reader: Api, day: date) -> Any:
    """Return the answer about the two deals of a day, that of `open` last."""
    return reader.get(f"/api/daily/{day}/").json()["dailies"]


def test_a_remembered_day_changes_its_state_to_the_microsecond(daily: DailyDeal) -> None:
    key, before = daily.key, timedelta(microseconds=1)
    states = []
    for at in (key.opens_at, key.closes_at, key.finish_by, key.final_at):
        for now in (at - before, at):
            with time_machine.travel(now, tick=False):
                _, deal = told(Api(), daily.day)
                states.append(deal["state"])
                assert (deal["reveal"] is None) == (now < key.finish_by)
    assert states == [
        *("committed", "open", "open", "closing"),
        *("closing", "provisional", "provisional", "final"),
    ]


def test_what_one_player_is_told_of_a_day_is_not_told_to_another(alice: Player, bob: Player, now: datetime) -> None:
    with time_machine.travel(now, tick=False):
        prepared_dailies(now, 0)
        game = start_ranked(alice, "standard", now)
        readers = (Api(), Api(alice), Api(bob), Api())
        assert [told(reader, now.date())[1]["attempt"] for reader in readers] == [None, game.id, None, None]
        assert [[deal["yours"] for deal in told(reader, now.date())] for reader in readers] == [[False, True]] * 4


def test_who_has_todays_answer_is_told_so_without_a_thread_unless_it_could_be_another(
    alice: Player, daily: DailyDeal
) -> None:
    def known(etag: str, *more: tuple[bytes, bytes]) -> bool:
        headers = [(b"if-none-match", etag.encode()), *more]
        scope = {"method": "GET", "path": "/api/daily/", "query_string": b"", "headers": headers}
        return unchanged(scope) is not None

    with time_machine.travel(daily.key.closes_at - timedelta(seconds=1), tick=False) as clock:
        assert not known("*"), "nothing is remembered yet"
        etag = Api().get("/api/daily/")["ETag"]
        assert known(etag)
        assert not known('"another"')
        token = issue_token(alice).token
        assert not known(etag, (b"authorization", f"Bearer {token}".encode()))
        assert not known(etag, (b"cookie", b"sessionid=0123456789abcdef"))
        clock.move_to(daily.key.closes_at)
        assert not known(etag)
        Api().get("/api/daily/")
        assert not known(etag)
