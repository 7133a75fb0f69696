"""Requests of strangers wait for something slow, as many as there are threads: everyone else is answered meanwhile."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher, PBKDF2PasswordHasher
from django.core.mail import EmailMessage
from django.utils import timezone

from games import solver
from games.accounts.guests import create_guest
from games.calendar.models import Deal
from games.hints.search_pool import _beside_play
from games.keys.tokens import issue_token
from games.play.sessions import begin
from games.play.starting import practise
from games.players.models import Player
from games.runtime.threads import Places, threads_for
from tests.games.conftest import DECK, PASSWORD
from tests.pyramid_server.test_http import ask

pytestmark = [pytest.mark.django_db(transaction=True)]

Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Open it, and what is slow ends."""
    event = threading.Event()
    yield event
    event.set()


def post(path: str, body: Mapping[str, object], token: str = "") -> Awaitable[Answer]:
    named = {"authorization": f"Bearer {token}"} if token else {}
    return ask(path, json.dumps(body).encode(), **named)


@sync_to_async
def tokens_of_strangers() -> list[tuple[Player, str]]:
    made = [create_guest(f"Stranger {number}") for number in range(settings.PYRAMID_HTTP_THREADS)]
    return [(one.player, one.token) for one in made]


async def hints(monkeypatch: pytest.MonkeyPatch, gate: threading.Event) -> list[Awaitable[Answer]]:
    monkeypatch.setattr("games.play.live.hints.HINT_SECONDS", 600)
    monkeypatch.setattr("games.play.live.hints.LOADING_SECONDS", 600)
    _beside_play.begin(lambda _: gate.wait(), None, 0)
    now = timezone.now()

    @sync_to_async
    def game_of(player: Player) -> str:
        deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now)
        game = practise(player, deal, now)
        begin(game.id, now)
        return str(game.id)

    return [
        post(f"/api/games/{await game_of(player)}/actions/", {"version": 0, "action": "H"}, token)
        for player, token in await tokens_of_strangers()
    ]


async def passwords(monkeypatch: pytest.MonkeyPatch, gate: threading.Event) -> list[Awaitable[Answer]]:
    def slow(*_: object) -> str:
        gate.wait()
        return "x"

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", slow)
    return [
        post("/api/sign-in/", {"handle": f"stranger-{number}", "password": PASSWORD})
        for number in range(settings.PYRAMID_HTTP_THREADS)
    ]


async def mails(monkeypatch: pytest.MonkeyPatch, gate: threading.Event) -> list[Awaitable[Answer]]:
    monkeypatch.setattr(settings, "PYRAMID_SENDS_MAIL", True)
    monkeypatch.setattr(settings, "PASSWORD_HASHERS", ["django.contrib.auth.hashers.MD5PasswordHasher"])
    monkeypatch.setattr(EmailMessage, "send", lambda _: gate.wait())
    monkeypatch.setattr("django.contrib.auth.hashers.get_hashers", lambda: [MD5PasswordHasher()])

    @sync_to_async
    def account(number: int) -> str:
        hashed = MD5PasswordHasher().encode(PASSWORD, "salt")
        player = Player.objects.create(username=f"stranger-{number}", display_name="S", password=hashed)
        return issue_token(player).token

    wanted = {"password": PASSWORD, "email": "x@example.org"}
    return [
        post("/api/me/mail/", wanted | {"email": f"{number}@example.org"}, await account(number))
        for number in range(settings.PYRAMID_HTTP_THREADS)
    ]


async def certified(monkeypatch: pytest.MonkeyPatch, gate: threading.Event) -> list[Awaitable[Answer]]:
    monkeypatch.setattr(solver, "is_winnable", lambda _: gate.wait())
    wish = {"kind": "practice", "rules": "cheops", "winnable": "certified", "grade": "easy"}
    return [post("/api/games/", wish, token) for _, token in await tokens_of_strangers()]


async def races(monkeypatch: pytest.MonkeyPatch, gate: threading.Event) -> list[Awaitable[Answer]]:
    monkeypatch.setattr(solver, "is_winnable", lambda _: gate.wait())
    return [post("/api/races/", {"rules": "cheops"}, token) for _, token in await tokens_of_strangers()]


@pytest.mark.parametrize("slow", [hints, passwords, mails, certified, races])
async def test_others_are_answered_while_strangers_wait(
    monkeypatch: pytest.MonkeyPatch, gate: threading.Event, slow: Callable[..., Awaitable[list[Awaitable[Answer]]]]
) -> None:
    waiting = [asyncio.ensure_future(request) for request in await slow(monkeypatch, gate)]
    assert (await ask("/api/rules/"))[0] == 200
    assert (await ask("/rules/standard/"))[0] == 200
    gate.set()
    answers = [answer for answer, _, _ in await asyncio.gather(*waiting)]
    assert {*answers} <= {200, 202, 401, 429, 503}


def test_what_may_wait_leaves_a_thread_to_others() -> None:
    assert sum(map(threads_for, ("passwords", "hints", "mails"))) < settings.PYRAMID_HTTP_THREADS


def test_a_visitor_has_one_place_at_most_and_leaves_it_afterwards() -> None:
    places = Places("hints")
    for _ in range(2):
        with places.taken_by(1) as first, places.taken_by(1) as again, places.taken_by(2) as other:
            assert (first, again, other) == (True, False, threads_for("hints") > 1)
    with places.taken_by(2) as first:
        assert first
