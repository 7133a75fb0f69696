from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest

from games.players.models import Player
from games.push import sending
from games.push.encryption import server_key
from games.push.models import Subscription
from tests.games.push.service import Browser
from tests.listener import Listener, listening

Subscribe = Callable[..., Browser]
Work = Callable[[datetime], None]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    """A push service on this machine."""
    monkeypatch.setattr(sending, "TO_PRIVATE_ADDRESSES", True)
    with listening() as service:
        service.status = 201
        yield service


@pytest.fixture
def subscribe(service: Listener, now: datetime) -> Subscribe:
    """Give a player a device at the push service of the test, whose address no player could name."""

    def subscribe(player: Player, *kinds: str, language: str = "en") -> Browser:
        browser = Browser(f"{service.origin}/{player.username}/{Subscription.objects.filter(player=player).count()}")
        keys = browser.subscription | {"server_key": server_key(), "language": language}
        row = Subscription.objects.create(player=player, created_at=now, **keys)
        for kind in kinds:
            row.wanted.create(kind=kind)
        return browser

    return subscribe


@pytest.fixture
def work() -> Work:
    """Do what the worker does at a time, and wait for the answers."""

    def work(now: datetime) -> None:
        sending.send_pushes(now)
        sending.note_answers(now, waits=True)

    return work
