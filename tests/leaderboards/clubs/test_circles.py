"""Races and tournaments of a club are for its members alone, whichever door others try."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from games.cups.course import advance_cups
from games.cups.hosting import Terms, announce, start
from games.cups.models import Cup
from games.cups.refusals import TooFewEntrants, UnknownCup
from games.cups.signups import sign_up
from games.notifications.models import Notification
from games.players.models import Player
from games.races import rooms
from games.races.course import advance_all
from games.races.invitations import invite, invite_circle
from games.races.invites import code_of, invite_of
from games.races.models import Race
from games.races.refusals import NotInCircle, UnknownRace
from leaderboards.clubs.membership import leave, manage
from leaderboards.clubs.models import Club, Role
from tests.leaderboards.conftest import named

pytestmark = pytest.mark.django_db(transaction=True)
HOUR = timedelta(hours=1)


@pytest.fixture
def now() -> datetime:
    """The time of the doors, which read the clock."""
    return datetime.now(UTC)


@pytest.fixture
def people() -> dict[str, Player]:
    return {handle: named(handle) for handle in ("olga", "otto", "mia", "mallory")}


@pytest.fixture
def club(people: dict[str, Player], now: datetime) -> Club:
    """A club with an owner, an officer and a member; Mallory is not in it."""
    club = Club.objects.create(name="Oxbow Club", name_key="oxbow", emblem="sc-blue", admission="open", founded_at=now)
    for handle, role in (("olga", Role.OWNER), ("otto", Role.OFFICER), ("mia", Role.MEMBER)):
        club.memberships.create(player=people[handle], role=role, joined_at=now)
    return club


def browser_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def statuses(client: Client, *paths: str) -> list[int]:
    return [client.get(path).status_code for path in paths]


def test_officers_announce_a_tournament_that_members_alone_see_and_enter(
    club: Club, people: dict[str, Player], now: datetime
) -> None:
    terms = Terms("Oxbow Open", "standard", now + HOUR, circle=club.pk)
    for handle in ("mia", "mallory"):
        with pytest.raises(NotInCircle):
            announce(people[handle], terms, now)
    cup = announce(people["otto"], terms, now)
    paths = f"/cups/{cup.pk}/", f"/api/cups/{cup.pk}/", f"/cups/join/{cup.code}/"
    assert statuses(browser_of(people["mallory"]), *paths) == statuses(Client(), *paths) == [404, 404, 404]
    with pytest.raises(UnknownCup):
        sign_up(cup.pk, people["mallory"], now)
    body = {"letters": cup.code}
    refused = browser_of(people["mallory"]).post("/api/cups/join/", body, "application/json")
    assert refused.json()["code"] == "unknown_cup"
    mia = browser_of(people["mia"])
    assert statuses(mia, *paths) == [200, 200, 200]
    assert "Only for members of Oxbow Club" in mia.get(paths[0]).content.decode()
    assert "Oxbow Open" in mia.get(f"/clubs/{club.pk}/").content.decode()
    assert "Oxbow Open" not in Client().get(f"/clubs/{club.pk}/").content.decode()
    assert [own["id"] for own in mia.get("/api/me/cups/").json()["cups"]] == [cup.pk]
    for handle in ("mia", "olga"):
        sign_up(cup.pk, people[handle], now)
    Cup.objects.filter(pk=cup.pk).update(opens_at=now)
    advance_all(now)
    advance_cups(now)
    race = Race.objects.get(cup_match__cup=cup)
    assert (race.circle, race.is_public) == (club.pk, False)
    assert statuses(browser_of(people["otto"]), f"/api/races/{race.pk}/") == [200]  # a member who does not play
    assert statuses(browser_of(people["mallory"]), f"/api/races/{race.pk}/") == [404]
    leave(club.pk, people["otto"], now)
    assert statuses(browser_of(people["otto"]), *paths[:2], f"/api/races/{race.pk}/") == [404, 404, 404]


def test_who_has_left_a_club_is_not_drawn_in_a_tournament_of_its_members(
    club: Club, people: dict[str, Player], now: datetime
) -> None:
    cup = announce(people["olga"], Terms("Oxbow Open", "standard", now + HOUR, circle=club.pk), now)
    for handle in ("mia", "otto"):
        sign_up(cup.pk, people[handle], now)
    leave(club.pk, people["otto"], now)
    with pytest.raises(TooFewEntrants):
        start(cup.pk, people["olga"], now)
    sign_up(cup.pk, people["olga"], now)
    start(cup.pk, people["olga"], now)
    advance_cups(now)
    drawn = {racer.player.username for racer in Race.objects.get(cup_match__cup=cup).racers.all()}
    assert drawn == {"mia", "olga"}


def test_a_race_of_members_is_entered_without_an_invite_by_them_and_with_none_by_others(
    club: Club, people: dict[str, Player], now: datetime
) -> None:
    with pytest.raises(NotInCircle):
        rooms.create_race(people["mallory"], rooms.Terms("standard", circle=club.pk), now)
    race = rooms.create_race(people["mia"], rooms.Terms("standard", is_public=True, circle=club.pk), now)
    assert not race.is_public
    with pytest.raises(UnknownRace):
        rooms.join(race.pk, people["mallory"], invite_of(race.pk), now)
    with pytest.raises(UnknownRace):
        rooms.find_by_code(code_of(race.pk), "203.0.113.1")
    with pytest.raises(NotInCircle):
        invite(race.pk, people["mia"], "mallory", now)
    invite(race.pk, people["mia"], "otto", now)
    assert people["otto"].notifications.get().facts["is_public"]  # the address needs no invite
    rooms.join(race.pk, people["otto"], "", now)
    assert race.racers.count() == 2
    assert "Standard" in browser_of(people["olga"]).get(f"/clubs/{club.pk}/").content.decode()
    read = browser_of(people["olga"]).get(f"/api/races/{race.pk}/").json()
    assert (read["circle"], read["invite"]) == (club.pk, None)


def test_who_has_left_a_club_neither_opens_nor_enters_nor_hears_of_a_rematch_of_its_races(
    club: Club, people: dict[str, Player], now: datetime
) -> None:
    race = rooms.create_race(people["mia"], rooms.Terms("standard", circle=club.pk), now)
    for handle in ("olga", "otto"):
        rooms.join(race.pk, people[handle], "", now)
    Race.objects.filter(pk=race.pk).update(starts_at=now, begun_at=now, ended_at=now, end=Race.End.TIME_UP)
    manage(club.pk, people["olga"], "ban", "otto", now)
    with pytest.raises(NotInCircle):
        rooms.rematch(race.pk, people["otto"], now)
    rematch = rooms.rematch(race.pk, people["mia"], now)
    with pytest.raises(UnknownRace):
        rooms.join(rematch.pk, people["otto"], "", now)
    assert statuses(browser_of(people["otto"]), f"/api/races/{rematch.pk}/") == [404]
    assert [*Notification.objects.filter(kind="rematch").values_list("player__username", flat=True)] == ["olga"]
    assert rooms.rematch(race.pk, people["olga"], now).racers.count() == 2


@pytest.mark.parametrize("path", ["/races/", "/cups/new/"])
def test_forms_offer_the_clubs_of_their_reader_and_take_no_other(
    club: Club, people: dict[str, Player], now: datetime, path: str
) -> None:
    form: dict[str, Any] = {"name": "Oxbow Open", "rules": "standard", "opens_at": f"{now + HOUR:%Y-%m-%dT%H:%M}"}
    form |= {"limit_s": 600, "rounds": 0, "tie_break": "time", "circle": club.pk}
    for handle, is_offered in (("otto", True), ("mallory", False)):
        client = browser_of(people[handle])
        assert ("Members of Oxbow Club" in client.get(path).content.decode()) is is_offered
        assert (client.post(path, form).status_code == 303) is is_offered
    assert [*Race.objects.values_list("circle", flat=True), *Cup.objects.values_list("circle", flat=True)] == [club.pk]


def test_officers_invite_all_members_at_once_who_are_not_in_the_race(
    club: Club, people: dict[str, Player], now: datetime, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    club.memberships.create(player=named("bert", banned_at=now), joined_at=now)
    club.memberships.create(player=named("bot", is_bot=True, owner=people["mia"]), joined_at=now)
    race = rooms.create_race(people["otto"], rooms.Terms("standard"), now)
    for handle in ("mia", "mallory"):
        rooms.join(race.pk, people[handle], invite_of(race.pk), now)
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "race_invitations_to_circle", (2, 3600))
    path, body = f"/api/races/{race.pk}/invitations/circle/", {"circle": club.pk}
    otto = browser_of(people["otto"])
    for refused in ("mia", "mallory", "mallory"):  # whose tries are not those of the club
        answer = browser_of(people[refused]).post(path, body, "application/json")
        assert answer.json()["code"] == "not_in_circle"
    assert [otto.post(path, body, "application/json").status_code for _ in range(3)] == [200, 200, 429]
    assert list(Notification.objects.filter(kind="invited").values_list("player__username", flat=True)) == ["olga"]
    assert "Invite all members" in otto.get(f"/races/{race.pk}/").content.decode()
    assert "Invite all members" not in browser_of(people["mia"]).get(f"/races/{race.pk}/").content.decode()
    other = Club.objects.create(
        name="Red Kites", name_key="kites", emblem="sc-blue", admission="open", founded_at=now, code="BCDFGH"
    )
    other.memberships.create(player=people["otto"], role=Role.OWNER, joined_at=now)
    own = rooms.create_race(people["otto"], rooms.Terms("standard", circle=club.pk), now)
    with pytest.raises(NotInCircle):
        invite_circle(own.pk, people["otto"], other.pk, now)
