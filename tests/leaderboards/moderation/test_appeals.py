"""Appeals to their end: what takes the right away, who hears them, and what becomes of them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.personal_data.erasure import erase_player
from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.submission import submit
from leaderboards.detectors.findings import false_record
from leaderboards.moderation import cases, log
from leaderboards.moderation.appeals import appeal
from leaderboards.moderation.choices import Choice
from leaderboards.moderation.deciding import decide
from leaderboards.moderation.finding import keep_findings
from leaderboards.moderation.models import Act, Case, Outcome
from leaderboards.moderation.refusals import BadDecision, NotAllowed, NotAppealable
from leaderboards.moderation.reports import report
from leaderboards.moderation.traces import remember
from leaderboards.moderation.transparency import report as figures
from tests.leaderboards.conftest import NOON, Finish, named
from tests.leaderboards.moderation.conftest import case_about, decided, staff
from tests.leaderboards.moderation.test_deciding import BAN, CLEAR, DISQUALIFY, REINSTATE

FLAG = Choice(Outcome.FLAG, "program")
LATER = NOON + timedelta(hours=1)


@pytest.fixture
def tove(db: None) -> Player:
    return staff("tove", "senior reviewer")


@pytest.fixture
def disqualified(crowd: list[Game], ines: Player) -> Case:
    """A decided case about the eleventh, which one reviewer could decide alone."""
    case = case_about(crowd[10])
    decided(case, ines, DISQUALIFY)
    return Case.objects.get(pk=case.pk)


def appealed(case: Case, text: str = "My brother plays on the same tablet.") -> Case:
    case = Case.objects.select_related("player", "decision").get(pk=case.pk)
    assert case.decision
    appeal(case.player, case.decision.number, text, LATER)
    return Case.objects.get(pk=case.pk)


def found_more(case: Case) -> None:
    """Let the server find something about the case's game."""
    game = Game.objects.get(player=case.player_id, daily=case.daily_id)
    keep_findings(game, [false_record(game.pk, "a difference")], LATER)


def test_new_evidence_does_not_take_an_appeal_away(disqualified: Case) -> None:
    found_more(disqualified)
    case = Case.objects.get(pk=disqualified.pk)
    assert (case.state, case.needs) == (Case.State.OPEN, Case.Needs.REVIEWER)
    case = appealed(case)
    assert (case.state, case.needs) == (Case.State.APPEALED, Case.Needs.APPEAL)


@pytest.mark.parametrize(("choice", "rank"), [(REINSTATE, 11), (DISQUALIFY, None)])
def test_a_disqualified_score_has_no_rank_and_its_appeal_is_as_urgent_as_the_rank_that_it_asks_back(
    crowd: list[Game], ines: Player, sigrid: Player, choice: Choice, rank: int | None
) -> None:
    case = case_about(crowd[10])
    urgency = case.urgency
    decided(case, ines, DISQUALIFY)
    case.refresh_from_db()
    assert (case.rank, case.urgency < urgency) == (None, True)
    case = appealed(case)
    assert (case.rank, case.urgency) == (11, urgency)
    found_more(case)
    case.refresh_from_db()
    assert (case.rank, case.urgency > urgency) == (11, True)
    decided(case, sigrid, choice)
    case.refresh_from_db()
    assert case.rank == rank


def test_what_was_not_disqualified_is_cleared_and_not_reinstated(crowd: list[Game], ines: Player) -> None:
    with pytest.raises(BadDecision, match="not disqualified: clear it"):
        decided(case_about(crowd[11]), ines, REINSTATE)


@pytest.mark.parametrize("choice", [CLEAR, FLAG])
def test_a_disqualified_score_is_not_left_so_by_a_decision_without_appeal(
    disqualified: Case, ines: Player, choice: Choice
) -> None:
    found_more(disqualified)
    with pytest.raises(BadDecision, match="disqualified"):
        decided(disqualified, ines, choice, LATER)


def test_a_ban_that_answers_the_appeal_against_a_disqualification_has_an_appeal_of_its_own(
    disqualified: Case, ines: Player, sigrid: Player, tove: Player
) -> None:
    appealed(disqualified)
    decided(disqualified, sigrid, BAN, LATER)
    with pytest.raises(NotAllowed, match="second reviewer"):
        cases.take(disqualified.pk, ines, LATER)
    banned = decided(disqualified, tove, BAN, LATER)
    assert (banned.act, banned.facts["appeal"]) == (Act.DECIDED, True)
    assert appealed(disqualified, "Not even then.").state == Case.State.APPEALED


