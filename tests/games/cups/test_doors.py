"""The doors of cups, and the secrets that none of them tells."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from icalendar import Calendar

from games.cups.models import Cup
from games.cups.qualification import enter
from games.cups.reading import read_cup
from games.cups.rounds import COUNTDOWN_S
from games.play.models import Game
from games.players.models import Player
from games.races.models import Race
from games.runtime.memory import forget_everything
from tests.games.conftest import DECK
from tests.games.cups.conftest import Entrants, game_in, games_of, play, qualify, tick

pytestmark = pytest.mark.django_db(transaction=True)
SECOND = timedelta(seconds=1)


@pytest.fixture
def now() -> datetime:
    """The time of the doors, which read the clock."""
    return datetime.now(UTC)


def read(cup: Cup, client: Client) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"/api/cups/{cup.pk}/").json()
    return answer


def test_a_newcomer_enters_from_the_page_and_plays(cup: Cup, client: Client, now: datetime) -> None:
    assert client.post(f"/cups/{cup.pk}/", {"display_name": "Newcomer"}).status_code == 409
    assert not Player.objects.exists()  # a refusal makes nobody a guest
    tick(now)
    entered = client.post(f"/cups/{cup.pk}/")
    assert entered.status_code == 303
    game = Game.objects.get(racer__race__qualification_of=cup)
    assert entered["Location"] == f"/games/{game.pk}/"
    shown = client.get(f"/games/{game.pk}/").content.decode()
    assert f'href="/cups/{cup.pk}/"' in shown
    assert "data-race" not in shown
    assert "To your game" in client.get(f"/cups/{cup.pk}/").content.decode()
    again = client.post(f"/cups/{cup.pk}/")
    assert again["Location"] == entered["Location"]
    assert client.post("/cups/nothing/").status_code == client.get("/cups/nothing/").status_code == 404


def test_who_made_no_move_reads_why_the_bracket_is_without_them(
    cup: Cup, entrants: Entrants, client: Client, now: datetime
) -> None:
    *players, idle = entrants(3)
    tick(now)
    enter(cup.pk, idle, now)
    qualify(cup, players, now)
    for reader, reads in ((idle, True), (players[0], False)):
        client.force_login(reader)
        assert ("You made no move" in client.get(f"/cups/{cup.pk}/").content.decode()) is reads


def test_the_bracket_shows_the_cards_left_of_each_and_no_card_and_no_game_before_a_match_is_over(
    cup: Cup, entrants: Entrants, client: Client, now: datetime
) -> None:
    begins = qualify(cup, entrants(4), now) + COUNTDOWN_S * SECOND
    tick(begins)
    games = games_of(cup)
    play(games[0], 3, begins)
    race = Race.objects.get(cup_match__cup=cup)
    (match,) = read(cup, client)["rounds"][0]
    assert match["race"] == race.pk
    assert [(seat["seed"], seat["cards_left"], seat["game"], seat["place"]) for seat in match["seats"]] == [
        (seed, 28, None, None) for seed in (1, 2, 3, 4)
    ]
    secrets = [DECK, race.deal_id, *(game.deck.text for game in games), *(game.pk for game in games)]
    for address in (f"/api/cups/{cup.pk}/", f"/cups/{cup.pk}/", "/api/cups/", f"/api/races/{race.pk}/"):
        body = client.get(address).content.decode()
        assert not [secret for secret in secrets if secret in body], address
    for game in games[1:]:
        play(game, 5, begins)
    tick(begins + 9 * SECOND)
    seats = read(cup, client)["rounds"][0][0]["seats"]
    assert [(seat["place"], seat["goes_on"], seat["game"]) for seat in seats] == [
        (place, place <= 2, game.pk) for place, game in enumerate(games, 1)
    ]
    shown, anyone = client.get(f"/cups/{cup.pk}/").content.decode(), Client()
    for game in games:
        assert f'href="/games/{game.pk}/"' in shown
        assert anyone.get(f"/games/{game.pk}/").status_code == 200
        assert anyone.get(f"/api/games/{game.pk}/record/").status_code == 200


def test_the_deal_of_a_qualification_is_secret_to_others_until_it_is_over(
    cup: Cup, entrants: Entrants, client: Client, now: datetime
) -> None:
    tick(now)
    (player,) = entrants(1)
    client.force_login(player)
    game_id = client.post(f"/api/cups/{cup.pk}/enter/", "{}", "application/json").json()["game"]
    play(Game.objects.select_related("player").get(pk=game_id), 1, now)
    game = Game.objects.select_related("deal").get(pk=game_id)
    for address in (f"/api/games/{game_id}/record/", f"/api/deals/{game.deal_id}/", f"/api/races/{cup.pk}/"):
        assert Client().get(address).status_code in {403, 404, 409}, address
    tick(now + cup.qualify_s * SECOND)
    assert Client().get(f"/api/games/{game_id}/record/").status_code == 200


def test_a_bracket_takes_as_many_queries_for_many_matches_as_for_one(entrants: Entrants, now: datetime) -> None:
    players, taken = entrants(16), []
    for hour, count in enumerate((4, 16)):
        at = now + timedelta(hours=hour)
        cup = Cup.objects.create(
            rules="relaxed", for_bots=False, announced_for=at, opens_at=at, qualify_s=900, limit_s=600
        )
        tick(qualify(cup, players[:count], at) + COUNTDOWN_S * SECOND)
        forget_everything()
        with CaptureQueriesContext(connection) as queries:
            known = read_cup(cup.pk, 1)
        assert sum(len(matches) for matches in known.rounds) == count // 4
        taken.append(len(queries))
    assert taken[0] == taken[1]


@pytest.mark.parametrize("division", ["0", "2", "x", "9" * 9, "\0"])
def test_a_division_that_is_not_there_is_refused(cup: Cup, client: Client, division: str) -> None:
    answer = client.get(f"/api/cups/{cup.pk}/", {"division": division})
    assert answer.status_code in {400, 404}
    assert client.get(f"/cups/{cup.pk}/", {"division": division}).status_code in {200, 400, 404}


def test_cups_are_listed_and_stand_in_the_calendar_and_a_moved_one_says_so(cup: Cup, client: Client) -> None:
    Cup.objects.filter(pk=cup.pk).update(opens_at=cup.opens_at + timedelta(minutes=10))
    assert [one["id"] for one in client.get("/api/cups/").json()["cups"]] == [cup.pk]
    assert f'href="/cups/{cup.pk}/"' in client.get("/cups/").content.decode()
    assert "because the server was down" in client.get(f"/cups/{cup.pk}/").content.decode()
    events = Calendar.from_ical(client.get("/feeds/programme.ics").content).events
    (event,) = (event for event in events if str(event["uid"]).startswith("cup."))
    assert event["uid"] == f"cup.{cup.pk}@testserver"
    assert "takes 15 minutes" in str(event["description"])


def test_entering_without_a_game_to_lose_counts_every_try(
    cup: Cup, client: Client, alice: Player, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "cup_entries", (2, 3600))
    client.force_login(alice)
    statuses = [client.post(f"/api/cups/{cup.pk}/enter/", "{}", "application/json").status_code for _ in range(3)]
    assert statuses == [409, 409, 429]


@pytest.mark.servers
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")
def test_a_cup_that_is_read_during_its_draw_is_that_of_one_moment(cup: Cup, entrants: Entrants, now: datetime) -> None:
    tick(now)
    for number, player in enumerate(entrants(4), 1):
        play(game_in(cup, player, now), number, now)
    drawn = list[str]()

    def draw() -> None:
        try:
            tick(now + timedelta(seconds=cup.qualify_s))
        finally:
            connection.close()

    def draw_in_between(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        answer = execute(sql, *rest)
        if not drawn and sql.startswith("SELECT"):
            drawn.append(sql)
            with ThreadPoolExecutor(1) as pool:
                pool.submit(draw).result()
        return answer

    with connection.execute_wrapper(draw_in_between):
        known = read_cup(cup.pk, 1)
    assert "games_cup" in drawn[0]
    assert (known.cup.seeded_at, known.divisions, known.rounds, known.entries) == (None, 0, [], [])
    forget_everything()
    assert len(read_cup(cup.pk, 1).rounds) == 1


def test_staff_who_look_see_no_game_of_a_qualification_before_its_end(
    cup: Cup, entrants: Entrants, staff: Player, client: Client, now: datetime
) -> None:
    client.force_login(staff)
    tick(now)
    alice, bob = entrants(2)
    game = game_in(cup, alice, now)
    play(game, 5, now)
    game_in(cup, bob, now)
    race = Race.objects.get(qualification_of=cup)
    pages = [
        *(
            f"/admin/games/game/{query}"
            for query in ("", "?status__exact=resigned", f"?q={game.pk}", f"{game.pk}/change/")
        ),
        f"/admin/games/race/{race.pk}/change/",
    ]

    def shown() -> list[bool]:
        return [f"/admin/games/game/{game.pk}/" in client.get(page, follow=True).content.decode() for page in pages]

    assert shown() == [False] * len(pages)
    tick(now + timedelta(seconds=cup.qualify_s))
    assert shown() == [True] * len(pages)
