"""Cases are opened, taken by one reviewer, decided, and every step stands in the log."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.refusals import BoardsMoved
from leaderboards.boards.submission import submit
from leaderboards.moderation import cases, traces
from leaderboards.moderation.choices import Choice
from leaderboards.moderation.deciding import decide
from leaderboards.moderation.log import mistakes_in_log
from leaderboards.moderation.models import Act, Case, LogLine, Outcome
from leaderboards.moderation.preview import preview
from leaderboards.moderation.refusals import CaseTaken, NotAllowed, NotTaken, UnknownCase
from tests.leaderboards.boards.test_decisions import table
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, named, submit_score
from tests.leaderboards.moderation.conftest import case_about

DISQUALIFY = Choice(Outcome.DISQUALIFY, "unseen_cards", "three choices fit")


def decided(case: Case, reviewer: Player, choice: Choice = DISQUALIFY) -> LogLine:
    """Take a case, look who would move, and decide."""
    taken = cases.take(case.pk, reviewer, NOON)
    return decide(case.pk, reviewer, choice, preview(taken, choice, NOON).versions, NOON)


def test_a_reviewer_decides_alone_below_the_top_ten(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[10])
    assert decided(case, ines).act == Act.DECIDED
    case.refresh_from_db()
    assert (case.state, case.reviewer) == (Case.State.DECIDED, None)
    assert (10, "player-9") in table(FEWEST_MOVES)
    assert (11, "player-11") in table(FEWEST_MOVES)
    assert [line.act for line in LogLine.objects.all()] == [Act.OPENED, Act.TAKEN, Act.DECIDED]
    assert mistakes_in_log() == []


def test_a_disqualification_in_the_top_ten_waits_for_a_second_reviewer(
    crowd: list[Game], ines: Player, robin: Player
) -> None:
    case = case_about(crowd[2])
    before = table(FEWEST_MOVES)
    assert decided(case, ines).act == Act.PROPOSED
    assert table(FEWEST_MOVES) == before
    with pytest.raises(NotAllowed):
        cases.take(case.pk, ines, NOON)
    line = decided(case, robin)
    assert (line.act, line.by, line.confirms) == (Act.DECIDED, ines, robin)
    assert (3, "player-3") in table(FEWEST_MOVES)


def test_what_two_do_not_agree_about_goes_to_a_senior_reviewer(
    crowd: list[Game], ines: Player, robin: Player, sigrid: Player
) -> None:
    case = case_about(crowd[0])
    decided(case, ines)
    assert decided(case, robin, Choice(Outcome.CLEAR, "explained")).act == Act.SECONDED
    with pytest.raises(NotAllowed):
        cases.take(case.pk, robin, NOON)
    line = decided(case, sigrid)
    assert (line.act, line.by, line.confirms) == (Act.DECIDED, sigrid, ines)


def test_of_two_reviewers_one_gets_the_case_and_the_other_reads_who(
    crowd: list[Game], ines: Player, robin: Player
) -> None:
    case = case_about(crowd[0])
    cases.take(case.pk, ines, NOON)
    with pytest.raises(CaseTaken, match="Ines took it 4 s ago"):
        cases.take(case.pk, robin, NOON + timedelta(seconds=4))
    with pytest.raises(NotTaken, match="Ines took it"):
        decide(case.pk, robin, DISQUALIFY, {}, NOON)


def test_a_case_that_nobody_touches_for_two_hours_goes_back(crowd: list[Game], ines: Player, robin: Player) -> None:
    case = case_about(crowd[0])
    cases.take(case.pk, ines, NOON)
    assert cases.release_idle(NOON + timedelta(hours=2)) == 0
    assert cases.release_idle(NOON + timedelta(hours=2, seconds=1)) == 1
    assert cases.take(case.pk, robin, NOON + timedelta(hours=3)).reviewer == robin


def test_a_reviewer_keeps_a_case_by_taking_it_again_or_writing_a_note(
    crowd: list[Game], ines: Player, robin: Player
) -> None:
    case, other = case_about(crowd[0]), case_about(crowd[1])
    cases.take(other.pk, robin, NOON + timedelta(hours=5))
    cases.take(case.pk, ines, NOON)
    cases.take(case.pk, ines, NOON + timedelta(hours=2))
    cases.note(case.pk, ines, "I look at the other days.", NOON + timedelta(hours=4))
    cases.note(case.pk, robin, "I know this player.", NOON + timedelta(hours=5))
    with pytest.raises(CaseTaken):
        cases.take(case.pk, robin, NOON + timedelta(hours=6))
    assert cases.take(case.pk, robin, NOON + timedelta(hours=6, seconds=1)).reviewer == robin
    cases.release(case.pk, robin, NOON + timedelta(hours=7))
    with pytest.raises(NotTaken, match="take the case first"):
        cases.release(case.pk, robin, NOON + timedelta(hours=7))
    assert [line.act for line in case.log.all()] == [
        *(Act.OPENED, Act.TAKEN, Act.NOTED, Act.NOTED),
        *(Act.TAKEN, Act.RELEASED),
    ]
    assert cases.find_case(other.pk, robin).reviewer == robin


def test_the_rank_of_a_case_is_that_of_its_day_also_if_a_flag_holds_the_score(
    crowd: list[Game], finish: Finish
) -> None:
    held = finish(named("hasty"), moves=20, hasty=6)
    submit([held.pk, finish(crowd[11].player, moves=20, days=1).pk], NOON)
    assert [case_about(game).rank for game in (held, crowd[11])] == [1, 12]


def test_boards_that_moved_since_the_preview_refuse_the_decision(
    crowd: list[Game], ines: Player, bob: Player, finish: Finish
) -> None:
    case = case_about(crowd[11])
    versions = preview(cases.take(case.pk, ines, NOON), DISQUALIFY, NOON).versions
    submit_score(finish(bob, moves=1), NOON)
    with pytest.raises(BoardsMoved):
        decide(case.pk, ines, DISQUALIFY, versions, NOON)
    assert LogLine.objects.filter(act=Act.DECIDED).count() == 0
    assert cases.find_case(case.pk, ines).state == Case.State.TAKEN


def test_own_cases_and_those_of_linked_accounts_do_not_exist_for_a_reviewer(
    crowd: list[Game], ines: Player, finish: Finish
) -> None:
    own = case_about(finish(ines))
    linked = case_about(crowd[0])
    traces.remember([(ines.pk, "192.0.2.1", "a device")], NOON)
    traces.remember([(crowd[0].player_id, "", "a device")], NOON)
    for case in (own, linked):
        with pytest.raises(UnknownCase):
            cases.take(case.pk, ines, NOON)


def test_a_reviewer_gets_no_case_about_a_bot_of_theirs(
    ines: Player, robin: Player, robot: Player, finish: Finish
) -> None:
    Player.objects.filter(pk=robot.pk).update(owner=ines)
    case = case_about(finish(robot))
    with pytest.raises(UnknownCase):
        cases.take(case.pk, ines, NOON)
    assert cases.take(case.pk, robin, NOON).reviewer == robin


def test_reviewers_and_seniors_may_exactly_what_their_group_says(ines: Player, sigrid: Player) -> None:
    seen = "accountevidence board case club dayroot decision detectorrun entry examination keptfinding report"
    shared = {f"leaderboards.view_{model}" for model in seen.split()} | {"leaderboards.review_case"}
    shared |= {f"games.view_{model}" for model in ("dailydeal", "game", "player")}
    assert ines.get_all_permissions() == shared
    more = {f"leaderboards.{right}" for right in ("ban_player", "decide_final_day", "hear_appeal")}
    assert sigrid.get_all_permissions() == shared | more


def test_a_reviewer_whose_account_turns_out_to_be_linked_loses_the_case(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[0])
    cases.take(case.pk, ines, NOON)
    traces.remember([(ines.pk, "", "a device")], NOON)
    traces.remember([(crowd[0].player_id, "", "a device")], NOON)
    with pytest.raises(UnknownCase):
        decide(case.pk, ines, DISQUALIFY, {}, NOON)
    assert cases.release_idle(NOON + timedelta(hours=3)) == 1


def test_the_preview_says_what_the_boards_become(crowd: list[Game], ines: Player) -> None:
    shown = {each.board.slug: each for each in preview(case_about(crowd[3]), DISQUALIFY, NOON).boards}
    own = shown[FEWEST_MOVES]
    assert (own.before, own.after, own.others) == (4, None, 8)
    assert [(row.player.username, row.before, row.after) for row in own.rows[:2]] == [
        ("player-4", 5, 4),
        ("player-5", 6, 5),
    ]
