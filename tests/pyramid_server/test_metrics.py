from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

TOKEN = "t" * 50


@pytest.mark.parametrize("authorization", [None, "Bearer wrong", f"Basic {TOKEN}", TOKEN, "Bearer "])
@pytest.mark.parametrize("token", ["", TOKEN])
def test_metrics_are_not_there_for_strangers(
    client: Client, settings: Settings, token: str, authorization: str | None
) -> None:
    settings.PYRAMID_METRICS_TOKEN = token
    headers = {"Authorization": authorization} if authorization else {}
    assert client.get("/metrics", headers=headers).status_code == 404


def test_an_operator_with_the_token_sees_sockets_and_journal(client: Client, settings: Settings) -> None:
    settings.PYRAMID_METRICS_TOKEN = TOKEN
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    for name in (
        "pyramid_sockets ",
        "pyramid_takeovers_total",
        "pyramid_journal_batch_changes_bucket",
        "pyramid_watchers",
    ):
        assert name in answer.text
