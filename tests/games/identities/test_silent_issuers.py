"""An issuer that does not answer holds few threads, and nobody else waits for it."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from http import HTTPStatus

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client, RequestFactory
from pytest_django import Settings

from games.accounts.hashing import place_to_wait
from games.identities.issuers import Issuer
from games.identities.proving import MOST_WAITING, Purpose, address_to_prove
from games.identities.refusals import ProofFailed
from tests.games.identities.issuer import Issuer as Answering
from tests.games.identities.test_signing_in import SIGN_IN, sent_to

pytestmark = pytest.mark.django_db


def ask(issuer: Issuer) -> None:
    """Ask an issuer as a request on another thread does."""
    request = RequestFactory().post(SIGN_IN)
    request.user, request.session = AnonymousUser(), {}  # type: ignore[assignment]
    with pytest.raises(ProofFailed):
        address_to_prove(request, issuer, Purpose.SIGN_IN, datetime.now(UTC))


def test_two_wait_and_a_third_is_asked_to_try_again_at_once(client: Client, settings: Settings) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent, ThreadPoolExecutor(MOST_WAITING) as threads:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        settings.PYRAMID_SIGN_IN_WITH = [Issuer.read("school", {"issuer": address, "client_id": "x"})]
        waiting = [threads.submit(ask, settings.PYRAMID_SIGN_IN_WITH[0]) for _ in range(MOST_WAITING)]
        held = [silent.accept()[0] for _ in waiting]
        answer = client.post(SIGN_IN)
        assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert "Try again in a moment" in answer.content.decode()
        with place_to_wait() as has_place:
            assert has_place  # for a password
        for connection in held:
            connection.close()
        for each in waiting:
            each.result()
    assert client.post(SIGN_IN).status_code == HTTPStatus.FORBIDDEN  # nobody listens, and the places are free again


def test_who_comes_back_while_others_wait_may_load_the_page_again(client: Client, school: Answering) -> None:
    back = school.confirm(sent_to(client.post(SIGN_IN)), "17")
    with place_to_wait(), place_to_wait(), place_to_wait(), place_to_wait():
        assert client.get(back).status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert client.get(back)["Location"] == "/account/with/"
