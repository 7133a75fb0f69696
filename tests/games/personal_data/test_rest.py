"""A copy of everything about a player, and the deletion of an account, by REST, page and command."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.test import Client

from games.accounts import accounts, mail
from games.calendar.models import DailyDeal
from games.keys.keys import make_token
from games.personal_data import erasure, exports
from games.personal_data.erasure import erase_player, finish_erasures
from games.personal_data.exports import exported_file, prepare_exports, remove_old_exports, request_export
from games.personal_data.models import DataExport, Erasure
from games.play.models import Game
from games.players.models import Player
from games.push.models import QuietHours
from games.push.quiet_hours import keep_quiet_at_night
from games.races import rooms
from games.races.models import Race
from games.worker import tasks
from tests.games.api import Api, refusal
from tests.games.conftest import PASSWORD

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("fast_hashes"),
    pytest.mark.usefixtures("clock"),
]


@pytest.fixture
def carol(clock: time_machine.Traveller) -> Player:
    return Player.objects.create_user(username="carol", display_name="Carol", password=PASSWORD)


def unpacked(archive: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the rows by table, and the records by game."""
    with ZipFile(BytesIO(archive)) as files:
        kept = {part["table"]: part for part in json.loads(files.read("data.json"))["kept"]}
        names = [name for name in files.namelist() if name.startswith("records/")]
        return kept, {Path(name).stem: files.read(name).decode() for name in names}


def ask_and_wait(api: Api, now: datetime) -> bytes:
    assert api.post("/api/me/export/").status_code == 202
    assert prepare_exports(now) == 1
    response = api.get("/api/me/export/file/")
    assert (response["Content-Type"], response["Cache-Control"]) == ("application/zip", "no-store")
    content: bytes = response.getvalue()
    return content


def test_a_player_gets_a_file_with_every_row_and_record(as_alice: Api, alice: Player, now: datetime) -> None:
    game = as_alice.start()
    as_alice.act(game, 0, "D")
    as_alice.resign(game, 1)
    make_token(alice, "My bot")
    kept, records = unpacked(ask_and_wait(as_alice, now))
    assert kept["player.pk"]["rows"][0]["display_name"] == "Alice"
    assert [(row["id"], row["status"]) for row in kept["game.player"]["rows"]] == [(game, "resigned")]
    assert [row["name"] for row in kept["tokenterms.token__user"]["rows"]] == ["My bot"]
    assert list(records) == [game]
    assert records[game] == as_alice.get(f"/api/games/{game}/record/").json()["record"]
    export = as_alice.get("/api/me/export/").json()
    assert (export["state"], export["done"], export["total"]) == ("done", 1, 1)
    assert export["removed_at"].startswith("2026-03-08T12:00")


def test_no_secret_and_no_unseen_card_is_in_it(
    as_alice: Api, dailies: None, clock: time_machine.Traveller, now: datetime
) -> None:
    game = as_alice.start("daily", "standard")
    as_alice.state(game)
    archive = ask_and_wait(as_alice, now)
    kept, records = unpacked(archive)
    assert records[game].count("??") == 24
    deal = DailyDeal.objects.get(attempts=game).deal
    text = json.dumps(kept) + records[game]
    assert deal.deck not in text
    assert as_alice.token not in text
    assert as_alice.token[:15] not in text


def test_nobody_gets_the_file_of_somebody_else(as_alice: Api, as_mallory: Api, anyone: Api, now: datetime) -> None:
    ask_and_wait(as_alice, now)
    assert refusal(as_mallory.get("/api/me/export/file/")) == (404, "unknown_export")
    assert refusal(as_mallory.get("/api/me/export/")) == (404, "unknown_export")
    assert refusal(anyone.get("/api/me/export/file/")) == (401, "not_signed_in")
    browser = Client()
    assert browser.get("/account/data/file/")["Location"] == "/account/sign-in/?next=%2Faccount%2Fdata%2Ffile%2F"
    browser.force_login(Player.objects.get(display_name="Mallory"))
    assert browser.get("/account/data/file/")["Location"] == "/account/data/"


def test_there_is_one_export_at_a_time_and_three_a_day(as_alice: Api, now: datetime) -> None:
    for _ in range(5):
        assert as_alice.post("/api/me/export/").status_code == 202
    assert DataExport.objects.count() == prepare_exports(now) == 1
    for _ in range(2):
        ask_and_wait(as_alice, now)
    assert refusal(as_alice.post("/api/me/export/")) == (429, "too_many_requests")