def test_an_appeal_is_heard_by_a_senior_who_has_not_decided_and_waits_for_one_if_handed_back(
    crowd: list[Game], sigrid: Player, tove: Player
) -> None:
    case = case_about(crowd[11])
    decided(case, sigrid, DISQUALIFY)
    appealed(case)
    with pytest.raises(NotAllowed, match="had no part"):
        cases.take(case.pk, sigrid, LATER)
    cases.take(case.pk, tove, LATER)
    cases.release(case.pk, tove, LATER)
    assert Case.objects.get().state == Case.State.APPEALED


def test_new_evidence_opens_its_own_case_again_and_takes_none_from_a_reviewer(
    disqualified: Case, crowd: list[Game], robin: Player
) -> None:
    taken = cases.take(case_about(crowd[11]).pk, robin, NOON)
    found_more(taken)
    assert Case.objects.get(pk=taken.pk).state == Case.State.TAKEN
    before = Case.objects.get(pk=disqualified.pk)
    assert (before.state, before.strength) == (Case.State.DECIDED, 0)
    found_more(disqualified)
    assert Case.objects.get(pk=disqualified.pk).state == Case.State.OPEN


def test_a_decided_case_is_closed_once_no_appeal_is_possible(disqualified: Case, crowd: list[Game]) -> None:
    still_open, until = case_about(crowd[11]), disqualified.appeal_until
    assert until
    assert [cases.close_settled(at) for at in (until - timedelta(microseconds=1), until)] == [0, 1]
    assert Case.objects.get(pk=still_open.pk).state == Case.State.OPEN
    states = [cases.resting_state(Case.Needs.NOBODY, until, at) for at in (NOON, until)]
    assert [*states, cases.resting_state(Case.Needs.SECOND, None, NOON)] == ["decided", "closed", "open"]


def test_a_ban_is_lifted_or_confirmed_and_a_confirmed_one_has_no_second_appeal(
    crowd: list[Game], ines: Player, sigrid: Player, tove: Player
) -> None:
    case = case_about(crowd[11])
    decided(case, sigrid, BAN)
    decided(case, ines, BAN)
    appealed(case)
    cases.take(case.pk, tove, LATER)
    with pytest.raises(BadDecision, match="lift the ban"):
        decide(case.pk, tove, DISQUALIFY, {}, LATER)
    assert decide(case.pk, tove, BAN, {}, LATER).act == Act.DECIDED
    with pytest.raises(NotAppealable):
        appealed(case)


def test_an_appeal_is_answered_even_if_its_player_has_deleted_the_account(
    disqualified: Case, sigrid: Player, ines: Player
) -> None:
    appealed(disqualified)
    erase_player(disqualified.player, "a test", None, LATER)
    with pytest.raises(NotAllowed):
        cases.take(disqualified.pk, ines, LATER)
    assert Case.objects.get().needs == Case.Needs.APPEAL
    line = decided(disqualified, sigrid, DISQUALIFY, LATER)
    assert (line.act, line.facts["appeal"]) == (Act.DECIDED, True)
    assert (figures()[0].appeals, figures()[0].appeals_answered) == (1, 1)
    assert log.mistakes_in_log() == []


def test_who_reported_a_score_does_not_judge_it(crowd: list[Game], ines: Player, robin: Player, finish: Finish) -> None:
    submit([finish(ines, moves=200).pk], NOON)
    report(crowd[11].pk, ines, "Too good for me.", NOON)
    case = Case.objects.get()
    with pytest.raises(NotAllowed, match="reported"):
        cases.take(case.pk, ines, NOON)
    assert cases.take(case.pk, robin, NOON).reviewer == robin


def test_what_is_reported_while_a_reviewer_holds_the_case_counts_too(
    crowd: list[Game], ines: Player, finish: Finish
) -> None:
    second = finish(named("second"), moves=200).player
    case = case_about(crowd[11])
    cases.take(case.pk, ines, NOON)
    for reviewer in (ines, second):
        remember([(reviewer.pk, "", "a tablet")], NOON)
    report(crowd[11].pk, second, "Too good for me.", NOON)
    with pytest.raises(NotAllowed, match="reported"):
        decided(case, ines, DISQUALIFY)


def test_linked_accounts_are_one_reviewer_for_second_opinions_and_appeals(
    crowd: list[Game], ines: Player, robin: Player, sigrid: Player, tove: Player
) -> None:
    case = case_about(crowd[2])
    assert decided(case, ines, DISQUALIFY).act == Act.PROPOSED
    for reviewer in (ines, robin, tove):
        remember([(reviewer.pk, "192.0.2.1", "")], NOON)
    with pytest.raises(NotAllowed, match="second reviewer"):
        cases.take(case.pk, robin, NOON)
    assert decided(case, sigrid, DISQUALIFY).act == Act.DECIDED
    appealed(case)
    with pytest.raises(NotAllowed, match="had no part"):
        cases.take(case.pk, tove, LATER)
    assert cases.take(case.pk, staff("ursula", "senior reviewer"), LATER).state == Case.State.TAKEN
