"""A whole day of daily deals, and not a byte of what is secret through any door before its time.

Everyone looks through every door: while alice plays, and when her attempts have ended and she has practised the same
deal; she and a superuser do so just before the day opens, too. Players do not go where only staff come in, nor staff
where they are players like others, once alice and the superuser have been there. She plays over the socket while others
watch the score table. Each answer is searched for what its reader may not know just then (`detector.py` says how).
Alice and the staff may not know the cards that never turned up in her games; everyone else may not know any card of
these decks; and nobody may know the seeds, the solver's numbers or the coming deals. When the time has come, the same
search finds them all, so it would have found them before.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
import time_machine
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.utils import timezone
from pytest_django import Settings

from games.accounts.guests import create_guest
from games.calendar.models import DailyDeal, Deal
from games.deals.daily import DailyKey
from games.doors.sockets.close_codes import CloseCode
from games.identities.issuers import Issuer
from games.keys.authentication import issue_ticket
from games.personal_data.exports import prepare_exports
from games.play.models import Game
from games.play.starting import start_ranked
from games.players.models import Player
from games.practice.shared_deals import practise_deal
from games.puzzles.library import find_puzzle
from games.puzzles.models import PuzzleRun
from games.tlog.signing import sign_log
from leaderboards.audit.sealing import seal_days
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.skill.deal_results import count_results
from pyramid_server import urls
from pyramid_server.asgi import application
from tests.games.ways_to_play import resign as resign_over_rest
from tests.moves import takes_from_pyramid
from tests.secrecy import doors
from tests.secrecy.doors import PASSWORD, require_every_socket_to_be_known
from tests.secrecy.house import DAY, METRICS_TOKEN, NOON, House

MILLISECOND = timedelta(milliseconds=1)
RULES = ["standard", "pyramid-thirteen"]  # a closed stock; cards that lie face down
REFUSED_TO_ALL = {
    *("admin/autocomplete/", "admin/r/<content_type_id>/<object_id>/", "admin/<url>"),
    "api/me/review/<number>/appeal/",  # nothing is decided
    *("account/with/", "account/with/<issuer>/back/"),  # nobody was confirmed by an issuer
    *("account/passkeys/", "account/passkeys/options/"),  # nor asked for a passkey
    *("oauth/authorize/", "oauth/token/", "oauth/revoke/", "oauth/devices/"),  # nor is there an app that asks
    *("api/me/mail/", "api/password-reset/", "account/mail/<link>/"),  # no mail is configured
    *("seasons/<slug>/", "api/seasons/<slug>/", "api/clubs/<club_id>/seasons/<slug>/"),  # no month is over
    *("leagues/<week>/<tier>/<group>/", "api/leagues/<week>/<tier>/<group>/"),  # nor is a week
    "api/clubs/<club_id>/duels/<duel_id>/",  # no club is proposed a duel
    "api/races/<race_id>/",  # there is no race here: those of tests/games/races/test_secrecy.py are
    "api/cups/<cup_id>/",  # nor a cup: those of tests/games/cups/test_doors.py are
    *(f"api/cups/<cup_id>/{command}/" for command in ("enter", "withdraw", "decisions", "removals")),
    *("api/cups/join/", "cups/join/<code>/"),
    "cups/<cup_id>/",
    "races/join/<code>/",
    *(
        f"api/races/<race_id>/{command}/"
        for command in ("join", "invitations", "invitations/circle", "leave", "start", "rematch")
    ),
    # Nor a retest: those of tests/leaderboards/retests are.
    *(f"api/me/retests/<retest_id>/{step}/" for step in ("accept", "decline", "games")),
}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON - DAY, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def _no_throttle(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    for scope in ("guests", "anon", "user", "sign_in"):
        monkeypatch.setitem(settings.PYRAMID_LIMITS, scope, (1_000_000, 60))
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 10_000


@pytest.fixture
def house(clock: object, settings: Settings) -> House:
    settings.PYRAMID_DAILY_RULE_SETS = RULES
    # As open as an operator can make a day; by default nobody watches or practises on an open deal.
    open_day = {"practice_after": True, "watch_after": True}
    settings.PYRAMID_DAILY_POLICIES = dict.fromkeys(RULES, open_day)
    settings.PYRAMID_METRICS_TOKEN = METRICS_TOKEN
    settings.PYRAMID_SIGN_IN_WITH = [Issuer.read("lichess", {"client_id": "pyramid"})]
    return House()


class Ear:
    """A socket that keeps every frame."""

    def __init__(self, socket: WebsocketCommunicator) -> None:
        self._socket = socket
        self.heard: list[bytes] = []

    async def next(self) -> Any:
        frame = await self._socket.receive_output(timeout=120)
        self.heard.append(json.dumps(frame).encode())
        return json.loads(frame["text"]) if "text" in frame else frame

    async def ask(self, **message: object) -> Any:
        await self._socket.send_to(text_data=json.dumps(message))
        return await self.next()


@asynccontextmanager
async def listening(address: str, player: Player | None) -> AsyncIterator[Ear]:
    ticket = await sync_to_async(issue_ticket)(player) if player else ""
    socket = WebsocketCommunicator(application, f"{address}?ticket={ticket}", headers=[(b"host", b"localhost")])
    accepted, _ = await socket.connect(timeout=120)
    assert accepted
    yield Ear(socket)
    await socket.disconnect()


def deal_again(house: House, game: Game) -> None:
    """Have alice deal her practice game again from its page."""
    shown = house.reader("alice").client.post(f"/games/{game.id}/again/", follow=True)
    house.granted_to("alice", "games/<game_id>/again/", shown)


async def play_over_the_socket(house: House, game: Game, actions: int) -> None:
    """Play what is legal, and ask for what is not, while what is heard is searched after each frame."""
    alice = house.cast.alice

    async def search(ear: Ear) -> None:
        frame = ear.heard[-1]
        house.search(await sync_to_async(house.detector)("alice"), f"alice's socket: {frame!r}", frame)

    async with listening(f"/ws/games/{game.id}/", alice) as ear:
        state = await ear.next()
        version, legal = state["version"], state["legal"]
        await search(ear)
        for number in range(actions):
            answer = await ear.ask(type="play", id=number, version=version, move="D" if "D" in legal else legal[0])
            version, legal = answer["version"], answer["legal"]
            await search(ear)
        for message in (
            *({"type": "hint", "version": version}, {"type": "sync", "version": 0}, {"type": "ping"}),
            *({"type": "undo", "version": version}, {"type": "play", "version": version, "move": "5c8d"}, {"x": 1}),
        ):
            await ear.ask(id=99, **message)
            await search(ear)


async def watch_alice(house: House, game: Game, actions: int) -> None:
    """Have bob refused before and during his own attempt, and shown no more than alice has seen after it."""
    address, alice, bob = f"/ws/games/{game.id}/", house.cast.alice, house.bob

    async def search(ear: Ear, name: str) -> None:
        house.search(await sync_to_async(house.detector)(name), f"bob's socket: {ear.heard[-1]!r}", ear.heard[-1])

    async def refused() -> None:
        async with listening(address, bob) as ear:
            assert (await ear.next())["code"] == CloseCode.NOT_YOURS
            await search(ear, "bob")

    await refused()
    own = await sync_to_async(start_ranked)(bob, game.deal.rules, NOON)
    await refused()
    await sync_to_async(resign_over_rest)(own, 0, timezone.now())
    async with listening(address, alice) as player, listening(address, bob) as watcher:
        state = await player.next()
        version, legal = state["version"], state["legal"]
        assert (await watcher.next())["version"] == version
        await search(watcher, "alice")
        for number in range(actions):
            move = "D" if "D" in legal else legal[0]
            answer = await player.ask(type="play", id=number, version=version, move=move)
            version, legal = answer["version"], answer["legal"]
            assert (await watcher.next())["version"] == version
            await search(watcher, "alice")
        await watcher.ask(type="sync", id=actions, version=0)
        await search(watcher, "alice")


async def try_closed_sockets(house: House, game: Game) -> None:
    detector = await sync_to_async(house.detector)("bob")
    for player, address in ((None, game.id), (house.cast.alice, "0" * 12)):
        async with listening(f"/ws/games/{address}/", player) as refused:
            assert (await refused.next())["type"] == "websocket.close"
            house.search(detector, "a socket that is refused", refused.heard[0])


def count_measured() -> None:
    """Have the worker count the results of all deals whose days are over, as if their grades were known."""
    Deal.objects.update(grade="easy")
    count_results(timezone.now())


async def test_not_a_byte_of_what_is_secret_leaves_the_server_before_its_time(  # noqa: PLR0915  a day
    house: House, clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    require_every_socket_to_be_known()
    look, alice, key = sync_to_async(house.look), house.cast.alice, house.cast.today[0].key

    await sync_to_async(sign_log)(timezone.now())
    # Tomorrow's deals, which do not open, are looked for by everyone each time.
    clock.move_to(key.opens_at - MILLISECOND)
    await look("alice", "superuser")

    clock.move_to(NOON, tick=True)  # what goes through Redis needs a time that passes
    attempts = [await sync_to_async(start_ranked)(alice, rules, NOON) for rules in RULES]
    board, (club, *_) = house.cast.boards[0], await sync_to_async(lambda: house.cast.clubs)()
    async with (
        listening(f"/ws/boards/{board}/", None) as watcher,
        listening(f"/ws/clubs/{club}/boards/{board}/", None) as of_club,
    ):
        await watcher.next()
        await of_club.next()
        for game in attempts:
            await sync_to_async(play_over_rest)(house, game)
            await play_over_the_socket(house, game, actions=8)
            await watch_alice(house, game, actions=3)
        await look(forms=True)
        await sync_to_async(house.change_sides)()
        for game in attempts:
            await sync_to_async(resign)(house, game)
            await sync_to_async(clear_flag)(house, game)
        await watcher.next()
        await of_club.next()
        detector = await sync_to_async(house.detector)("bob")
        for frame in (*watcher.heard, *of_club.heard):
            house.search(detector, f"a watcher: {frame!r}", frame)
    await try_closed_sockets(house, attempts[0])
    await sync_to_async(use_an_account)(house)
    await sync_to_async(copy_own_data)(house)
    await sync_to_async(play_a_streak)(house)

    practice = await sync_to_async(practise_deal)(alice, attempts[0].deal, NOON)
    await play_over_the_socket(house, practice, actions=3)
    await sync_to_async(deal_again)(house, practice)
    clock.move_to(key.finish_by - MILLISECOND, tick=False)
    await sync_to_async(count_measured)()
    await look("anyone", "alice", "bob", "superuser")
    house.search(await sync_to_async(house.detector)("bob"), "the log", caplog.text.encode())
    assert house.leaks == {}

    clock.move_to(key.final_at, tick=False)
    await sync_to_async(seal_today)()
    await sync_to_async(count_measured)()
    opening = {*still_closed(house), "api/daily/<day>/", "admin/games/deal/<object_id>/change/"}
    await sync_to_async(house.look_at)(sorted(opening), "alice", "superuser")
    assert set().union(*house.leaks.values()) >= {"cards", "seed", "number or id"}, "what is public now is not found"
    assert {"/api/daily/", "/admin/games/deal/"} <= {re.sub(r"\w*\d.*", "", where.split()[2]) for where in house.leaks}
    await sync_to_async(require_every_door_to_have_opened)(house)


def seal_today() -> None:
    verify_entered(timezone.now())
    seal_days(timezone.now())
    sign_log(timezone.now())


def play_over_rest(house: House, game: Game) -> None:
    """Have alice look at the layout, which starts the clock, and draw a card."""
    address = f"/api/games/{game.id}/"
    alice = house.reader("alice").client
    house.granted_to("alice", "api/games/<game_id>/state/", alice.get(f"{address}state/"))
    drawn = alice.post(f"{address}actions/", {"version": 0, "action": "D"}, "application/json")
    house.granted_to("alice", "api/games/<game_id>/actions/", drawn)


def resign(house: House, game: Game) -> None:
    """Have alice remove a card, without which the game has no rank, and give up."""
    alice, path, move = house.reader("alice").client, f"/api/games/{game.id}/", ""
    while not takes_from_pyramid(move):
        state = alice.get(f"{path}state/").json()
        move = next(filter(takes_from_pyramid, state["legal"]), state["legal"][-1])
        alice.post(f"{path}actions/", {"version": state["version"], "action": move}, "application/json")
    address, body = f"/api/games/{game.id}/resign/", {"version": game.log.count()}
    response = house.reader("alice").client.post(address, body, "application/json")
    house.granted_to("alice", "api/games/<game_id>/resign/", response)


def clear_flag(house: House, game: Game) -> None:
    """Give alice's score its rank: she is faster here than a person, and what is flagged has none."""
    staff = Player.objects.get(is_superuser=True)
    decide(Decision(game=game, state=EntryState.VERIFIED, reason="a test", by=staff, at=timezone.now()))


