from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player
from tests.games.conftest import PASSWORD


@pytest.fixture
def carol(client: Client, fast_hashes: None, db: None) -> Player:
    """Someone with a named account, who is signed in."""
    player = Player.objects.create_user(username="carol", display_name="Carol", password=PASSWORD)
    client.force_login(player)
    return player
