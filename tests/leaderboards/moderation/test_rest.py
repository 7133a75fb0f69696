"""The player's side: reports, what was decided and why, one appeal, notifications, and moderation in figures."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from games.cups.hosting import Terms as CupTerms
from games.cups.hosting import announce
from games.notifications.models import Notification
from games.personal_data.erasure import erase_player
from games.play.models import Game
from games.players.models import Player
from leaderboards.clubs.founding import Terms, found
from leaderboards.clubs.reporting import decide as decide_club
from leaderboards.cups.reporting import decide as decide_cup
from leaderboards.moderation import cases, rank_moves, traces
from leaderboards.moderation.choices import Choice, words_of
from leaderboards.moderation.deciding import decide
from leaderboards.moderation.log import mistakes_in_log
from leaderboards.moderation.models import Act, Appeal, Case, LogLine, Outcome, Report
from leaderboards.moderation.preview import preview
from leaderboards.moderation.priority import MOST_FOR_REPORTS
from leaderboards.moderation.reading import log_of
from leaderboards.reporting.reporting import Choice as NameChoice
from tests.games.api import Api, refusal
from tests.leaderboards.boards.test_decisions import table
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, named
from tests.leaderboards.moderation.conftest import case_about, decided, staff

DISQUALIFY = Choice(Outcome.DISQUALIFY, "second_account", "same device")
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    with time_machine.travel(NOON, tick=False):
        yield


@pytest.fixture
def disqualified(crowd: list[Game], ines: Player) -> Case:
    """The eleventh of the day, disqualified."""
    case = case_about(crowd[10])
    decided(case, ines, DISQUALIFY)
    return Case.objects.get(pk=case.pk)


def moves_of(case: Case) -> Any:
    """Return the versions of the boards that the decision of a case changed."""
    assert case.decision is not None
    return case.decision.facts["boards"]


def own_moderation(player: Player) -> Any:
    return Api(player).get("/api/me/review/").json()


def test_decisions_about_names_are_among_the_figures_also_of_months_without_a_case(ines: Player, alice: Player) -> None:
    club = found(alice, Terms("Oxbow Club", "", "sc-blue", "open"), NOON)
    cup = announce(alice, CupTerms("Oxbow Open", "standard", NOON + timedelta(hours=1)), NOON)
    decide_club(club.pk, ines, NameChoice("nothing", "", "", club.name), NOON - timedelta(days=31))
    decide_club(club.pk, ines, NameChoice("close", "insulting", "", club.name), NOON)
    decide_cup(cup.pk, ines, NameChoice("nothing", "", "", cup.name), NOON)
    decide_cup(cup.pk, ines, NameChoice("name", "insulting", "", cup.name), NOON)
    months = Api().get("/api/transparency/").json()["months"]
    figures = [(one["month"], one["names_decided"], one["names_removed"]) for one in months]
    assert figures == [("2026-11", 3, 2), ("2026-10", 1, 0)]
    page = Client().get("/review/").content.decode()
    assert "2 of 3" in page
    assert "Oxbow" not in page


def test_a_report_opens_a_case_and_a_second_one_of_the_same_player_changes_nothing(
    crowd: list[Game], alice: Player
) -> None:
    address = f"/api/games/{crowd[0].pk}/report/"
    for text in ("the same line as mine", "again"):
        assert Api(alice).post(address, {"text": text}).json()["game"] == crowd[0].pk
    assert Report.objects.get().text == "the same line as mine"
    assert [line.facts for line in LogLine.objects.all()] == [{"by": "report"}]
    assert Case.objects.get().rank == 1


def test_reports_of_linked_accounts_count_as_one_and_many_count_little(crowd: list[Game]) -> None:
    reporters = [named(f"reporter-{number}") for number in range(12)]
    for reporter in reporters[:3]:
        traces.remember([(reporter.pk, "", "one device")], NOON)
        Api(reporter).post(f"/api/games/{crowd[0].pk}/report/")
    linked = Case.objects.get().strength
    assert linked == pytest.approx(0.5)
    for reporter in reporters[3:]:
        Api(reporter).post(f"/api/games/{crowd[0].pk}/report/")
    assert linked < Case.objects.get().strength <= MOST_FOR_REPORTS


def test_what_cannot_be_reported_is_said_with_a_code(
    crowd: list[Game], alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refusal(Api(crowd[0].player).post(f"/api/games/{crowd[0].pk}/report/")) == (409, "not_reportable")
    assert refusal(Api(alice).post("/api/games/nosuchgame12/report/")) == (404, "unknown_game")
    assert refusal(Api().post(f"/api/games/{crowd[0].pk}/report/")) == (401, "not_signed_in")
    monkeypatch.setitem(settings.PYRAMID_LIMITS, "reports", (1, 24 * 60 * 60))
    answers = [Api(bob).post(f"/api/games/{game.pk}/report/").status_code for game in crowd[:2]]
    assert answers == [200, 429]


def test_a_player_reads_what_was_decided_and_why_but_nothing_for_colleagues(disqualified: Case) -> None:
    shown = own_moderation(disqualified.player)
    (score,), (decision,) = shown["scores"], shown["decisions"]
    assert (score["state"], score["day"]) == ("disqualified", "2026-11-20")
    assert score["words"] == decision["words"] == "The deal had been seen on a second account."
    assert decision["appeal_until"] == "2026-12-04T12:00:00Z"
    assert "same device" not in str(shown)
    assert "ines" not in str(shown)


def test_one_appeal_is_heard_by_somebody_new_and_the_score_comes_back(
    disqualified: Case, ines: Player, sigrid: Player
) -> None:
    player = Api(disqualified.player)
    number = own_moderation(disqualified.player)["decisions"][0]["number"]
    address = f"/api/me/review/{number}/appeal/"
    assert player.post(address, {"text": "My brother plays on the same tablet."}).status_code == 200
    assert refusal(player.post(address, {"text": "Again."})) == (409, "not_appealable")
    with pytest.raises(Exception, match="senior"):
        cases.take(disqualified.pk, ines, NOON)
    line = decided(disqualified, sigrid, Choice(Outcome.REINSTATE, "our_mistake"))
    assert (line.act, line.facts["appeal"], line.about) == (Act.DECIDED, True, disqualified.decision)
    assert (11, "player-10") in table(FEWEST_MOVES)
    decision = own_moderation(disqualified.player)["decisions"][0]
    assert (decision["is_answer"], decision["appeal_until"]) == (True, None)
    assert mistakes_in_log() == []


def test_an_appeal_can_be_turned_down_and_then_there_is_no_other(disqualified: Case, sigrid: Player) -> None:
    player, number = Api(disqualified.player), own_moderation(disqualified.player)["decisions"][0]["number"]
    player.post(f"/api/me/review/{number}/appeal/", {"text": "No."})
    line = decided(disqualified, sigrid, DISQUALIFY)
    assert (line.act, line.facts) == (Act.DECIDED, {"appeal": True, "boards": {}})
    for refused in (number, line.number):
        assert refusal(player.post(f"/api/me/review/{refused}/appeal/", {"text": "No."})) == (409, "not_appealable")


def test_an_appeal_after_the_deadline_is_too_late(disqualified: Case) -> None:
    number = own_moderation(disqualified.player)["decisions"][0]["number"]
    with time_machine.travel(NOON + 14 * DAY, tick=False):
        late = Api(disqualified.player).post(f"/api/me/review/{number}/appeal/", {"text": "I was away."})
        cases.close_settled(NOON + 14 * DAY)
    assert refusal(late) == (409, "appeal_too_late")
    assert Case.objects.get().state == Case.State.CLOSED


def test_nobody_appeals_for_somebody_else(disqualified: Case, alice: Player) -> None:
    for number in (disqualified.decision_id, 0, 10**30):
        answer = Api(alice).post(f"/api/me/review/{number}/appeal/", {"text": "For a friend."})
        assert refusal(answer) == (404, "unknown_decision")


def test_those_whose_ranks_moved_hear_of_it_once(disqualified: Case, crowd: list[Game]) -> None:
    assert (rank_moves.tell_moved(NOON), rank_moves.tell_moved(NOON)) == (1, 0)
    last = Api(crowd[11].player)
    assert Notification.objects.filter(kind="moved").count() == 1
    assert Api(crowd[9].player).get("/api/me/notifications/").json()["notifications"] == []
    (told,) = last.get("/api/me/notifications/").json()["notifications"]
    assert (told["kind"], told["page"].startswith("/boards/daily."), told["is_read"]) == ("moved", True, False)
    assert told["words"].startswith("You moved from 12 to 11 because of a decision about another score: ")
    assert told["words"].endswith(f"You moved on {len(moves_of(disqualified)) - 1} other tables too.")


def test_a_player_is_notified_of_decisions_and_answers_and_cannot_switch_that_off(
    disqualified: Case, sigrid: Player
) -> None:
    player, number = Api(disqualified.player), own_moderation(disqualified.player)["decisions"][0]["number"]
    assert refusal(player.put("/api/me/notifications/settings/", {"off": ["decided"]})) == (400, "invalid_request")
    player.post(f"/api/me/review/{number}/appeal/", {"text": "No."})
    line = decided(disqualified, sigrid, Choice(Outcome.REINSTATE, "our_mistake"))
    told = player.get("/api/me/notifications/").json()["notifications"]
    assert [(one["kind"], one["words"], one["page"]) for one in told] == [
        (
            "answered",
            "Your appeal was answered. The earlier decision was our mistake.",
            f"/review/own/#decision-{line.number}",
        ),
        (
            "decided",
            "There is a decision about one of your scores. The deal had been seen on a second account.",
            f"/review/own/#decision-{number}",
        ),
    ]


def test_a_player_reads_in_the_notification_that_the_account_is_banned_or_the_ban_lifted(
    crowd: list[Game], ines: Player, sigrid: Player
) -> None:
    case, tove = case_about(crowd[0]), staff("tove", "senior reviewer")
    for outcome, reason, second in ((Outcome.BAN, "program", ines), (Outcome.UNBAN, "explained", tove)):
        for reviewer in (sigrid, second):
            decided(case, reviewer, Choice(outcome, reason))
    told = Api(crowd[0].player).get("/api/me/notifications/").json()["notifications"]
    assert [one["words"] for one in told] == [
        "The ban of your account is lifted. What stood out has an innocent explanation.",
        f"Your account is banned: none of its games has a rank. {words_of('program')}",
    ]


def test_the_figures_come_from_the_log(disqualified: Case, sigrid: Player) -> None:
    number = own_moderation(disqualified.player)["decisions"][0]["number"]
    Api(disqualified.player).post(f"/api/me/review/{number}/appeal/", {"text": "No."})
    decided(disqualified, sigrid, Choice(Outcome.REINSTATE, "our_mistake"))
    (month,) = Api().get("/api/transparency/").json()["months"]
    assert (month["month"], month["opened"], month["decided"]) == ("2026-11", 1, {"disqualify": 1, "reinstate": 1})
    assert (month["appeals"], month["appeals_answered"], month["appeals_upheld"]) == (1, 1, 1)


def test_a_player_deleted_in_the_middle_of_a_case_leaves_it_decidable(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[11])
    player = Api(crowd[11].player)
    cases.take(case.pk, ines, NOON)
    erase_player(crowd[11].player, "asked for it", None, NOON)
    assert player.get("/api/me/review/").status_code == 401
    found = cases.find_case(case.pk, ines)
    assert found.player.listed_name == "Closed account"
    assert decide(case.pk, ines, DISQUALIFY, preview(found, DISQUALIFY, NOON).versions, NOON).act == Act.DECIDED
    assert mistakes_in_log() == []


def test_the_text_of_an_appeal_goes_with_the_account_and_the_log_stays_whole(disqualified: Case) -> None:
    number = own_moderation(disqualified.player)["decisions"][0]["number"]
    Api(disqualified.player).post(f"/api/me/review/{number}/appeal/", {"text": "My brother did."})
    assert "brother" not in str(list(LogLine.objects.values()))
    erase_player(disqualified.player, "asked for it", None, NOON)
    assert not Appeal.objects.exists()
    assert mistakes_in_log() == []


def test_a_second_reviewer_sees_neither_choice_nor_text_of_the_first(
    crowd: list[Game], ines: Player, robin: Player
) -> None:
    case = case_about(crowd[0])
    cases.take(case.pk, ines, NOON)
    cases.note(case.pk, ines, "clearly unseen cards", NOON)
    cases.release(case.pk, ines, NOON)
    decided(case, ines, DISQUALIFY)
    found = cases.find_case(case.pk, robin)
    shown = {line.line.act: line for line in log_of(found, robin)}
    assert [(shown[act].outcome, shown[act].text) for act in (Act.PROPOSED, Act.NOTED)] == [("", ""), ("", "")]
    assert {line.line.act: line.text for line in log_of(found, ines)}[Act.NOTED] == "clearly unseen cards"