def use_an_account(house: House) -> None:
    """Claim an account and sign out, as someone without a part in today's games; each reader signs in to one."""
    client = Client(headers={"Authorization": f"Bearer {create_guest('Carol').token}"})
    link = client.post("/api/me/claim-link/", {}, "application/json").json()["url"]
    house.granted_to("bob", "account/claim/<link>/", client.get(link.removeprefix("http://testserver")))
    new = Client().post("/api/register/", {"handle": "dave", "password": PASSWORD}, "application/json")
    house.granted_to("bob", "api/register/", new)
    claimed = client.post("/api/me/claim/", {"handle": "carol", "password": PASSWORD}, "application/json")
    house.granted_to("bob", "api/me/claim/", claimed)
    body = {"password": PASSWORD, "new_password": f"another {PASSWORD}"}
    house.granted_to("bob", "api/me/password/", client.post("/api/me/password/", body, "application/json"))
    client.post("/api/me/keys/", {"name": "bot"}, "application/json")
    other = next(each["id"] for each in client.get("/api/me/keys/").json()["keys"] if not each["is_current"])
    house.granted_to("bob", "api/me/keys/<key_id>/", client.delete(f"/api/me/keys/{other}/"))
    own_a_bot(house, client)
    lead_a_club(house, client)
    terms = {"name": "Red Kites", "rules": "standard", "opens_at": (timezone.now() + timedelta(hours=1)).isoformat()}
    made = client.post("/api/cups/", terms, "application/json")
    house.granted_to("bob", "api/cups/", made)
    reported = client.post(f"/api/cups/{made.json()['id']}/report/", {}, "application/json")
    house.granted_to("bob", "api/cups/<cup_id>/report/", reported)
    house.granted_to("bob", "api/sign-out/", client.post("/api/sign-out/", {}, "application/json"))


