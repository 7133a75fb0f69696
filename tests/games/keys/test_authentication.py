"""The answers of every address to everyone: none can be added without a line in these tables."""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib import import_module
from typing import Any

import pytest
import time_machine
from django.urls import URLPattern
from knox.models import AuthToken

from games.calendar.models import Deal
from games.play.models import Game, Move
from games.players.models import Player
from games.push.wire import QuietHoursInput, SubscriptionInput
from games.puzzles.library import find_puzzle, puzzle_ids
from games.races import rooms
from games.rules import RuleSet
from pyramid_server.urls import ENDPOINTS
from tests.games.api import Api, refusal
from tests.games.conftest import DECK

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("clock")]


@pytest.fixture(autouse=True)
def _known_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare a race the search for its deal, which waits for the solver to be compiled on a new machine."""

    def find(rules: RuleSet, now: datetime) -> Deal:
        return Deal.objects.create(rules=rules.slug, deck=DECK, created_at=now, is_winnable=True)

    monkeypatch.setattr(rooms, "certified_for_race", find)


NOT_SIGNED_IN, NOT_YOURS = (401, "not_signed_in"), (403, "not_yours")
DEAL_NOT_YET = (409, "deal_not_yet")
UNKNOWN_RUN = (404, "unknown_run")
NO_MAIL = (409, "no_mail")
NOBODY = (404, "unknown_player")
PUZZLE = find_puzzle(puzzle_ids()[0])
NO_RACE = (404, "unknown_race")
NO_CUP = (404, "unknown_cup")
NO_BOT = (404, "unknown_bot")

# For each method and address: what nobody in particular gets, and what mallory gets with alice's game in it.
DOORS: dict[tuple[str, str], tuple[object, object]] = {
    ("post", "guests/"): (201, 201),
    ("get", "me/"): (NOT_SIGNED_IN, 200),
    ("patch", "me/"): (NOT_SIGNED_IN, 200),
    ("post", "register/"): (201, 201),
    ("post", "me/claim-link/"): (NOT_SIGNED_IN, 201),
    ("post", "me/claim/"): (NOT_SIGNED_IN, 200),
    ("get", "me/keys/"): (NOT_SIGNED_IN, 200),
    ("post", "me/keys/"): (NOT_SIGNED_IN, 201),
    ("delete", "me/keys/<slug:key_id>/"): (NOT_SIGNED_IN, (404, "unknown_key")),
    ("get", "me/bots/"): (NOT_SIGNED_IN, 200),
    ("post", "me/bots/"): (NOT_SIGNED_IN, (409, "guest_account")),
    ("post", "me/bots/<slug:handle>/delete/"): (NOT_SIGNED_IN, NO_BOT),
    ("get", "me/bots/<slug:handle>/keys/"): (NOT_SIGNED_IN, NO_BOT),
    ("post", "me/bots/<slug:handle>/keys/"): (NOT_SIGNED_IN, NO_BOT),
    ("delete", "me/bots/<slug:handle>/keys/<slug:key_id>/"): (NOT_SIGNED_IN, NO_BOT),
    ("post", "me/password/"): (NOT_SIGNED_IN, (409, "guest_account")),
    ("get", "me/export/"): (NOT_SIGNED_IN, (404, "unknown_export")),
    ("post", "me/export/"): (NOT_SIGNED_IN, 202),
    ("get", "me/export/file/"): (NOT_SIGNED_IN, (404, "unknown_export")),
    ("post", "me/delete/"): (NOT_SIGNED_IN, 200),
    ("post", "me/mail/"): (NOT_SIGNED_IN, NO_MAIL),
    ("post", "password-reset/"): (NO_MAIL, NO_MAIL),
    ("post", "sign-in/"): ((401, "sign_in_failed"), (401, "sign_in_failed")),
    ("post", "sign-out/"): (NOT_SIGNED_IN, 200),
    ("post", "tickets/"): (NOT_SIGNED_IN, 201),
    ("get", "players/me/statistics/"): (NOT_SIGNED_IN, 200),
    ("get", "players/<slug:handle>/statistics/"): (NOBODY, NOBODY),
    ("get", "status/"): (200, 200),
    ("get", "rules/"): (200, 200),
    ("get", "rules/<str:slug>/"): (200, 200),
    ("get", "daily/"): (200, 200),
    ("get", "programme/"): (200, 200),
    ("get", "daily/commitments/"): (200, 200),
    ("get", "daily/history/"): (200, 200),
    ("get", "daily/<str:day>/"): (200, 200),
    ("get", "puzzles/next/"): (200, 200),
    ("get", "puzzles/solver/"): (NOT_SIGNED_IN, 200),
    ("get", "puzzles/failed/"): (NOT_SIGNED_IN, 200),
    ("get", "puzzles/days/"): (200, 200),
    ("post", "puzzles/runs/"): (NOT_SIGNED_IN, 200),
    ("get", "puzzles/runs/<slug:run_id>/"): (NOT_SIGNED_IN, UNKNOWN_RUN),
    ("post", "puzzles/runs/<slug:run_id>/removals/"): (NOT_SIGNED_IN, UNKNOWN_RUN),
    ("post", "puzzles/runs/<slug:run_id>/end/"): (NOT_SIGNED_IN, UNKNOWN_RUN),
    ("get", "puzzles/<slug:puzzle_id>/"): (200, 200),
    ("post", "puzzles/<slug:puzzle_id>/attempts/"): (200, 200),
    ("post", "puzzles/<slug:puzzle_id>/solution/"): (200, 200),
    ("get", "deals/<slug:deal_id>/"): (DEAL_NOT_YET, DEAL_NOT_YET),
    ("post", "deals/<slug:deal_id>/games/"): (NOT_SIGNED_IN, DEAL_NOT_YET),
    ("get", "games/"): (NOT_SIGNED_IN, 200),
    ("post", "games/"): (NOT_SIGNED_IN, 201),
    ("get", "games/<slug:game_id>/"): (NOT_YOURS, NOT_YOURS),
    ("get", "games/<slug:game_id>/record/"): (NOT_YOURS, NOT_YOURS),
    ("get", "games/<slug:game_id>/analysis/"): (NOT_SIGNED_IN, NOT_YOURS),
    ("get", "games/<slug:game_id>/shades/"): (NOT_YOURS, NOT_YOURS),
    ("get", "games/<slug:game_id>/state/"): (NOT_SIGNED_IN, NOT_YOURS),
    ("post", "games/<slug:game_id>/actions/"): (NOT_SIGNED_IN, NOT_YOURS),
    ("post", "games/<slug:game_id>/resign/"): (NOT_SIGNED_IN, NOT_YOURS),
    ("post", "games/<slug:game_id>/restart/"): (NOT_SIGNED_IN, NOT_YOURS),
    ("get", "ratings/"): (200, 200),
    ("get", "races/"): (200, 200),
    ("post", "races/"): (NOT_SIGNED_IN, 201),
    ("get", "races/<slug:race_id>/"): (NO_RACE, NO_RACE),
    ("post", "races/<slug:race_id>/join/"): (NOT_SIGNED_IN, NO_RACE),
    ("post", "races/<slug:race_id>/invitations/"): (NOT_SIGNED_IN, NO_RACE),
    ("post", "races/<slug:race_id>/invitations/circle/"): (NOT_SIGNED_IN, NO_RACE),
    ("post", "races/<slug:race_id>/leave/"): (NOT_SIGNED_IN, NO_RACE),
    ("post", "races/<slug:race_id>/start/"): (NOT_SIGNED_IN, NO_RACE),
    ("post", "races/<slug:race_id>/rematch/"): (NOT_SIGNED_IN, NO_RACE),
    ("get", "cups/"): (200, 200),
    ("get", "cups/<slug:cup_id>/"): (NO_CUP, NO_CUP),
    ("post", "cups/"): (NOT_SIGNED_IN, (400, "invalid_request")),
    ("post", "cups/join/"): (NOT_SIGNED_IN, NO_CUP),
    ("get", "me/cups/"): (NOT_SIGNED_IN, 200),
    ("post", "cups/<slug:cup_id>/enter/"): (NOT_SIGNED_IN, NO_CUP),
    ("post", "cups/<slug:cup_id>/withdraw/"): (NOT_SIGNED_IN, NO_CUP),
    ("post", "cups/<slug:cup_id>/decisions/"): (NOT_SIGNED_IN, NO_CUP),
    ("post", "cups/<slug:cup_id>/removals/"): (NOT_SIGNED_IN, NO_CUP),
    ("get", "me/races/"): (NOT_SIGNED_IN, 200),
    ("get", "me/notifications/"): (NOT_SIGNED_IN, 200),
    ("post", "me/notifications/read/"): (NOT_SIGNED_IN, 200),
    ("get", "me/notifications/settings/"): (NOT_SIGNED_IN, 200),
    ("put", "me/notifications/settings/"): (NOT_SIGNED_IN, 200),
    ("get", "me/push/"): (NOT_SIGNED_IN, 200),
    ("post", "me/push/subscriptions/"): (NOT_SIGNED_IN, 200),
    ("delete", "me/push/subscriptions/<int:subscription>/"): (NOT_SIGNED_IN, 200),
    ("put", "me/push/quiet-hours/"): (NOT_SIGNED_IN, 200),
}
BODIES: dict[str, dict[str, object]] = {
    "me/": {"display_name": "Mallory"},
    "register/": {"handle": "somebody", "password": "correct horse battery"},
    "me/claim/": {"handle": "somebody", "password": "correct horse battery"},
    "me/keys/": {"name": "My bot"},
    "me/bots/": {"handle": "deep-thirteen"},
    "me/bots/<slug:handle>/keys/": {"name": "My bot"},
    "me/bots/<slug:handle>/delete/": {"confirm": True},
    "me/delete/": {"confirm": True},
    "me/mail/": {"email": "mallory@example.org", "password": "a guess"},
    "password-reset/": {"email": "alice@example.org"},
    "me/password/": {"password": "a guess", "new_password": "correct horse battery"},
    "sign-in/": {"handle": "alice", "password": "a guess"},
    "games/": {"kind": "practice", "rules": "standard"},
    "races/": {"rules": "relaxed"},
    "races/<slug:race_id>/invitations/circle/": {"circle": "0" * 12},
    "cups/join/": {"letters": "BBBBBB"},
    "cups/<slug:cup_id>/decisions/": {"act": "start"},
    "cups/<slug:cup_id>/removals/": {"handle": "nobody"},
    "races/<slug:race_id>/invitations/": {"handle": "nobody"},
    "me/notifications/read/": {"up_to": 1},
    "me/notifications/settings/": {"off": []},
    "me/push/subscriptions/": SubscriptionInput.example,
    "me/push/quiet-hours/": QuietHoursInput.example,
    "games/<slug:game_id>/actions/": {"version": 0, "action": "D"},
    "games/<slug:game_id>/resign/": {"version": 0},
    "puzzles/runs/": {"kind": "storm"},
    "puzzles/runs/<slug:run_id>/removals/": {"number": 1, "moves": ["4s9h"]},
    "puzzles/<slug:puzzle_id>/attempts/": {"moves": [PUZZLE.packed.win[0].text]},
}
# What staff gets otherwise than mallory: it has a name and a password.
OF_STAFF: dict[tuple[str, str], object] = {
    **{("post", route): (409, "already_claimed") for route in ("me/claim/", "me/claim-link/", "register/")},
    **{("post", route): (401, "sign_in_failed") for route in ("me/password/", "me/delete/")},
    ("post", "me/bots/"): 201,
}


def knock(api: Api, method: str, route: str, game: str, **more: object) -> Any:
    """Ask with the best of bodies."""
    path = route.replace("<slug:game_id>", game).replace("<str:slug>", "giza").replace("<str:day>", "2026-03-01")
    path = (
        path.replace("<slug:key_id>", "0" * 16)
        .replace("<slug:race_id>", "0" * 12)
        .replace("<slug:cup_id>", "0" * 12)
        .replace("<slug:handle>", "nobody")
        .replace("<int:subscription>", "1")
        .replace("<slug:puzzle_id>", PUZZLE.id)
        .replace("<slug:run_id>", "0123456789ab")
        .replace("<slug:deal_id>", Game.objects.get(pk=game).deal_id)
    )
    ask = getattr(api, method)
    return ask(f"/api/{path}") if method == "get" else ask(f"/api/{path}", BODIES.get(route, {}) | more)


def granted_or_refused(response: Any) -> object:
    return response.status_code if response.status_code < 400 else refusal(response)


def methods_of(pattern: URLPattern) -> set[str]:
    view_class = pattern.callback.view_class  # type: ignore[attr-defined]
    return {method for method in view_class.http_method_names if hasattr(view_class, method)} - {"head", "options"}


def test_every_address_has_its_line() -> None:
    patterns = [p for name in ENDPOINTS if name.startswith("games.") for p in import_module(name).urlpatterns]
    assert {(method, str(p.pattern)) for p in patterns for method in methods_of(p)} == set(DOORS)


@pytest.mark.parametrize(("method", "route"), DOORS)
def test_nobody_mallory_and_staff_get_exactly_this_and_nothing_of_alices_game(
    anyone: Api, as_mallory: Api, staff: Player, alices_game: str, method: str, route: str
) -> None:
    of_nobody, of_mallory = DOORS[method, route]
    of_staff = OF_STAFF.get((method, route), of_mallory)
    for api, expected in ((anyone, of_nobody), (as_mallory, of_mallory), (Api(staff), of_staff)):
        another = {"handle": f"somebody-{Player.objects.count()}"} if route == "register/" else {}
        response = knock(api, method, route, alices_game, **another)
        assert granted_or_refused(response) == expected
        assert alices_game not in response.content.decode() or response.status_code == 403
    game = Game.objects.get(pk=alices_game)
    assert (game.status, game.started_at, game.log.count()) == ("playing", None, 0)


WRONG = [
    "Bearer",
    "Bearer 0123456789abcdef",
    "Bearer {}0",
    "Bearer {} {}",
    "Bearer \xff\xfe",
    "Bearer \xe2\x80\x8b",
    "Bearer a\0b",
    "Bearer ' OR 1=1 --",
    "Bearer " + "a" * 8000,
]


@pytest.mark.parametrize("header", WRONG, ids=ascii)
def test_a_wrong_token_opens_nothing(as_alice: Api, alices_game: str, header: str) -> None:
    """Every door gets one of them, and each of them knocks at several doors: all doors read tokens alike."""
    as_alice.credentials(HTTP_AUTHORIZATION=header.format(as_alice.token, as_alice.token))
    for method, route in [*DOORS][WRONG.index(header) :: len(WRONG)]:
        response = knock(as_alice, method, route, alices_game)
        if route == "guests/":
            assert response.status_code == 201
        elif route == "password-reset/":
            assert refusal(response) == NO_MAIL
        elif route == "sign-in/":
            assert refusal(response) == (401, "sign_in_failed")
        else:
            assert refusal(response) == (401, "bad_credentials")
            assert response["WWW-Authenticate"] == "Bearer"
    assert not Move.objects.exists()


@pytest.mark.parametrize("scheme", ["Basic", "Token", "Beare"])
def test_another_scheme_is_nobody(as_alice: Api, scheme: str) -> None:
    as_alice.credentials(HTTP_AUTHORIZATION=f"{scheme} {as_alice.token}")
    assert refusal(as_alice.get("/api/me/")) == NOT_SIGNED_IN


def test_an_expired_token_opens_nothing(as_alice: Api, clock: time_machine.Traveller) -> None:
    clock.shift(timedelta(hours=720))
    assert as_alice.get("/api/me/").status_code == 200
    clock.shift(timedelta(hours=720, seconds=1))
    assert refusal(as_alice.get("/api/me/")) == (401, "bad_credentials")


def test_a_withdrawn_token_opens_nothing(as_alice: Api, alice: Player) -> None:
    AuthToken.objects.filter(user=alice).delete()
    assert refusal(as_alice.get("/api/me/")) == (401, "bad_credentials")


def test_the_token_of_a_closed_account_opens_nothing(as_alice: Api, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(is_active=False)
    assert refusal(as_alice.get("/api/me/")) == (401, "bad_credentials")


def test_a_ticket_is_no_token(as_alice: Api) -> None:
    ticket = as_alice.post("/api/tickets/").json()["ticket"]
    as_alice.credentials(HTTP_AUTHORIZATION=f"Bearer {ticket}")
    assert refusal(as_alice.get("/api/me/")) == (401, "bad_credentials")
    as_alice.credentials()
    assert refusal(as_alice.get(f"/api/games/?ticket={ticket}")) == NOT_SIGNED_IN


def test_a_page_of_another_site_cannot_use_the_session_of_staff(staff: Player) -> None:
    browser = Api()
    browser.handler.enforce_csrf_checks = True
    browser.force_login(staff)
    assert browser.get("/api/me/").json()["handle"] == "staff"
    assert refusal(browser.post("/api/tickets/")) == (403, "forbidden")
