"""A player's copy has what is kept about clubs, and a deleted account leaves nothing of it behind."""

from __future__ import annotations

import pytest

from games.personal_data.erasure import erase_player
from games.players.models import Player
from leaderboards.clubs.membership import leave, manage
from leaderboards.clubs.models import Club, ClubAct, ClubDecision, ClubReport, Membership, MutedPlayer, Removal
from leaderboards.clubs.muting import mute
from leaderboards.clubs.reporting import decide, report_club
from leaderboards.reporting.reporting import Choice
from tests.games.api import Api
from tests.leaderboards.conftest import NOON
from tests.leaderboards.moderation.conftest import ines
from tests.leaderboards.test_holdings import copy_of

__all__ = ["ines"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


@pytest.fixture
def busy(club: Club, alice: Player, bob: Player) -> Player:
    """A member, bob, who is an officer, mutes and is muted, reports the club, and leaves it."""
    manage(club.pk, alice, "appoint", "bob", NOON)
    mute(bob, "alice")
    mute(alice, "bob")
    report_club(club.pk, bob, "description", "It advertises tea.", NOON)
    leave(club.pk, bob, NOON)
    return bob


def test_the_copy_has_memberships_mutes_and_reports_and_names_nobody_else(busy: Player) -> None:
    kept = copy_of(busy)
    assert [row["left_at"] is None for row in kept["membership.player"]["rows"]] == [False]
    assert kept["mutedplayer.by"]["rows"] == [{"player__username": "alice"}]
    assert [row["text"] for row in kept["clubreport.reporter"]["rows"]] == ["It advertises tea."]
    assert {row["act"] for row in kept["clubact.about"]["rows"]} == {"joined", "appoint", "left"}
    assert "by" in kept["mutedplayer.player"]["withheld"]
    assert not kept["mutedplayer.player"]["rows"]


def test_a_reviewers_copy_has_the_decisions_and_nobody_elses(club: Club, busy: Player, ines: Player) -> None:
    decide(club.pk, ines, Choice(Removal.NOTHING, "", "Tea is welcome.", club.name, club.description), NOON)
    assert [row["text"] for row in copy_of(ines)["clubdecision.by"]["rows"]] == ["Tea is welcome."]
    assert "Tea is welcome." not in str(copy_of(busy))


def test_a_deleted_account_leaves_no_row_and_no_name(club: Club, busy: Player, ines: Player, alice: Player) -> None:
    decide(club.pk, ines, Choice(Removal.NOTHING, "", "", club.name, club.description), NOON)
    for player in (busy, ines):
        erase_player(player, "asked for", None, NOON)
    for model, path in ((Membership, "player"), (MutedPlayer, "by"), (MutedPlayer, "player"), (ClubReport, "reporter")):
        assert not model._base_manager.filter(**{path: busy}).exists()
    assert ClubDecision.objects.count() == 1
    log = str(Api(alice).get(f"/api/clubs/{club.pk}/log/").json())
    assert "Closed account" in log
    assert "bob" not in log.lower() + str(Api().get(f"/api/clubs/{club.pk}/notices/").json()).lower()
    assert ClubAct.objects.filter(club=club, about=busy).exists()