def lead_a_club(house: House, client: Client) -> None:
    """Found a club, change it, invite someone, report it and leave."""
    made = client.post("/api/clubs/", {"name": "Red Kites"}, "application/json")
    house.granted_to("bob", "api/clubs/", made)
    club = f"/api/clubs/{made.json()['id']}/"
    changed = client.put(f"{club}terms/", {"name": "Red Kites"}, "application/json")
    house.granted_to("bob", "api/clubs/<club_id>/terms/", changed)
    invited = client.post(f"{club}members/", {"handle": "dave", "act": "invite"}, "application/json")
    house.granted_to("bob", "api/clubs/<club_id>/members/", invited)
    reported = client.post(f"{club}report/", {"about": "name"}, "application/json")
    house.granted_to("bob", "api/clubs/<club_id>/report/", reported)
    browser = Client()
    browser.force_login(Player.objects.get(username="carol"))
    terms = f"{club.removeprefix('/api')}terms/"
    house.granted_to("bob", "clubs/<club_id>/terms/", browser.get(terms))
    house.granted_to("bob", "api/clubs/<club_id>/leave/", client.post(f"{club}leave/", {}, "application/json"))


def own_a_bot(house: House, client: Client) -> None:
    """Make a bot with two tokens, look at its pages, end one token and delete the bot."""
    made = client.post("/api/me/bots/", {"handle": "deep-thirteen"}, "application/json")
    house.granted_to("bob", "api/me/bots/", made)
    keys, delete = "api/me/bots/deep-thirteen/keys/", "api/me/bots/deep-thirteen/delete/"
    another = client.post(f"/{keys}", {"name": "another"}, "application/json")
    house.granted_to("bob", "api/me/bots/<handle>/keys/", another)
    browser = Client()
    browser.force_login(Player.objects.get(username="carol"))
    for page in ("account/bots/<handle>/", "account/bots/<handle>/delete/"):
        house.granted_to("bob", page, browser.get("/" + page.replace("<handle>", "deep-thirteen")))
    key = client.get(f"/{keys}").json()["keys"][0]["id"]
    ended = client.delete(f"/{keys}{key}/")
    house.granted_to("bob", "api/me/bots/<handle>/keys/<key_id>/", ended)
    password = f"another {PASSWORD}"
    deleted = client.post(f"/{delete}", {"confirm": True, "password": password}, "application/json")
    house.granted_to("bob", "api/me/bots/<handle>/delete/", deleted)


