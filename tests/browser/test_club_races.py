"""A member of a club enters its race from the page of the club, without an invite."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.journeys.conftest import Server
from tests.processes import MANAGE, run

PLANT = """
from datetime import UTC, datetime
from django.test import Client
from games.players.models import Player
from games.races.rooms import Terms, create_race
from leaderboards.clubs.models import Club, Role
now = datetime.now(UTC)
club = Club.objects.create(name="Red Kites", name_key="red-kites", emblem="hd-red", admission="open", founded_at=now)
for handle, role in (("olga", Role.OWNER), ("mia", Role.MEMBER)):
    player = Player.objects.create(username=handle, display_name=handle.title())
    club.memberships.create(player=player, role=role, joined_at=now)
    client = Client()
    client.force_login(player)
    print(client.cookies["sessionid"].value)
create_race(Player.objects.get(username="olga"), Terms("standard", circle=club.pk), now)
print(club.pk)
"""


def test_a_member_enters_a_race_of_the_club_and_its_owner_invites_all(
    new_page: NewPage, environment: dict[str, str], server: Server
) -> None:
    done = run([*MANAGE, "shell", "--no-imports", "--command", PLANT], environment)
    done.check_returncode()
    *sessions, club = done.stdout.split()
    owner, member = (new_page() for _ in sessions)
    for page, session in zip((owner, member), sessions, strict=True):
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": server.url}])
        page.goto(f"/clubs/{club}/")
        page.get_by_role("link", name="Standard", exact=True).click()
    member.get_by_role("button", name="Join the race").click()
    expect(member.get_by_text("Waiting for the host to start the race.")).to_be_visible()
    expect(owner.get_by_text("Everyone here? Start the race.")).to_be_visible()
    owner.get_by_role("button", name="Invite all").click()
    expect(owner.get_by_text("You have invited all members.")).to_be_visible()
