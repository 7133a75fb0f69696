"""The page of a game."""

from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.django_db
@pytest.mark.parametrize(("rules", "has_stock"), [("giza", False), ("standard", True)])
def test_draws_and_passes_are_offered_only_where_there_is_a_stock(client: Client, rules: str, has_stock: bool) -> None:
    page = client.get(client.post("/practice/", {"rules": rules})["Location"]).content.decode()
    assert ("<kbd>D</kbd>" in page, 'data-figure="pass"' in page) == (has_stock, has_stock)