def copy_own_data(house: House) -> None:
    """Have alice download all of her data, and look into the archive."""
    alice = house.reader("alice").client
    alice.post("/api/me/export/", {}, "application/json")
    prepare_exports(timezone.now())
    for route in ("api/me/export/file/", "account/data/file/"):
        with ZipFile(BytesIO(alice.get(f"/{route}").getvalue())) as files:
            unpacked = b"\n".join(files.read(name) for name in files.namelist())
        house.granted_to("alice", route, HttpResponse(unpacked))


def play_a_streak(house: House) -> None:
    """Have alice solve a puzzle of a streak, look at it and end it."""
    alice = house.reader("alice").client
    run = alice.post("/api/puzzles/runs/", {"kind": "streak"}, "application/json").json()
    route, address = "api/puzzles/runs/<run_id>/", f"/api/puzzles/runs/{run['id']}/"
    house.granted_to("alice", route, alice.get(address))
    removal = find_puzzle(PuzzleRun.objects.get(pk=run["id"]).puzzle).packed.win[0].text
    body = {"number": run["shown"]["number"], "moves": [removal]}
    house.granted_to("alice", f"{route}removals/", alice.post(f"{address}removals/", body, "application/json"))
    house.granted_to("alice", f"{route}end/", alice.post(f"{address}end/", {}, "application/json"))


