from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings


@pytest.mark.django_db
def test_a_server_with_everything_it_needs_is_ready(client: Client) -> None:
    answer = client.get("/health/ready")
    assert answer.status_code == 200
    assert answer.json() == {"database": "ok", "migrations": "ok", "redis": "ok"}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db(transaction=True)
def test_a_server_on_a_database_that_is_not_migrated_is_not_ready(client: Client) -> None:
    call_command("migrate", "admin", "zero", verbosity=0)
    try:
        answer = client.get("/health/ready")
    finally:
        call_command("migrate", "admin", verbosity=0)
    assert answer.status_code == 503
    assert answer.json() == {"database": "ok", "migrations": "failing", "redis": "ok"}


@pytest.mark.django_db
def test_that_live_broadcast_fails_is_told_and_why_is_for_the_log_and_not_for_the_visitor(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = "redis://:hunter2@127.0.0.1:1/0"
    answer = client.get("/health/ready")
    assert answer.status_code == 200, "players are served without live broadcast too"
    assert answer.json()["redis"] == "failing"
    assert "Connect" not in answer.text
    assert "not ready: redis" in caplog.text
    assert "hunter2" not in caplog.text


def test_a_probe_only_reads(client: Client) -> None:
    assert client.post("/health/ready").status_code == 405


@pytest.mark.django_db
def test_a_probe_from_inside_is_not_sent_to_https(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/health/ready").status_code == 200
    assert Client().get("/").status_code == 301
