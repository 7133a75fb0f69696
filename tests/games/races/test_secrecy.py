"""While a race is run, nobody sees another's cards through any address or socket: not the host, not who has finished,
not a watcher, not the staff. When it is over the same search finds them in its record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.analysis.requests import compute_analyses
from games.calendar.models import Deal
from games.play.models import Game
from games.players.models import Player
from games.races import course, rooms
from games.races.models import Race
from games.rules import Deck
from tests.games.races.conftest import TERMS, game_of
from tests.games.ways_to_play import resign, take_action
from tests.secrecy.detector import Detector, Secrets
from tests.secrecy.doors import Cast, Reader, sent
from tests.secrecy.test_secrecy import listening

pytestmark = pytest.mark.django_db(transaction=True)

ABOUT_RACES = ("game_id", "deal_id", "race_id")
ADMIN = ("admin/games/game/", "admin/games/deal/", "admin/games/race/", "admin/games/move/")


class RaceCast(Cast):
    """Addresses with bob's game of a race in them, its deal, and the race."""

    def __init__(self, race: Race, game: Game) -> None:
        super().__init__(game.player, [], [])
        object.__setattr__(
            self, "known", {"race_id": race.pk, "game_id": game.pk, "deal_id": game.deal_id, "code": "BBBBBB"}
        )

    def paths(self, route: str) -> list[str]:
        is_about_races = any(f"<{name}>" in route for name in ABOUT_RACES) or "races/" in route
        return super().paths(route) if is_about_races or route.startswith(ADMIN) else []

    def values(self, route: str, name: str) -> list[str]:
        if name == "object_id":
            rows = {"game": "game_id", "deal": "deal_id", "race": "race_id"}
            return [self.known[rows.get(route.split("/")[2], "race_id")]]  # type: ignore[attr-defined]
        return [self.known[name]]  # type: ignore[attr-defined]


@pytest.fixture
def clock(now: datetime) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(now, tick=True) as traveller:
        yield traveller


@pytest.fixture
def public_race(clock: object, alice: Player, bob: Player, now: datetime) -> Race:
    """A public race of alice and bob, in which bob has moved and alice has finished."""
    race = rooms.create_race(alice, rooms.Terms("relaxed", is_public=True, countdown_s=0), now)
    rooms.join(race.pk, bob, "", now)
    rooms.start(race.pk, alice, now)
    course.advance([race.pk], now)
    take_action(game_of(race, bob), "D", 0, now + timedelta(seconds=1))
    resign(game_of(race, alice), 0, now + timedelta(seconds=1))
    return race


def readers(*players: Player) -> list[Reader]:
    everyone = [Reader("anyone")]
    for player in players:
        reader = Reader(player.display_name, is_staff=player.is_staff)
        reader.client.force_login(player)
        everyone.append(reader)
    return everyone


def detector_of(game: Game) -> Detector:
    """Return what finds the deal as it is stored and as its racer sees it."""
    return Detector(Secrets([game.record().deck.cards, Deck.from_text(game.deal.deck).cards]))


def test_no_address_tells_anyone_about_the_game_of_another_racer_before_the_end(
    public_race: Race, alice: Player, bob: Player, mallory: Player, staff: Player, clock: time_machine.Traveller
) -> None:
    game = game_of(public_race, bob)
    detector, cast = detector_of(game), RaceCast(public_race, game)
    answered = []
    for reader in readers(alice, mallory, staff):
        for _, asked, response in reader.look_everywhere(cast):
            assert not detector.leaks(sent(response)), f"{reader.name}: {asked}"
            answered.append(response.status_code)
    assert 200 in answered
    clock.shift(TERMS.limit_s * 3)
    course.advance_all(timezone.now())
    [(_, _, record)] = readers(mallory)[1].look_at(cast, ["api/games/<game_id>/record/"])
    assert detector.leaks(sent(record)) >= {"cards"}


async def test_no_socket_tells_anyone_about_the_game_of_another_racer_before_the_end(
    public_race: Race, alice: Player, bob: Player, mallory: Player, now: datetime
) -> None:
    game = await sync_to_async(game_of)(public_race, bob)
    detector = await sync_to_async(detector_of)(game)
    for player in (alice, mallory):
        async with listening(f"/ws/games/{game.pk}/", player) as ear:
            assert (await ear.next())["code"] == 4403
    async with listening(f"/ws/races/{public_race.pk}/", mallory) as watcher:
        await watcher.next()
        await sync_to_async(take_action)(game, "D", 1, now + timedelta(seconds=2))
        while (message := await watcher.next())["type"] != "standings":
            pass
        assert [row["moves"] for row in message["racers"]] == [2]
        assert not any(detector.leaks(frame) for frame in watcher.heard)


def test_a_deal_of_a_race_is_in_nobodys_practice_before_the_end(
    public_race: Race, mallory: Player, clock: time_machine.Traveller
) -> None:
    reader = readers(mallory)[1].client
    path = f"/api/deals/{public_race.deal_id}/games/"
    answers = [reader.post(path, json.dumps({}), content_type="application/json") for _ in range(2)]
    assert {answer.json()["code"] for answer in answers} == {"deal_not_yet"}
    assert not Deal.objects.filter(race=None).exists()
    assert compute_analyses(timezone.now()) == 0
    clock.shift(TERMS.limit_s * 3)
    course.advance_all(timezone.now())
    assert reader.post(path, json.dumps({}), content_type="application/json").status_code == 201