def require_every_door_to_have_opened(house: House) -> None:
    """A door that was locked for everyone at every time has told nothing because nobody went in."""
    assert still_closed(house) - REFUSED_TO_ALL == set()


def still_closed(house: House) -> set[str]:
    closed = set(doors.routes()) - house.granted
    return {route for route in closed if not route.endswith(("/add/", "/delete/"))}


# That it would fail


def leaking(request: HttpRequest, **_: str) -> HttpResponse:
    daily = DailyDeal.objects.select_related("deal").get(day=NOON.date(), rules="standard", division="open")
    return HttpResponse(daily.deal.deck[60:70])


class WithLeak:
    """The URL conf with one more page."""

    urlpatterns = [*urls.urlpatterns, path("new/<slug:handle>/", leaking)]


class WithUnknown:
    urlpatterns = [*urls.urlpatterns, path("new/<slug:unheard_of>/", leaking)]


def test_a_leak_on_a_new_page_is_found_though_nobody_has_told_of_the_page(house: House, settings: Settings) -> None:
    known = set(doors.routes())
    settings.ROOT_URLCONF = WithLeak
    house.look_at((route for route in doors.routes() if route not in known), "anyone", forms=True)
    assert house.leaks == {f"anyone: GET /new/{house.cast.alice.username}/": {"cards"}} | {
        f"anyone: POST /new/{house.cast.alice.username}/": {"cards"}
    }


def test_a_new_page_that_nobody_knows_how_to_visit_fails(house: House, settings: Settings) -> None:
    settings.ROOT_URLCONF = WithUnknown
    with pytest.raises(KeyError, match="unheard_of"):
        house.look("anyone")


def test_a_deal_that_is_revealed_a_moment_early_is_found(
    house: House, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = property(lambda key: key.closes_at)
    monkeypatch.setattr(DailyKey, "finish_by", early)
    clock.move_to(house.cast.today[0].key.closes_at)
    house.look_at(["api/daily/<day>/"], "anyone")
    assert set().union(*house.leaks.values()) == {"cards", "seed", "number or id"}
