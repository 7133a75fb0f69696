"""A proxy says in a header who comes; mallory says it too."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from games.identities.issuers import Issuer
from games.players.models import Player

COMPANY = {"label": "Example Ltd", "header": "Remote-User", "proxies": "10.0.0.2, 10.0.0.3"}
SIGN_IN, NEW = "/account/with/company/", "/account/with/"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _company(settings: Settings) -> None:
    settings.PYRAMID_SIGN_IN_WITH = [Issuer.read("company", COMPANY)]


def sign_in(client: Client, name: str, peer: str = "10.0.0.2", **headers: str) -> Any:
    return client.post(SIGN_IN, headers={"remote-user": name} | headers, REMOTE_ADDR=peer)


@pytest.mark.parametrize("peer", ["10.0.0.3", "::ffff:10.0.0.3"])
def test_alice_registers_once_and_comes_back_through_either_proxy(peer: str) -> None:
    client = Client()
    assert sign_in(client, "alice")["Location"] == NEW
    assert 'value="alice"' in client.get(NEW).content.decode()
    client.post(NEW, {"handle": "alice", "display_name": ""})
    other = Client()
    assert sign_in(other, "alice", peer)["Location"] == "/account/"
    assert other.get("/api/me/").json()["handle"] == "alice"


TRICKS: dict[str, dict[str, Any]] = {
    "past the proxy": {"peer": "10.0.0.4"},
    "with the address of the proxy in a header": {"peer": "192.0.2.1", "x-forwarded-for": "10.0.0.2"},
    "over a socket without an address": {"peer": ""},
    "with a name of one's own beside that of the proxy": {"name": "alice,mallory"},
    "without a name": {"name": " "},
    "with a name that never ends": {"name": "a" * 256},
}


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS)
def test_nobody_else_says_who_comes(client: Client, trick: dict[str, Any]) -> None:
    answer = sign_in(client, **{"name": "alice"} | trick)
    assert answer.status_code == 403
    assert client.get(NEW)["Location"] == "/account/"  # nobody was confirmed
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    "given",
    [
        {"header": "Remote-User"},
        COMPANY | {"proxies": ""},
        COMPANY | {"proxies": "proxy.example"},
        COMPANY | {"proxies": "0.0.0.0/0"},
        COMPANY | {"header": "Remote User"},
        COMPANY | {"client_id": "x"},
        COMPANY | {"header": ["Remote-User"]},
        [],
    ],
)
def test_a_proxy_without_its_addresses_is_not_trusted(given: Any) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Issuer.read("company", given)
