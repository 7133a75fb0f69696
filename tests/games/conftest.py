"""The cast: alice and bob play, mallory cheats, staff moderates. The time is noon of a day with a daily deal."""

from __future__ import annotations

import pickle
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.accounts import guests
from games.accounts.guests import unsaved_guest
from games.calendar.models import DailyDeal, Deal
from games.deals.daily import Division
from games.doors import parallel
from games.doors.rest import on_loop
from games.keys.authentication import issue_ticket
from games.play import journal
from games.play.live import hints
from games.play.models import Game
from games.players.models import Player
from pyramid_server.asgi import application
from tests.calendar import prepared_dailies
from tests.games.api import Api
from tests.games.sockets import Client as SocketClient
from tests.games.sockets import connected

PASSWORD = "correct horse battery"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def guest(name: str) -> Player:
    """Return a guest without a token and nobody's namesake: the rest of `create_guest` takes longer than most tests."""
    player = unsaved_guest(name)
    player.save(force_insert=True)
    return player


@pytest.fixture
def now() -> datetime:
    return NOON


@pytest.fixture
def fast_hashes(settings: Settings) -> None:
    """Hash passwords in no time."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def alice(db: None) -> Player:
    return guest("Alice")


@pytest.fixture
def bob(db: None) -> Player:
    return guest("Bob")


@pytest.fixture
def mallory(db: None) -> Player:
    return guest("Mallory")


@pytest.fixture
def staff(db: None) -> Player:
    return Player.objects.create_superuser(username="staff", display_name="Staff", password="a good long password")


@pytest.fixture
def daily(db: None, now: datetime) -> DailyDeal:
    """Today's deal of `standard` in the division of guests, which the cast are."""
    return next(daily for daily in prepared_dailies(now, days_ahead=0) if daily.division == Division.OPEN)


@pytest.fixture
def _no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches take their time: the machine may be busy, and a kernel may have to be compiled first."""
    monkeypatch.setattr(hints, "HINT_SECONDS", 120)
    monkeypatch.setattr(hints, "LOADING_SECONDS", 600)
    monkeypatch.setattr(hints, "NOTICE_SECONDS", 120)


Connect = Callable[..., AbstractAsyncContextManager[SocketClient]]


@pytest.fixture
def connect() -> Connect:
    """Open a socket of a player on a game; the first message, the state, is still to be received."""

    @asynccontextmanager
    async def open_socket(game: Game | str, player: Player | None) -> AsyncIterator[SocketClient]:
        ticket = await sync_to_async(issue_ticket)(player) if player else ""
        async with connected(f"/ws/games/{game}/?ticket={ticket}", []) as client:
            yield client

    return open_socket


MakeGame = Callable[..., Awaitable[Game]]


@pytest.fixture
def practice(alice: Player) -> MakeGame:
    """Make a game of alice on a deck of our choice."""

    def make(deck: str, rules: str = "standard") -> Game:
        now = timezone.now()
        deal = Deal.objects.create(rules=rules, deck=deck, created_at=now)
        return Game.objects.create(player=alice, deal=deal, created_at=now)

    return sync_to_async(make)


@pytest.fixture
def clock(now: datetime) -> Iterator[time_machine.Traveller]:
    """The time, which stands still until a test moves it."""
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


@pytest.fixture
def anyone(db: None) -> Api:
    return Api()


@pytest.fixture
def as_alice(clock: object, alice: Player) -> Api:
    return Api(alice)


@pytest.fixture
def as_bob(clock: object, bob: Player) -> Api:
    return Api(bob)


@pytest.fixture
def as_mallory(clock: object, mallory: Player) -> Api:
    return Api(mallory)


@pytest.fixture
def as_carol(clock: object, fast_hashes: None, db: None) -> Api:
    """Someone with a named account."""
    return Api(Player.objects.create_user(username="carol", display_name="Carol", password=PASSWORD))


@pytest.fixture
def dailies(db: None, now: datetime) -> None:
    """The deals of today and the coming week."""
    prepared_dailies(now)


DECK = "5cQsKc7s6c2c9s2hQhTh2s9hTcJs6d6s4s3h5d8c5h9dQcKh9cAc7dAdTsKsTd4h8hJhJc6h3d7hQdKd5s3s4c4dJdAsAh7c3c2d8d8s"
WINNING_LINE = (
    "AcQc Kh 4s9c 3hTs Ks D 4h9d 5d8h 6s7d 2sJh D D 3dTc 6h7h AdQd 5h8c Kd D D 4c9h 2hJs 4d9s 6d7s 3sTh D AsQh 2cJd "
    "D 6c7c AhQs Kc D D 5c8d"
)


@pytest.fixture
def alices_game(alice: Player, now: datetime) -> str:
    """A practice game of alice on the deck for which `WINNING_LINE` wins."""
    deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now)
    return Game.objects.create(player=alice, deal=deal, created_at=now).id


@pytest.fixture
def carol(client: Client, fast_hashes: None, db: None) -> Player:
    """Someone with a named account, who is signed in."""
    player = Player.objects.create_user(username="carol", display_name="Carol", password=PASSWORD)
    client.force_login(player)
    return player


@pytest.fixture
def views(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Have the event loop know nothing yet, and return the addresses of the requests that views answer."""
    handler: Any = application.application_mapping["http"]
    answered, answer = list[str](), handler._answer_on_thread

    async def noted(scope: dict[str, Any], body: bytes) -> object:
        answered.append(scope["path"])
        return await answer(scope, body)

    monkeypatch.setattr(handler, "_answer_on_thread", noted)
    on_loop.forget()
    yield answered
    on_loop.forget()
    guests.stop()
    journal.stop()


def sent(what: Any) -> Any:
    """Return what another process gets."""
    return pickle.loads(pickle.dumps(what))  # noqa: S301  our own


@pytest.fixture
def jobs_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads do the jobs of a command, with what other processes would be sent: to start these takes seconds."""
    monkeypatch.setattr(parallel, "has_free_threads", lambda: True)
    monkeypatch.setattr(parallel, "_on_a_thread", lambda work, item: sent(sent(work)(sent(item))))
