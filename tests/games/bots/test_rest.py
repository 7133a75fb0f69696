"""Bots with owners: whom they belong to, what their tokens open, and what ends with the owner."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from games.bots import bots
from games.bots.refusals import TooManyBots
from games.keys.keys import end_keys
from games.keys.models import TokenTerms
from games.keys.refusals import SignInFailed
from games.keys.tokens import token_holder
from games.personal_data.erasure import erase_player
from games.personal_data.exports import archive_of
from games.personal_data.models import Erasure
from games.players.models import Player
from tests.games.api import Api, refusal
from tests.games.conftest import PASSWORD
from tests.games.personal_data.test_rest import unpacked

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("fast_hashes"),
    pytest.mark.usefixtures("clock"),
]

BOT = {"handle": "deep-thirteen", "display_name": "Deep Thirteen"}
KEYS = "/api/me/bots/deep-thirteen/keys/"
DELETE = "/api/me/bots/deep-thirteen/delete/"
NO_BOT = (404, "unknown_bot")


@pytest.fixture
def carol(as_carol: Api) -> Player:
    assert as_carol.player is not None
    return as_carol.player


@pytest.fixture
def as_bot(as_carol: Api) -> Api:
    """Carol's bot, with the token that came with it."""
    return with_token(as_carol.post("/api/me/bots/", BOT).json()["token"])


def with_token(token: str) -> Api:
    api = Api()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    api.token = token
    return api


def deep_thirteen() -> Player:
    return Player.objects.get(username="deep-thirteen")


def test_carol_makes_a_bot_which_plays_with_its_token(as_carol: Api, carol: Player) -> None:
    made = as_carol.post("/api/me/bots/", BOT)
    assert made.status_code == 201
    about = {"handle": "deep-thirteen", "display_name": "Deep Thirteen", "is_guest": False, "is_bot": True}
    assert made.json()["player"] == about
    as_bot = with_token(made.json()["token"])
    assert as_bot.get("/api/me/").json() == about
    assert as_bot.state(as_bot.start())["version"] == 0
    bot = deep_thirteen()
    assert (bot.owner, bot.has_usable_password(), bot.named_since) == (carol, False, bot.claimed_at)
    assert TokenTerms.objects.get().name == "deep-thirteen"


def test_the_handle_is_the_name_of_a_bot_without_one(as_carol: Api) -> None:
    made = as_carol.post("/api/me/bots/", {"handle": "deep-thirteen"}).json()
    assert made["player"]["display_name"] == "deep-thirteen"


def test_a_bot_with_the_name_of_a_person_is_listed_with_its_handle(as_carol: Api, carol: Player) -> None:
    as_carol.patch("/api/me/", {"display_name": "Karla"})
    as_carol.post("/api/me/bots/", BOT | {"display_name": "\N{CYRILLIC CAPITAL LETTER KA}arla"})
    carol.refresh_from_db()
    assert (carol.listed_name, deep_thirteen().listed_name[1:]) == ("Karla (carol)", "arla (deep-thirteen)")


def test_bots_are_listed_for_their_owner_alone(as_carol: Api, as_bot: Api, as_mallory: Api) -> None:
    as_carol.post(KEYS, {"name": "laptop"})
    as_carol.post("/api/me/bots/", {"handle": "robot"})
    told = as_carol.get("/api/me/bots/").json()
    assert [(bot["player"]["handle"], bot["tokens"]) for bot in told["bots"]] == [("deep-thirteen", 2), ("robot", 1)]
    assert (told["most"], told["bots"][0]["made_at"]) == (5, "2026-03-01T12:00:00Z")
    for other in (as_mallory, as_bot):
        assert other.get("/api/me/bots/").json()["bots"] == []


def test_a_list_of_five_bots_takes_no_more_queries_than_one_of_one(as_carol: Api, as_bot: Api) -> None:
    counts = []
    for handle in ("first", "second", "third", "fourth"):
        with CaptureQueriesContext(connection) as queries:
            assert as_carol.get("/api/me/bots/").status_code == 200
        counts.append(len(queries))
        as_carol.post("/api/me/bots/", {"handle": handle})
    assert len(set(counts[1:])) == 1


