"""Every operation of the OpenAPI document, fed with what fits it and what does not, by a player and by nobody."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from django.conf import settings as server
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.games.api import Api, openapi
from tests.games.keys.test_authentication import DOORS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

# A text of the right length need not be a move: that fitting input may be refused, too, is announced.
LEFT_OUT = [positive_data_acceptance]
# `make fuzz-rest` sends many more, other ones each time.
REQUESTED = int(os.environ.get("REST_EXAMPLES") or 0)
EXAMPLES = REQUESTED or 3
QUIET: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}
NOBODY: dict[str, str] = {}


@cache
def parsed_document() -> Any:
    document = schemathesis.openapi.from_dict(openapi())
    document.app = get_wsgi_application()
    return document


@pytest.fixture
def document(monkeypatch: pytest.MonkeyPatch, db: None) -> Iterator[Any]:
    for scope in ("guests", "anon", "user"):
        monkeypatch.setitem(server.PYRAMID_LIMITS, scope, (1_000_000, 60))
    document = parsed_document()
    # The connection outlives each request, as with Django's own test client: the test's transaction is on it.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield document
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("_no_deadline")
@pytest.mark.parametrize(("method", "route"), DOORS)
def test_no_request_gets_an_answer_that_is_not_announced(
    document: Any, as_alice: Api, alices_game: str, method: str, route: str
) -> None:
    operation = document["/api/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route)][method]
    fitting = operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE)
    unfit = operation.as_strategy(generation_mode=schemathesis.GenerationMode.NEGATIVE)

    alice = {"Authorization": f"Bearer {as_alice.token}"}

    @settings(max_examples=EXAMPLES, derandomize=not REQUESTED, **QUIET)
    @given(fitting | unfit, st.sampled_from([alice, alice, NOBODY]))
    def send(case: Any, headers: dict[str, str]) -> None:
        if "game_id" in case.path_parameters:
            case.path_parameters["game_id"] = alices_game
        case.call_and_validate(headers=headers, excluded_checks=LEFT_OUT)

    send()
