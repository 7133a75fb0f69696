"""The list of what is kept about players is complete: a new table or field about them fails here until it is listed."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.conf import settings
from django.db.models import ForeignKey, Model
from django.test import Client

from games.calendar.models import DailyDeal
from games.personal_data.cookies import cookies
from games.personal_data.erasure import erase_player
from games.personal_data.exports import archive_of
from games.personal_data.holdings import Holding, holdings
from games.play.models import Game
from games.players.models import Player
from leaderboards.audit.models import SealedResult
from leaderboards.audit.sealing import mistakes_in_seals, seal_days
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.models import Following
from leaderboards.moderation.cases import open_or_join
from leaderboards.moderation.log import append
from leaderboards.moderation.models import Act, Case, LogLine
from leaderboards.moderation.reports import report
from tests.leaderboards.audit.test_sealing import DAY, FINAL, games
from tests.leaderboards.conftest import NOON

__all__ = ["games"]  # a fixture

# Rows of games, which are about their players too.
THROUGH: dict[type[Model], str] = {Player: "", Game: "__player"}
NO_FIELD_OF = {"id", "game", "token"}


def tables() -> list[tuple[type[Model], str]]:
    """Return every table with a reference to a player or a game, and the path from there to the player."""
    found = [
        (model, f"{field.name}{THROUGH[field.related_model]}")
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and field.related_model in THROUGH and model is not Game
    ]
    return [(Player, "pk"), (Game, "player"), *found]


def listed(model: type[Model]) -> list[Holding]:
    return [each for each in holdings() if each.model is model]


@pytest.mark.parametrize(("model", "owner"), tables(), ids=lambda value: getattr(value, "__name__", value))
def test_every_table_about_players_is_listed(model: type[Model], owner: str) -> None:
    owners = {each.owner for each in listed(model)}
    is_by_player = any(not owner.startswith("game__") for owner in owners)
    assert owner in owners or (owner.endswith("game__player") and is_by_player)


@pytest.mark.parametrize("model", dict.fromkeys(each.model for each in holdings()), ids=lambda model: model.__name__)
def test_every_field_of_such_a_table_is_exported_or_withheld_with_a_reason(model: type[Model]) -> None:
    said = {
        name.partition("__")[0] for each in listed(model) for name in (*each.fields.split(), *each.reasons, each.owner)
    }
    fields = {field.name for field in model._meta.concrete_fields}
    assert fields - said - NO_FIELD_OF == set()
    assert said - fields - {"pk"} == set()


def test_the_privacy_page_says_all_of_it_with_the_times_that_are_set(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "PYRAMID_TRACE_DAYS", 37)
    page = client.get("/privacy/").text
    for each in holdings():
        assert str(each.what) in page
        assert each.kept_until in page
    assert "37 days after they were last seen" in page


def test_every_cookie_that_the_site_sets_is_on_the_privacy_page(db: None, client: Client) -> None:
    account = {"handle": "carol", "display_name": "Carol", "password": "correct horse battery"}
    client.get("/account/claim/")
    client.post("/account/claim/", account)
    client.post("/account/keys/", {"end": "nothing"})
    set_here = set(client.cookies)
    assert len(set_here) == 5
    assert set_here < {cookie.name for cookie in cookies()}
    assert all(f"<code>{name}</code>" in client.get("/privacy/").text for name in set_here)


def test_a_deleted_account_leaves_ranks_and_proofs_as_they_were(games: list[Game], bob: Player) -> None:
    verify_entered(FINAL)
    seal_days(FINAL)
    alice = games[0].player
    Following.objects.create(follower=bob, followed=alice)
    leaves = list(SealedResult.objects.values_list("leaf", flat=True))
    erase_player(alice, "asked for", None, NOON)
    assert list(SealedResult.objects.values_list("leaf", flat=True)) == leaves
    assert mistakes_in_seals() == []
    assert not Following.objects.exists()
    board = Client().get(f"/api/boards/daily.{DAY}.standard.open.fewest-moves/").json()
    assert ("Closed account" in str(board), "alice" in str(board).lower()) == (True, False)


def copy_of(player: Player) -> dict[str, Any]:
    """Return the parts of a player's copy by table."""
    with ZipFile(BytesIO(archive_of(player, FINAL))) as files:
        return {part["table"]: part for part in json.loads(files.read("data.json"))["kept"]}


def test_the_scores_of_a_player_are_in_the_copy_and_what_finds_cheats_is_not(games: list[Game]) -> None:
    kept = copy_of(games[0].player)
    assert {row["game"] for row in kept["entry.player"]["rows"]} >= {games[0].pk}
    assert kept["keptfinding.player"]["rows"] == []
    assert set(kept["examination.player"]["withheld"]) >= {"evidence", "foresight"}


def test_the_copy_does_not_tell_who_reports_whether_there_was_a_case_nor_a_suspect_that_there_is_one_again(
    games: list[Game], daily: DailyDeal
) -> None:
    suspect, reporter = games[0].player, Player.objects.create(username="reporter")
    case = open_or_join(suspect.pk, daily, "a test", FINAL)
    report(games[0].pk, reporter, "I wonder whether there is a case", FINAL)
    assert case.log.filter(by=reporter, act=Act.JOINED).exists()
    assert copy_of(reporter)["logline.by"]["rows"] == []
    line = append(LogLine(at=FINAL, case=case, act=Act.DECIDED, outcome="clear", reason="explained"))
    Case.objects.filter(pk=case.pk).update(decision=line)
    [row] = copy_of(suspect)["case.player"]["rows"]
    assert not {"state", "needs", "reviewer"} & row.keys()
