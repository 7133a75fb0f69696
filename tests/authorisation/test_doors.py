"""Every address of the server answers each kind of person as `doors.txt` says: nobody may add one without a line.

`PYRAMID_WRITE_DOORS=1` writes the table again; what changed in it is to be read, and to be right.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.models import Group, Permission
from django.template import Template
from django.test import Client

from games.accounts.guests import create_guest
from games.calendar.models import DailyDeal, Deal
from games.cups.models import Cup
from games.identities.issuers import Issuer
from games.play.models import Game
from games.players.models import Player
from games.push.models import Subscription
from games.puzzles.library import puzzle_ids
from games.races.models import Race
from leaderboards.clubs.models import Club, Role
from tests.authorisation.doors import PEOPLE, TABLE, address_of, answers, doors, read_table
from tests.games.conftest import NOON, daily, now  # noqa: F401  fixtures

DECK = "5cQsKc7s6c2c9s2hQhTh2s9hTcJs6d6s4s3h5d8c5h9dQcKh9cAc7dAdTsKsTd4h8hJhJc6h3d7hQdKd5s3s4c4dJdAsAh7c3c2d8d8s"
pytestmark = pytest.mark.django_db(transaction=True)

HEADER = """\
# Who gets what: the method and the address, then the status for each of
# {people}.
# The owner is a guest and has the game in the address, which is being played; the other player has an account. The
# clerk is of the staff and has no permissions; the reviewer may look at everything and change score tables. A POST has
# a body that no door takes: 400 means that one may.
"""


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def sessions() -> dict[str, str | None]:
    people = {
        "guest": create_guest("Mallory").player,
        "other": Player.objects.create_user(username="bob", display_name="Bob", claimed_at=NOON),
        "owner": create_guest("Alice").player,
        "clerk": Player.objects.create_user(username="clerk", display_name="Clerk", is_staff=True),
        "reviewer": Player.objects.create_user(username="reviewer", display_name="Reviewer", is_staff=True),
        "superuser": Player.objects.create_superuser(username="root", display_name="Root"),
    }
    reviewing = Permission.objects.filter(codename__startswith="view_")
    people["reviewer"].user_permissions.set(
        reviewing | Permission.objects.filter(content_type__app_label="leaderboards")
    )
    return {"anonymous": None} | {name: session_of(player) for name, player in people.items()}


@pytest.fixture
def things(sessions: dict[str, str | None], daily: DailyDeal, now: datetime) -> dict[str, str]:  # noqa: F811
    deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now)
    owner = Player.objects.get(display_name="Alice")
    game = Game.objects.create(player=owner, deal=deal, created_at=now, started_at=now)
    race = Race.objects.create(
        host=owner,
        deal=Deal.objects.create(rules="relaxed", deck=DECK, created_at=now),
        created_at=now,
        limit_s=600,
        countdown_s=10,
        tie_break="time",
        is_public=False,
        admits_bots=False,
    )
    race.racers.create(player=owner, joined_at=now)
    club = Club.objects.create(
        name="Oxbow Club", name_key="oxbow", emblem="sc-blue", admission="request", code="BBBBBB", founded_at=now
    )
    club.memberships.create(player=owner, role=Role.OWNER, joined_at=now)
    cup = Cup.objects.create(
        rules="standard", for_bots=False, announced_for=now, opens_at=now, qualify_s=900, limit_s=600
    )
    device = Subscription.objects.create(player=owner, endpoint="https://fcm.googleapis.com/1", created_at=now)
    message = device.messages.create(kind="day", subject="2026-03-01", created_at=now, until=now)
    return {
        "race_id": race.pk,
        "club_id": club.pk,
        "duel_id": "0" * 12,
        "cup_id": cup.pk,
        "retest_id": "0" * 12,
        "code": "BBBBBB",
        "issuer": "lichess",
        "game_id": game.pk,
        "deal_id": deal.pk,
        "puzzle_id": puzzle_ids()[0],
        "run_id": "0123456789ab",
        "handle": owner.username,
        "rules": "standard",
        "name": "standard",
        "day": "2026-03-01",
        "slug": "standard",
        "week": "2026-W47",
        "month": "2026-03",
        "tier": "1",
        "group": "1",
        "number": "1",
        "key_id": "0" * 16,
        "subscription": str(device.pk),
        "link": "nonsense",
        "title": "rules",
        "level": "0",
        "place": "000.p/1",
        "index": "0",
        "path": "asyncapi.json",
        "uidb64": "MQ",
        "token": "nonsense",
        "content_type_id": "1",
        "games/player": str(owner.pk),
        "review/players": str(owner.pk),
        "games/game": game.pk,
        "games/race": race.pk,
        "leaderboards/club": club.pk,
        "games/cup": cup.pk,
        "games/subscription": str(device.pk),
        "games/pushmessage": str(message.pk),
        "games/deal": deal.pk,
        "games/dailydeal": str(daily.pk),
        "auth/group": str(Group.objects.create(name="reviewers").pk),
    }


def session_of(player: Player) -> str:
    browser = Client()
    browser.force_login(player)
    return browser.cookies["sessionid"].value


def test_everybody_gets_what_the_table_says_and_every_address_is_in_it(
    sessions: dict[str, str | None], things: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in settings.PYRAMID_LIMITS:
        monkeypatch.setitem(settings.PYRAMID_LIMITS, limit, (1_000_000, 60))
    # A page has its status before it is written; tests/secrecy reads all pages, and fails where one cannot be written.
    monkeypatch.setattr(Template, "_render", lambda *_: "")
    # The one issuer that says nothing of itself before it is asked.
    monkeypatch.setattr(settings, "PYRAMID_SIGN_IN_WITH", [Issuer.read("lichess", {"client_id": "pyramid"})])
    found = {f"{method} {route}": answers(method, address_of(route, things), sessions) for method, route in doors()}
    if os.environ.get("PYRAMID_WRITE_DOORS"):
        lines = [f"{door} : {statuses}" for door, statuses in found.items()]
        TABLE.write_text("\n".join([HEADER.format(people=", ".join(PEOPLE)), *lines, ""]))
    assert found == read_table()


def test_a_method_that_one_may_not_use_nobody_may_use() -> None:
    offered = {door: {*statuses.split()} for door, statuses in read_table().items() if "405" in statuses}
    assert offered
    assert {door: more for door, statuses in offered.items() if (more := statuses - {"302", "401", "405"})} == {}


def test_nothing_fails_and_nobody_without_a_key_gets_into_the_admin() -> None:
    table = read_table()
    assert not [door for door, statuses in table.items() if any(status >= "500" for status in statuses.split())]
    for door, statuses in table.items():
        if " admin/" in door and "login/" not in door and "jsi18n" not in door:
            assert set(statuses.split()[:4]) == {"302"}, door
