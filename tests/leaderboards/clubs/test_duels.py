"""Duels: two clubs agree on a week, and the sums of their best members at its end are kept."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, InternalError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.keys.tokens import issue_token
from games.notifications.models import Notification
from games.notifications.notifications import notifications_of
from games.players.models import Player
from leaderboards.boards.reading import find_board
from leaderboards.boards.submission import submit
from leaderboards.clubs.duel_results import close_duels, final_at
from leaderboards.clubs.duels import MOST_OFFERED, Challenge, answer, propose
from leaderboards.clubs.founding import found
from leaderboards.clubs.membership import join, leave, manage
from leaderboards.clubs.models import Club, Duel, DuelResult, Removal
from leaderboards.clubs.refusals import DuelImpossible, TooManyDuels
from leaderboards.clubs.reporting import decide
from leaderboards.reporting.reporting import Choice
from tests.games.api import Api, refusal
from tests.leaderboards.clubs.conftest import EVE, terms
from tests.leaderboards.clubs.test_week import points_of
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, ban, named, submit_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]
WEEK_NAME = "2026-W48"
MONDAY = NOON + timedelta(days=3)  # NOON is that of a Friday
SUNDAY = MONDAY + timedelta(days=6)


@pytest.fixture
def carol() -> Player:
    return named("carol")


@pytest.fixture
def kites(carol: Player) -> Club:
    """The club of carol, with dave."""
    club = found(carol, terms("Red Kites"), EVE)
    join(club.pk, named("dave"), EVE)
    return club


@pytest.fixture
def offered(club: Club, kites: Club, alice: Player) -> Duel:
    return propose(club.pk, alice, Challenge(kites.pk, WEEK_NAME), NOON)


@pytest.fixture
def accepted(offered: Duel, kites: Club, carol: Player) -> Duel:
    return answer(kites.pk, carol, offered.pk, "accept", NOON)


def test_a_name_that_reviewers_remove_leaves_the_notifications_of_duels(
    accepted: Duel, club: Club, kites: Club, alice: Player, carol: Player
) -> None:
    decide(kites.pk, named("ines"), Choice(Removal.NAME, "insulting", "", kites.name, kites.description), NOON)
    assert [row.facts["other"] for row in notifications_of(alice) if row.kind == "club_duel"] == [f"Club {kites.pk}"]
    assert [row.facts["other"] for row in notifications_of(carol) if row.kind == "club_duel"] == [club.name]


def api_of(player: Player) -> APIClient:
    return APIClient(headers={"Authorization": f"Bearer {issue_token(player).token}"})


def duels(club: Club, api: APIClient | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (api or Api()).get(f"/api/clubs/{club.pk}/duels/").json()["duels"]
    return found


def told(player: Player) -> list[str]:
    return [each.facts["what"] for each in notifications_of(player) if each.kind == "club_duel"]


def test_one_club_proposes_and_the_other_accepts(club: Club, kites: Club, alice: Player, carol: Player) -> None:
    body = {"opponent": kites.pk, "week": WEEK_NAME}
    made = api_of(alice).post(f"/api/clubs/{club.pk}/duels/", body)
    assert (made.status_code, made.json()["state"], made.json()["winner"]) == (201, "offered", None)
    assert api_of(alice).post(f"/api/clubs/{club.pk}/duels/", body).json()["id"] == made.json()["id"]
    assert (told(carol), told(alice)) == (["offered"], [])
    assert [duels(each) for each in (club, kites)] == [[], []]
    assert [duels(kites, api_of(carol))[0]["id"], duels(club, api_of(alice))[0]["id"]] == [made.json()["id"]] * 2
    path = f"/api/clubs/{kites.pk}/duels/{made.json()['id']}/"
    assert api_of(carol).post(path, {"act": "accept"}).json()["state"] == "accepted"
    assert api_of(carol).post(path, {"act": "accept"}).status_code == 200
    assert (told(alice), told(carol)) == (["accepted"], ["offered"])
    assert [duels(each)[0]["challenger"]["id"] for each in (club, kites)] == [club.pk] * 2
    assert refusal(api_of(carol).post(path, {"act": "decline"})) == (409, "duel_answered")
    assert set(club.acts.values_list("act", flat=True)) >= {"propose_duel"}
    assert set(kites.acts.values_list("act", flat=True)) >= {"accept_duel"}


def test_only_officers_of_the_club_concerned_propose_and_answer(
    offered: Duel, club: Club, kites: Club, alice: Player, bob: Player
) -> None:
    dave, body = Player.objects.get(username="dave"), {"opponent": kites.pk, "week": "2026-W49"}
    answers = {
        (club, bob, "withdraw"): (409, "not_officer"),
        (kites, dave, "accept"): (409, "not_officer"),
        (kites, alice, "accept"): (409, "not_in_club"),
        (club, alice, "accept"): (404, "unknown_duel"),
    }
    for (own, player, act), expected in answers.items():
        assert refusal(api_of(player).post(f"/api/clubs/{own.pk}/duels/{offered.pk}/", {"act": act})) == expected
    for player, expected in ((bob, (409, "not_officer")), (named("mallory"), (409, "not_in_club"))):
        assert refusal(api_of(player).post(f"/api/clubs/{club.pk}/duels/", body)) == expected
    assert Api().post(f"/api/clubs/{club.pk}/duels/", body).status_code == 401
    offered.refresh_from_db()
    assert offered.state == "offered"


@pytest.mark.parametrize(
    "body",
    [
        {"week": "2026-W47"},
        {"week": "2027-W10"},
        {"week": "2026-W54"},
        {"week": "next"},
        {"week": WEEK_NAME, "rules": "nonsense"},
        {"week": WEEK_NAME, "opponent": ""},
    ],
)
def test_a_duel_that_cannot_be_is_refused(club: Club, kites: Club, alice: Player, body: dict[str, str]) -> None:
    opponent = club.pk if body.get("opponent") == "" else kites.pk
    answered = api_of(alice).post(f"/api/clubs/{club.pk}/duels/", {**body, "opponent": opponent})
    assert refusal(answered) == (409, "duel_impossible")
    assert not Duel.objects.exists()


def test_the_other_club_accepts_instead_of_proposing_the_same(offered: Duel, kites: Club, carol: Player) -> None:
    body = {"opponent": offered.challenger_id, "week": WEEK_NAME}
    assert refusal(api_of(carol).post(f"/api/clubs/{kites.pk}/duels/", body)) == (409, "duel_impossible")


@pytest.mark.django_db(transaction=True)
def test_of_two_clubs_that_propose_the_same_at_the_same_moment_one_is_asked_to_accept(
    club: Club, kites: Club, alice: Player, carol: Player
) -> None:
    weeks = [f"2026-W{week}" for week in range(48, 53)]
    both_are_there = Barrier(2)

    def is_proposed(own: Club, by: Player, opponent: Club) -> list[bool]:
        done = []
        try:
            for week in weeks:
                both_are_there.wait(180)
                try:
                    done.append(bool(propose(own.pk, by, Challenge(opponent.pk, week), NOON)))
                except DuelImpossible:
                    done.append(False)
        except BaseException:
            both_are_there.abort()  # or the other would wait
            raise
        finally:
            connection.close()
        return done

    with ThreadPoolExecutor(2) as officers:
        ours = officers.submit(is_proposed, club, alice, kites)
        theirs = officers.submit(is_proposed, kites, carol, club)
        assert ours.result() == [not done for done in theirs.result()]
    assert Duel.objects.count() == len(weeks)


def test_what_is_not_accepted_before_its_week_begins_is_off(offered: Duel, kites: Club, carol: Player) -> None:
    with pytest.raises(Exception, match="its week has begun"):
        answer(kites.pk, carol, offered.pk, "accept", MONDAY)
    assert close_duels(SUNDAY + timedelta(days=9)) == 0


def test_a_club_waits_for_few_answers_at_a_time(club: Club, alice: Player) -> None:
    others = [found(named(f"owner-{at}"), terms(f"Club {at}"), EVE) for at in range(MOST_OFFERED + 1)]
    *first, last = (Challenge(other.pk, WEEK_NAME) for other in others)
    waiting = [propose(club.pk, alice, challenge, NOON) for challenge in first]
    with pytest.raises(TooManyDuels):
        propose(club.pk, alice, last, NOON)
    answer(club.pk, alice, waiting[0].pk, "withdraw", NOON)
    assert propose(club.pk, alice, last, NOON).state == "offered"


def test_every_try_to_propose_counts(club: Club, alice: Player, settings: Any) -> None:
    settings.PYRAMID_LIMITS = {**settings.PYRAMID_LIMITS, "duels": (2, 86400)}
    tries = [api_of(alice).post(f"/api/clubs/{club.pk}/duels/", {"opponent": "0", "week": "x"}) for _ in range(3)]
    assert [each.status_code for each in tries] == [409, 409, 429]


def test_the_result_is_kept_when_the_week_is_final(accepted: Duel, club: Club, alice: Player, finish: Finish) -> None:
    bob, carol, dave = (Player.objects.get(username=name) for name in ("bob", "carol", "dave"))
    moves = {alice: 40, bob: 44, carol: 30, dave: 60}
    games = [finish(player, moves=each, days=3).pk for player, each in moves.items()]
    submit(games, MONDAY)
    live = Duel.objects.get()
    assert [duel["is_final"] for duel in duels(club)] == [False]
    assert close_duels(final_at(live) - timedelta(seconds=1)) == 0
    ban(dave, "cheated", None, MONDAY)
    assert close_duels(final_at(live)) == 1
    assert close_duels(final_at(live)) == 0
    [shown] = duels(club)
    assert (shown["is_final"], shown["winner"]) == (True, club.pk)
    for each in live.clubs:
        assert f"won by <bdi>{club.name}</bdi>" in Client().get(f"/clubs/{each.pk}/").content.decode()
    assert shown["challenger_sum"] == {"points": points_of(40) + points_of(44), "wins": 2, "moves": 84}
    assert shown["opponent_sum"] == {"points": points_of(30), "wins": 1, "moves": 30}
    assert [told(player)[0] for player in (alice, bob, carol)] == ["won", "won", "lost"]
    manage(club.pk, alice, "remove", "bob", final_at(live) + timedelta(hours=1))
    staff = [named(handle, is_staff=True) for handle in ("staff", "reviewer")]
    ban(carol, "cheated", staff[0], final_at(live) + timedelta(hours=1), staff[1])
    assert duels(club) == [shown]
    assert find_board(live.board, SUNDAY).version > DuelResult.objects.get().version
    with pytest.raises((IntegrityError, InternalError)), transaction.atomic():
        DuelResult.objects.update(challenger_sum=0)


def test_a_duel_that_nobody_played_is_a_draw(accepted: Duel, club: Club, bob: Player) -> None:
    leave(club.pk, bob, NOON)
    assert close_duels(final_at(accepted)) == 1
    [shown] = duels(club)
    assert (shown["winner"], shown["challenger_sum"], shown["opponent_sum"]) == (None, None, None)
    assert "a draw" in Client().get(f"/clubs/{club.pk}/").content.decode()
    assert set(Notification.objects.filter(facts__what="drawn").values_list("player__username", flat=True)) == {
        *("alice", "carol", "dave")
    }


def test_officers_propose_and_answer_on_the_pages(club: Club, kites: Club, alice: Player, carol: Player) -> None:
    ours, theirs, anyone = Client(), Client(), Client()
    ours.force_login(alice)
    theirs.force_login(carol)
    page = ours.get(f"/clubs/{kites.pk}/").content.decode()
    assert f'<option value="{club.pk}">Oxbow Club</option>' in page
    assert f"<option>{WEEK_NAME}</option>" in page
    assert page.index('<option value="standard.open">') < page.index('<option value="standard.main">')
    form = {"act": "propose_duel", "own": club.pk, "week": WEEK_NAME, "deal": "standard.main"}
    assert ours.post(f"/clubs/{kites.pk}/", form | {"deal": "poker"}).status_code == 409
    assert ours.post(f"/clubs/{kites.pk}/", form).status_code == 303
    assert theirs.post(f"/clubs/{kites.pk}/", {**form, "own": "\0"}).status_code in {400, 404}
    offer = theirs.get(f"/clubs/{kites.pk}/").content.decode()
    assert "The other club proposes it." in offer
    assert Duel.objects.get().board == f"weekly.{WEEK_NAME}.standard.main.points"
    assert "duels-heading" not in anyone.get(f"/clubs/{kites.pk}/").content.decode()
    answered = {"act": "accept_duel", "duel": Duel.objects.get().pk}
    assert theirs.post(f"/clubs/{kites.pk}/", answered).status_code == 303
    for each, other in ((club, kites), (kites, club)):
        assert f'href="/clubs/{other.pk}/"' in anyone.get(f"/clubs/{each.pk}/").content.decode()


def test_the_form_of_a_duel_leaves_the_ways_to_other_tables_of_the_club(
    club: Club, kites: Club, alice: Player, finish: Finish
) -> None:
    submit_score(finish(alice), NOON)
    ours, anyone = Client(), Client()
    ours.force_login(alice)
    pages = [client.get(f"/clubs/{kites.pk}/", {"board": FEWEST_MOVES}).content.decode() for client in (ours, anyone)]
    assert "Propose a duel" in pages[0]
    ways = [re.findall(r'href="\?board=([^"]*)"', page) for page in pages]
    assert ways[0] == ways[1] != []


@pytest.mark.parametrize("address", ["/clubs/{}/", "/api/clubs/{}/duels/"])
def test_any_number_of_duels_takes_the_same_number_of_queries(accepted: Duel, club: Club, address: str) -> None:
    def queries() -> int:
        with time_machine.travel(MONDAY, tick=False), CaptureQueriesContext(connection) as captured:
            assert Client().get(address.format(club.pk)).status_code == 200
        return len(captured)

    queries()  # what is read once for all
    few = queries()
    for number in range(3):
        other = found(named(f"owner-{number}"), terms(f"Club {number}"), EVE)
        state = {"board": accepted.board, "week": accepted.week, "state": "accepted", "proposed_at": NOON}
        Duel.objects.create(challenger=other, opponent=club, **state)
    assert queries() == few
