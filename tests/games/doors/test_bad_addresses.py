"""Whatever stands in an address: a status and a code that the document announces for the operation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from tests.games.api import Api, openapi

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]

BAD = ["Ådne", "a b", "a.b", "..", "a\0b", "%", "9" * 20, "2026-02-30", "x" * 300]
FITTING = {"day": "2026-03-01", "week": "2026-W10", "tier": "1", "group": "1", "number": "1", "handle": "alice"}


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def addresses(path: str, operation: dict[str, Any]) -> Iterator[str]:
    """Yield the path with each bad value in each of its parts, while the others fit."""
    names = [part["name"] for part in operation.get("parameters", ()) if part["in"] == "path"]
    for bad_one in names:
        for bad in BAD:
            yield path.format_map({name: FITTING.get(name, "x") for name in names} | {bad_one: quote(bad, safe="")})


def test_no_address_gets_an_answer_that_its_operation_does_not_announce(
    as_alice: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in settings.PYRAMID_LIMITS:
        monkeypatch.setitem(settings.PYRAMID_LIMITS, limit, (1_000_000, 60))
    browser, key = Client(), {"Authorization": f"Bearer {as_alice.token}"}
    for path, method, operation in operations():
        for address in addresses(path, operation):
            answer = browser.generic(method.upper(), address, "{}", "application/json", headers=key)
            if answer.status_code < 400:
                continue
            where = f"{method} {path} as {address[:80]}: {answer.status_code} {answer.json()['code']}"
            announced = operation["responses"].get(str(answer.status_code))
            assert announced, where
            examples = announced["content"]["application/json"]["examples"].values()
            assert answer.json()["code"] in {each["value"]["code"] for each in examples}, where


@pytest.mark.parametrize(
    ("subject", "answer"),
    [
        ("races", "No open race has this code."),
        ("cups", "No tournament has these letters."),
        ("clubs", "There is no such club, or it has no members any more."),
    ],
)
@pytest.mark.parametrize("typed", ["\xb2", "\xc4", "\u0663", "\xdf-1"], ids=ascii)
def test_a_typed_code_that_none_can_be_leads_to_the_page_that_says_so(subject: str, answer: str, typed: str) -> None:
    page = Client().get(f"/{subject}/join/", {"code": typed}, follow=True)
    assert (page.status_code, len(page.redirect_chain)) == (404, 1)
    assert answer in page.content.decode()
