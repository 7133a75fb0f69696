from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client

from games.oauth.models import App
from games.oauth.registering import register_app
from games.players.models import Player
from games.runtime import limits

BACK = "https://widget.example/back?page=1"


class Program:
    """An app that signs players in, as its maker would write it."""

    def __init__(self, app: App, address: str = BACK) -> None:
        self.app, self.address = app, address
        self.verifier = secrets.token_urlsafe(48)
        self.state = secrets.token_urlsafe(8)
        self.http = Client()

    def question(self, **changed: str | None) -> str:
        """Return the address to which it sends a player."""
        challenge = urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "client_id": self.app.pk,
            "redirect_uri": self.address,
            "scope": "read play",
            "state": self.state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            **changed,
        }
        return "/oauth/authorize/?" + urlencode({name: value for name, value in asked.items() if value is not None})

    def ask(self, **form: str) -> Any:
        return self.http.post("/oauth/token/", {"client_id": self.app.pk, **form})

    def exchange(self, code: str, **changed: str) -> Any:
        form = {"code": code, "redirect_uri": self.address, "code_verifier": self.verifier, **changed}
        return self.ask(grant_type="authorization_code", **form)

    def refresh(self, token: str, **more: str) -> Any:
        return self.ask(grant_type="refresh_token", refresh_token=token, **more)

    def tokens(self, player: Player, **asked: str) -> dict[str, Any]:
        """Have a player allow it what it asks for, and return what it gets."""
        browser = Client()
        browser.force_login(player)
        answer = self.exchange(answered(browser.post(self.question(**asked), {"allow": "yes"}))["code"])
        assert answer.status_code == 200, answer.content
        got: dict[str, Any] = answer.json()
        return got


def answered(page: Any) -> dict[str, str]:
    """Return what a page sends an app."""
    address = page["refresh"].removeprefix("0;url=")
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def status_with(token: str, path: str = "/api/me/", method: str = "get") -> int:
    status: int = getattr(Client(), method)(path, headers={"authorization": f"Bearer {token}"}).status_code
    return status


@pytest.fixture
def dave(db: None) -> Player:
    """Dave makes apps."""
    return Player.objects.create(username="dave", display_name="dave", claimed_at=datetime.now(UTC))


@pytest.fixture
def widget(dave: Player) -> Program:
    addresses = [BACK, "http://127.0.0.1/back", "http://[::1]:1234/back", "http://localhost:9/back"]
    return Program(register_app(dave, "Widget", addresses, datetime.now(UTC)))


@pytest.fixture(autouse=True)
def _fresh_limits() -> Iterator[None]:
    yield
    limits._here._full_at.clear()