def test_a_token_that_has_expired_is_not_counted(as_bot: Api, carol: Player, clock: time_machine.Traveller) -> None:
    clock.shift(timedelta(days=31))
    assert Api(carol).get("/api/me/bots/").json()["bots"][0]["tokens"] == 0


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"handle": 7},
        {"handle": None},
        {"handle": "x" * 33},
        {"handle": "robot", "display_name": ""},
        {"handle": "robot", "display_name": "x" * 41},
        {"handle": "robot", "display_name": "a\u202eb"},
        {"handle": "robot", "password": PASSWORD},
        {"handle": "robot", "is_bot": False},
        {"handle": "robot", "owner": "mallory"},
        [],
    ],
    ids=ascii,
)
def test_what_is_no_bot_is_refused(as_carol: Api, body: Any) -> None:
    assert refusal(as_carol.post("/api/me/bots/", body)) == (400, "invalid_request")
    assert not Player.objects.filter(is_bot=True).exists()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"handle": "ab"}, (400, "bad_handle")),
        ({"handle": "Deep-Thirteen"}, (400, "bad_handle")),
        ({"handle": "deep--thirteen"}, (400, "bad_handle")),
        ({"handle": "d\N{CYRILLIC SMALL LETTER IE}ep-thirteen"}, (400, "bad_handle")),
        ({"handle": "admin-bot"}, (409, "handle_reserved")),
        ({"handle": "bot"}, (409, "handle_reserved")),
        ({"handle": "carol"}, (409, "handle_taken")),
        ({"handle": "robot", "display_name": "\N{CYRILLIC CAPITAL LETTER A}dmin"}, (409, "name_reserved")),
    ],
    ids=ascii,
)
def test_handles_and_names_follow_the_rules_of_all_accounts(
    as_carol: Api, body: dict[str, str], expected: tuple[int, str]
) -> None:
    assert refusal(as_carol.post("/api/me/bots/", body)) == expected
    assert not Player.objects.filter(is_bot=True).exists()