def test_an_export_is_removed_after_some_days(as_alice: Api, now: datetime) -> None:
    ask_and_wait(as_alice, now)
    assert remove_old_exports(now + timedelta(days=7)) == 0
    assert remove_old_exports(now + timedelta(days=7, minutes=1)) == 1
    assert refusal(as_alice.get("/api/me/export/file/")) == (404, "unknown_export")


def test_a_worker_that_dies_leaves_the_export_to_another_one(alice: Player, now: datetime) -> None:
    request_export(alice, now)
    DataExport.objects.update(claimed_at=now)
    assert prepare_exports(now + timedelta(minutes=29)) == 0
    assert prepare_exports(now + timedelta(minutes=30)) == 1
    assert unpacked(exported_file(alice).getvalue())[1] == {}


def test_an_export_that_cannot_be_made_is_said_to_have_failed(
    as_alice: Api, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_alice.post("/api/me/export/")
    monkeypatch.setattr(exports, "record_for", lambda *arguments: 1 / 0)
    as_alice.start()
    prepare_exports(now)
    assert as_alice.get("/api/me/export/").json()["state"] == "failed"
    assert refusal(as_alice.get("/api/me/export/file/")) == (404, "unknown_export")


def test_a_copy_of_many_games_is_made_in_parts_between_which_the_worker_does_other_work(
    as_alice: Api, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "SECONDS_AT_ONCE", 0)
    games = {as_alice.start() for _ in range(3)}
    as_alice.post("/api/me/export/")
    assert [prepare_exports(now) for _ in range(5)] == [0, 0, 0, 1, 0]
    _, records = unpacked(as_alice.get("/api/me/export/file/").getvalue())
    assert records.keys() == games


def test_the_page_asks_for_the_copy_shows_its_progress_and_hands_it_out(
    client: Client, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_exports = [task for task in tasks._tasks if task.run is prepare_exports]
    monkeypatch.setattr(tasks, "_tasks", of_exports)
    client.force_login(alice)
    assert "Make a copy" in client.get("/account/data/").text
    assert client.post("/account/data/").status_code == 303
    assert "Your copy is being prepared." in client.get("/account/data/").text
    DataExport.objects.update(done=200, total=500)
    assert "200 of 500 games so far" in client.get("/account/data/").text
    tasks.run_due(datetime.now().astimezone())
    assert "Download" in client.get("/account/data/").text
    response = client.get("/account/data/file/")
    assert response["Content-Disposition"] == 'attachment; filename="pyramid-data.zip"'
    assert "no-store" in response["Cache-Control"]
    assert unpacked(response.getvalue())[0]["player.pk"]["rows"]


def test_the_command_writes_the_same_file_for_the_operator_alone(alice: Player, tmp_path: Path) -> None:
    target, said = tmp_path / "alice.zip", StringIO()
    call_command("export_player", alice.username, str(target), stdout=said)
    assert target.stat().st_mode & 0o777 == 0o600
    assert unpacked(target.read_bytes())[0]["player.pk"]["rows"][0]["display_name"] == "Alice"
    with pytest.raises(CommandError, match="File exists"):
        call_command("export_player", alice.username, str(target))
    with pytest.raises(CommandError, match="there is no player 'nobody'"):
        call_command("export_player", "nobody", str(tmp_path / "nobody.zip"))


def test_an_export_that_cannot_be_written_leaves_no_file_in_the_way_of_the_next(
    alice: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "chmod", full)
    with pytest.raises(CommandError, match="cannot be written: No space left on device"):
        call_command("export_player", alice.username, str(tmp_path / "alice.zip"))
    assert list(tmp_path.iterdir()) == []


def test_an_account_is_deleted_by_its_password_and_ends_everywhere(carol: Player, anyone: Api) -> None:
    as_carol, browser = Api(carol), Client()
    browser.force_login(carol)
    for wrong in ({"confirm": True}, {"confirm": True, "password": "a guess"}):
        assert refusal(as_carol.post("/api/me/delete/", wrong)) == (401, "sign_in_failed")
    for unsure in ({"confirm": False, "password": PASSWORD}, {"password": PASSWORD}):
        assert refusal(as_carol.post("/api/me/delete/", unsure)) == (400, "invalid_request")
    left = as_carol.post("/api/me/delete/", {"confirm": True, "password": PASSWORD}).json()["handle"]
    assert left.startswith("deleted-")
    assert refusal(as_carol.get("/api/me/")) == (401, "bad_credentials")
    assert browser.get("/api/me/").status_code == 401
    signing_in = anyone.post("/api/sign-in/", {"handle": "carol", "password": PASSWORD})
    assert refusal(signing_in) == (401, "sign_in_failed")
    assert Player.objects.get().display_name == "Deleted player"


@pytest.mark.parametrize("late", ["claim", "rename", "address"])
def test_what_was_under_way_brings_nothing_back(
    alice: Player, now: datetime, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    def delete(*given: object) -> str:
        erase_player(Player.objects.get(pk=alice.pk), "asked for it", None, now)
        return "alice@example.com"

    monkeypatch.setattr(accounts, "make_password", delete)
    monkeypatch.setattr(mail, "address_in_link", delete)
    if late == "claim":
        claiming = {"handle": "alicia", "display_name": "Alicia", "password": PASSWORD}
        assert refusal(Api(alice).post("/api/me/claim/", claiming)) == (409, "already_claimed")
    elif late == "rename":
        delete()
        accounts.rename(alice, "Alicia")
    else:
        assert not mail.confirm(alice, "a link")
    kept = Player.objects.get()
    assert (kept.display_name, kept.name_key, kept.email) == ("Deleted player", "", "")
    assert kept.username.startswith("deleted-")


def test_a_guest_is_deleted_on_the_page_after_a_yes(client: Client, alice: Player) -> None:
    client.force_login(alice)
    assert "This field is required" in client.post("/account/delete/", {"confirm": ""}).text
    said = client.post("/account/delete/", {"confirm": "on"})
    assert "Your account is deleted" in said.text
    assert client.get("/account/").status_code == 302
    assert not Player.objects.get().is_active


def test_the_page_asks_carol_for_her_password(client: Client, carol: Player) -> None:
    client.force_login(carol)
    page = client.post("/account/delete/", {"confirm": "on", "password": "a guess"})
    assert "This is not your password." in page.text
    assert Player.objects.get().username == "carol"
    client.post("/account/delete/", {"confirm": "on", "password": PASSWORD})
    assert Player.objects.get().username.startswith("deleted-")


@pytest.mark.parametrize("address", ["/account/data/", "/account/delete/"])
def test_a_page_of_another_site_neither_copies_nor_deletes(alice: Player, address: str) -> None:
    forging = Client(enforce_csrf_checks=True)
    forging.force_login(alice)
    assert forging.post(address, {"confirm": "on"}).status_code == 403
    assert not DataExport.objects.exists()
    assert Player.objects.get().is_active


@pytest.fixture
def two_at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(erasure, "GAMES_AT_ONCE", 2)
    return iter(())


def test_many_games_are_deleted_by_the_worker_in_turn(
    as_alice: Api, as_bob: Api, two_at_once: None, now: datetime, clock: time_machine.Traveller
) -> None:
    for _ in range(3):
        first = as_alice.start()
        clock.shift(1)
        as_alice.post(f"/api/games/{first}/restart/")
        clock.shift(1)
    kept = as_bob.start()
    as_alice.post("/api/me/delete/", {"confirm": True})
    assert Game.objects.count() == 5
    assert [finish_erasures(now) for _ in range(3)] == [2, 2, 0]
    assert [game.pk for game in Game.objects.all()] == [kept]
    assert sum(Erasure.objects.values_list("games", flat=True)) == 6
    assert not Erasure.objects.filter(is_open=True).exists()


def test_what_requests_under_way_store_for_a_deleted_account_is_deleted_by_the_worker(
    as_alice: Api, alice: Player, bob: Player, daily: DailyDeal, now: datetime, clock: time_machine.Traveller
) -> None:
    terms = {"tie_break": "time", "limit_s": 300, "countdown_s": 5, "is_public": True, "admits_bots": False}
    room = Race.objects.create(deal=daily.deal, created_at=now, **terms)
    as_alice.post("/api/me/delete/", {"confirm": True})
    for player in (alice, bob):  # she was found before
        rooms.join(room.pk, player, "", now)
        request_export(player, now)
        keep_quiet_at_night(player, "UTC")
    finish_erasures(now + timedelta(minutes=1))
    assert [racer.player for racer in room.racers.all()] == [bob]
    assert [export.player for export in DataExport.objects.all()] == [bob]
    assert [hours.player for hours in QuietHours.objects.all()] == [bob]


def test_an_account_that_staff_have_closed_keeps_its_games(as_alice: Api, alice: Player, now: datetime) -> None:
    as_alice.start()
    Erasure.objects.create(player=alice, reason="old practice games of a guest", at=now, is_open=False)
    Player.objects.filter(pk=alice.pk).update(is_active=False, username="deleted-alice")
    assert finish_erasures(now) == 0
    assert Game.objects.exists()
