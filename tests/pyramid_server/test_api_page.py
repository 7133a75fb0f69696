"""The page and the document of the REST API, and its index of errors, as a writer of a client meets them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Event

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from pyramid_server import documents, schema
from pyramid_server.schema import introduce
from tests.games.api import Api, openapi
from tests.games.doors.test_docs import documented_codes


def test_groups_come_in_the_order_of_use_and_every_operation_is_in_one() -> None:
    groups = [group["name"] for group in openapi()["tags"]]
    assert groups == [
        *("Start", "Daily deals", "Games", "Puzzles", "Races", "Score tables"),
        *("Clubs", "Rules and players", "Your account", "Reference"),
    ]
    used = {tag for path in openapi()["paths"].values() for operation in path.values() for tag in operation["tags"]}
    assert used == set(groups)


KINDS = ("*/*", "application/json", "application/vnd.oai.openapi+json")


def test_readers_who_ask_a_new_server_at_once_wait_for_one_document(monkeypatch: pytest.MonkeyPatch) -> None:
    second, made = Event(), []

    def make(*_: object, **__: object) -> dict[str, str]:
        made.append({"openapi": "3.1.0"})
        if len(made) > 1:
            second.set()
        second.wait(0.2)  # the time for another to begin as well
        return made[0]

    monkeypatch.setattr(SchemaGenerator, "get_schema", make)
    monkeypatch.setattr(schema, "document", cache(schema.document.__wrapped__))
    with ThreadPoolExecutor(3) as readers:
        answers = list(readers.map(lambda kind: Client().get("/api/schema/", headers={"accept": kind}), KINDS))
    assert ({answer.status_code for answer in answers}, len(made)) == ({200}, 1)


def test_readers_who_search_a_new_server_at_once_wait_for_one_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    second, readings = Event(), list[str]()

    def read(slug: str) -> Iterator[documents.Section]:
        readings.append(slug)
        if len(readings) > 1:
            second.set()
        second.wait(0.2)  # the time for another to begin as well
        return iter(())

    monkeypatch.setattr(documents, "_sections_of", read)
    monkeypatch.setattr(documents, "sources", lambda: {"rules": documents.CONTENTS})
    documents.sections.cache_clear()
    with ThreadPoolExecutor(3) as readers:
        answers = list(readers.map(lambda _: Client().get("/docs/sections.json"), range(3)))
    documents.sections.cache_clear()
    assert ({answer.status_code for answer in answers}, readings) == ({200}, ["rules"])


def test_the_introduction_has_the_limits_of_this_server_and_leads_to_the_guides(client: Client) -> None:
    introduction = introduce({"info": {}, "paths": {}})["info"]["description"]
    assert "600 requests a minute with a token, 120 a minute from one address without" in introduction
    for address in re.findall(r"\]\(([^)#]+)", introduction):
        assert client.get(address).status_code == 200, address


def test_every_operation_says_how_long_to_wait_after_too_many_requests() -> None:
    for path in openapi()["paths"].values():
        for operation in path.values():
            assert operation["responses"]["429"]["headers"]["Retry-After"]["schema"] == {"type": "integer"}


def test_the_index_of_errors_has_every_code() -> None:
    listed = Api().get("/api/errors/").json()["errors"]
    assert {error["code"]: error["status"] for error in listed} == documented_codes()
    assert [error["code"] for error in listed if error["is_live"]] == ["bad_message"]
    assert all(error["meaning"] and not error["meaning"].startswith("*") for error in listed)


def test_a_way_leads_back_from_the_page(client: Client) -> None:
    page = client.get("/api/docs/").text
    assert 'class="brand" href="/"' in page
    assert 'href="/docs/"' in page
