from __future__ import annotations

import pytest
from django.test import Client

from games.models import Player
from leaderboards.services.submission import submit_score
from tests.leaderboards.conftest import Finish


@pytest.fixture
def staff(db: None, client: Client) -> Client:
    reviewer = Player.objects.create_superuser("reviewer", display_name="Reviewer", password=None)
    client.force_login(reviewer)
    return client


@pytest.mark.parametrize("model", ["board", "entry"])
def test_staff_reads_score_tables_and_cannot_edit_them(
    staff: Client, alice: Player, finish: Finish, model: str
) -> None:
    game = finish(alice)
    submit_score(game)
    listing = f"/admin/leaderboards/{model}/"
    assert staff.get(listing, {"q": alice.username}).status_code == 200
    page = staff.get(listing)
    assert "daily.2026-11-20.standard.open.fastest" in page.content.decode()
    assert game.deal.deck not in page.content.decode()
    assert staff.get(f"{listing}add/").status_code == 403
    first = staff.get(f"{listing}{getattr(game.entries.first(), 'pk' if model == 'entry' else 'board_id')}/delete/")
    assert first.status_code == 403