def test_a_handle_that_somebody_takes_at_the_same_moment_is_taken(
    as_carol: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(handle: str) -> None:
        Player.objects.create(username=handle)

    monkeypatch.setattr(bots, "require_possible_handle", take)
    assert refusal(as_carol.post("/api/me/bots/", BOT)) == (409, "handle_taken")
    assert deep_thirteen().owner is None


def test_guests_bots_and_banned_players_own_no_bots(as_carol: Api, as_bot: Api, as_mallory: Api, carol: Player) -> None:
    assert refusal(as_mallory.post("/api/me/bots/", {"handle": "robot"})) == (409, "guest_account")
    assert refusal(as_bot.post("/api/me/bots/", {"handle": "robot"})) == (403, "cannot_own_bots")
    Player.objects.filter(pk=carol.pk).update(banned_at=carol.date_joined)
    assert refusal(as_carol.post("/api/me/bots/", {"handle": "robot"})) == (403, "cannot_own_bots")
    assert refusal(Api().post("/api/me/bots/", {"handle": "robot"})) == (401, "not_signed_in")
    assert Player.objects.filter(is_bot=True).count() == 1


def test_a_person_owns_as_many_bots_as_are_allowed_until_one_is_deleted(
    as_carol: Api, as_bot: Api, settings: Settings
) -> None:
    settings.PYRAMID_BOTS_PER_PLAYER = 2
    assert as_carol.post("/api/me/bots/", {"handle": "robot"}).status_code == 201
    assert refusal(as_carol.post("/api/me/bots/", {"handle": "another"})) == (409, "too_many_bots")
    assert as_carol.post(DELETE, {"confirm": True, "password": PASSWORD}).status_code == 200
    assert as_carol.post("/api/me/bots/", {"handle": "another"}).status_code == 201


def test_ten_requests_at_once_make_no_more_bots_than_are_allowed(carol: Player) -> None:
    together = Barrier(10, timeout=180)

    def make(number: int) -> bool:
        together.wait()
        try:
            request = RequestFactory().post("/", REMOTE_ADDR="192.0.2.1")
            bots.create_bot(carol, f"robot-{number:03}", None, request, carol.date_joined)
        except TooManyBots:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(10) as pool:
        assert sorted(pool.map(make, range(10))) == [False] * 5 + [True] * 5
    assert carol.bots.count() == 5


def test_a_new_bot_counts_as_a_new_account_of_its_address(
    as_carol: Api, anyone: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "guests", (2, 3600))
    assert as_carol.post("/api/me/bots/", BOT).status_code == 201
    assert refusal(as_carol.post("/api/me/bots/", BOT)) == (409, "handle_taken")
    assert anyone.post("/api/guests/").status_code == 201
    assert refusal(as_carol.post("/api/me/bots/", {"handle": "robot"})) == (429, "too_many_requests")
    assert carol_owns("deep-thirteen")


def carol_owns(*handles: str) -> bool:
    return sorted(Player.objects.get(username="carol").bots.values_list("username", flat=True)) == sorted(handles)


def test_no_bot_is_made_while_all_keys_of_its_owner_end(
    as_carol: Api, carol: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end_meanwhile(handle: str) -> None:
        end_keys(carol)

    monkeypatch.setattr(bots, "require_possible_handle", end_meanwhile)
    with pytest.raises(SignInFailed):
        bots.create_bot(carol, "robot", None, RequestFactory().post("/"), carol.date_joined)
    assert carol_owns()


def test_the_owner_makes_and_ends_tokens_and_a_socket_ticket_ends_with_its_token(as_carol: Api, as_bot: Api) -> None:
    another = as_carol.post(KEYS, {"name": "laptop"})
    assert (another.status_code, another.json()["player"]["handle"]) == (201, "deep-thirteen")
    listed = as_carol.get(KEYS).json()["keys"]
    assert {(key["kind"], key["name"], key["is_current"]) for key in listed} == {
        ("token", "deep-thirteen", False),
        ("token", "laptop", False),
    }
    first = next(key["id"] for key in listed if key["name"] == "deep-thirteen")
    left = as_carol.delete(f"{KEYS}{first}/").json()["keys"]
    assert [key["name"] for key in left] == ["laptop"]
    assert refusal(as_bot.get("/api/me/")) == (401, "bad_credentials")
    assert with_token(another.json()["token"]).get("/api/me/").status_code == 200
    assert refusal(as_carol.delete(f"{KEYS}{first}/")) == (404, "unknown_key")


@pytest.mark.parametrize("name", ["", "x" * 41, "a\u202eb", 7, None])
def test_what_is_no_name_of_a_token_is_refused(as_carol: Api, as_bot: Api, name: object) -> None:
    assert refusal(as_carol.post(KEYS, {"name": name})) == (400, "invalid_request")


def test_a_bot_is_of_no_concern_to_anyone_else(as_carol: Api, as_bot: Api, as_mallory: Api, staff: Player) -> None:
    key = as_carol.get(KEYS).json()["keys"][0]["id"]
    robot = Player.objects.create(username="robot", is_bot=True)
    for other in (as_mallory, as_bot, Api(staff), Api(robot)):
        assert refusal(other.get(KEYS)) == NO_BOT
        assert refusal(other.post(KEYS, {"name": "mine"})) == NO_BOT
        assert refusal(other.delete(f"{KEYS}{key}/")) == NO_BOT
        assert refusal(other.post(DELETE, {"confirm": True, "password": PASSWORD})) == NO_BOT
    assert refusal(as_carol.get("/api/me/bots/robot/keys/")) == NO_BOT
    assert refusal(as_carol.get("/api/me/bots/carol/keys/")) == NO_BOT
    assert as_bot.get("/api/me/").status_code == 200


def test_the_owner_ends_no_key_of_somebody_else_through_a_bot(as_carol: Api, as_bot: Api, as_mallory: Api) -> None:
    key = as_mallory.get("/api/me/keys/").json()["keys"][0]["id"]
    own = as_carol.get("/api/me/keys/").json()["keys"][0]["id"]
    for each in (key, own):
        assert refusal(as_carol.delete(f"{KEYS}{each}/")) == (404, "unknown_key")


def test_a_bots_token_opens_nothing_of_its_owner_and_stays_a_bots(as_carol: Api, as_bot: Api, carol: Player) -> None:
    as_bot.post("/api/me/keys/", {"name": "its own"})
    assert len(as_carol.get("/api/me/keys/").json()["keys"]) == 1
    for change in ({"is_bot": False}, {"owner": None}):
        assert refusal(as_bot.patch("/api/me/", change)) == (400, "invalid_request")
    assert refusal(as_bot.post("/api/me/claim/", {"handle": "person", "password": PASSWORD})) == (
        409,
        "already_claimed",
    )
    assert refusal(as_bot.post("/api/me/delete/", {"confirm": True, "password": PASSWORD})) == (401, "sign_in_failed")
    another = {"password": PASSWORD, "new_password": "staple the horse to it"}
    assert refusal(as_bot.post("/api/me/password/", another)) == (401, "sign_in_failed")
    as_bot.post("/api/sign-out/", {"everywhere": True})
    assert as_carol.get("/api/me/").status_code == 200
    bot = deep_thirteen()
    assert (bot.is_bot, bot.owner, bot.has_usable_password()) == (True, carol, False)


def test_nobody_signs_in_as_a_bot_with_the_password_of_its_owner(as_bot: Api, anyone: Api) -> None:
    sign_in = {"handle": "deep-thirteen", "password": PASSWORD}
    assert refusal(anyone.post("/api/sign-in/", sign_in)) == (401, "sign_in_failed")


def test_tokens_of_a_bot_outlast_those_of_its_owner(as_carol: Api, as_bot: Api) -> None:
    as_carol.post("/api/sign-out/", {"everywhere": True})
    assert as_bot.get("/api/me/").status_code == 200


def test_the_database_lets_only_bots_have_owners(as_bot: Api, carol: Player, mallory: Player) -> None:
    with pytest.raises(IntegrityError, match="only_bots_have_owners"), transaction.atomic():
        Player.objects.filter(pk=mallory.pk).update(owner=carol)
    with pytest.raises(IntegrityError, match="only_bots_have_owners"), transaction.atomic():
        Player.objects.filter(username="deep-thirteen").update(is_bot=False)


def test_a_bot_is_deleted_with_the_password_of_its_owner(as_carol: Api, as_bot: Api) -> None:
    as_bot.start()
    for wrong in ({"confirm": True}, {"confirm": True, "password": "a guess"}):
        assert refusal(as_carol.post(DELETE, wrong)) == (401, "sign_in_failed")
    for unsure in ({"confirm": False, "password": PASSWORD}, {"password": PASSWORD}):
        assert refusal(as_carol.post(DELETE, unsure)) == (400, "invalid_request")
    assert as_bot.get("/api/me/").status_code == 200
    left = as_carol.post(DELETE, {"confirm": True, "password": PASSWORD}).json()["handle"]
    bot = Player.objects.get(username=left)
    assert (bot.owner, bot.is_active, bot.display_name, bot.games.count()) == (None, False, "Deleted player", 0)
    assert refusal(as_bot.get("/api/me/")) == (401, "bad_credentials")
    assert refusal(as_carol.post(DELETE, {"confirm": True, "password": PASSWORD})) == NO_BOT
    assert as_carol.get("/api/me/").status_code == 200
    assert Erasure.objects.get().reason == "the owner deleted the bot"


def test_bots_end_with_the_account_of_their_owner_and_those_of_others_stay(
    as_carol: Api, as_bot: Api, as_mallory: Api
) -> None:
    other = Player.objects.create(username="robot", is_bot=True)
    as_bot.start()
    assert as_carol.post("/api/me/delete/", {"confirm": True, "password": PASSWORD}).status_code == 200
    assert refusal(as_bot.get("/api/me/")) == (401, "bad_credentials")
    assert token_holder(as_bot.token) is None
    assert not Player.objects.filter(username__in=("carol", "deep-thirteen")).exists()
    assert not Player.objects.filter(owner__isnull=False).exists()
    other.refresh_from_db()
    assert (other.is_active, other.username) == (True, "robot")
    assert set(Erasure.objects.values_list("reason", flat=True)) == {
        "the player deleted the account",
        "the account of the bot's owner was deleted",
    }


def test_an_owner_who_was_erased_at_the_same_moment_gets_no_bot(carol: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def erase_meanwhile(handle: str) -> None:
        erase_player(Player.objects.get(pk=carol.pk), "asked for", None, carol.date_joined)

    monkeypatch.setattr(bots, "require_possible_handle", erase_meanwhile)
    with pytest.raises(SignInFailed):
        bots.create_bot(carol, "robot", None, RequestFactory().post("/"), carol.date_joined)
    assert not Player.objects.filter(is_bot=True).exists()


def test_the_copy_of_an_owners_data_has_the_bots_and_that_of_a_bot_its_owner(as_bot: Api, carol: Player) -> None:
    (row,) = unpacked(archive_of(carol, carol.date_joined))[0]["player.owner"]["rows"]
    assert (row["username"], row["display_name"]) == ("deep-thirteen", "Deep Thirteen")
    of_bot = unpacked(archive_of(deep_thirteen(), carol.date_joined))[0]
    assert of_bot["player.pk"]["rows"][0]["owner__username"] == "carol"
    assert of_bot["player.owner"]["rows"] == []


def test_a_bot_without_an_owner_can_still_be_made(anyone: Api) -> None:
    body = {"handle": "deep-thirteen", "password": PASSWORD, "is_bot": True}
    assert anyone.post("/api/register/", body).status_code == 201
    assert deep_thirteen().owner is None
