"""`/.well-known/security.txt` leads to the operator and to the threat model, and never expires on the reader."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import time_machine
from django.test import Client
from pytest_django.fixtures import Settings

from tests.processes import PROJECT

NOW = datetime(2026, 11, 24, 12, 30, tzinfo=UTC)


def fields_of(client: Client) -> dict[str, str]:
    response = client.get("/.well-known/security.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    return dict(line.split(": ", 1) for line in response.text.splitlines())


def test_a_new_server_names_the_page_on_security_and_an_operator_the_own_address(
    client: Client, settings: Settings
) -> None:
    settings.PYRAMID_PUBLIC_URL = "https://pyramid.example"
    with time_machine.travel(NOW, tick=False):
        fields = fields_of(client)
    assert fields["Contact"] == "https://pyramid.example/docs/security/#report-a-vulnerability"
    assert fields["Policy"] == "https://pyramid.example/docs/security/"
    assert NOW < datetime.fromisoformat(fields["Expires"]) < NOW + timedelta(days=365)
    settings.PYRAMID_SECURITY_CONTACT = "mailto:security@pyramid.example"
    assert fields_of(client)["Contact"] == "mailto:security@pyramid.example"


def test_what_it_points_to_is_there(client: Client) -> None:
    page = client.get("/docs/security/").text
    assert 'id="report-a-vulnerability"' in page
    assert "docs/security.md" in (PROJECT / "SECURITY.md").read_text()
