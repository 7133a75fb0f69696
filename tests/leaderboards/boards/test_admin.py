from __future__ import annotations

import pytest
from django.test import Client

from games.players.models import Player
from leaderboards.boards.decisions import decide
from leaderboards.boards.following import follow
from leaderboards.boards.models import Board, Decision, Entry, Following
from tests.leaderboards.conftest import NOON, Finish, submit_score

MODELS = [Board, Entry, Decision, Following]


@pytest.fixture
def staff(db: None, client: Client) -> Client:
    reviewer = Player.objects.create_superuser("reviewer", display_name="Reviewer", password=None)
    client.force_login(reviewer)
    return client


@pytest.fixture
def _rows(alice: Player, bob: Player, finish: Finish) -> None:
    game = finish(alice)
    submit_score(game, NOON)
    decide(Decision(game=game, state="flagged", reason="too fast", by=bob, at=NOON))
    follow(bob, "alice")


@pytest.mark.usefixtures("_rows")
@pytest.mark.parametrize("model", MODELS)
def test_staff_reads_score_tables_and_cannot_edit_them(staff: Client, model: type[Entry]) -> None:
    listing = f"/admin/leaderboards/{model.__name__.lower()}/"
    row = model.objects.first()
    assert row is not None
    assert f"/{row.pk}/change/" in staff.get(listing).content.decode()
    assert staff.get(listing, {"q": "alice"}).status_code == 200
    assert staff.get(f"{listing}{row.pk}/change/").status_code == 200
    assert staff.get(f"{listing}add/").status_code == 403
    assert staff.get(f"{listing}{row.pk}/delete/").status_code == 403


@pytest.mark.usefixtures("_rows")
def test_the_admin_of_score_tables_shows_no_deck(staff: Client) -> None:
    entry = Entry.objects.exclude(game=None).select_related("game__deal").first()
    assert entry is not None
    assert entry.game is not None
    page = staff.get(f"/admin/leaderboards/entry/{entry.pk}/change/")
    assert entry.game.deal.deck not in page.content.decode()
