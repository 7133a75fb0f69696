"""Asking for boards over REST at noon of the cast's day."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient


def get(path: str, **query: Any) -> Any:
    return APIClient().get(f"/api/boards/{path}", query)


def ranks(response: Any) -> list[tuple[int, str]]:
    return [(row["rank"], row["player"]["handle"]) for row in response.json()["rows"]]
