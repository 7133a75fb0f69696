"""Decisions that take two reviewers, or a senior, and how a decision is reversed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player
from leaderboards.audit.verifying import flag
from leaderboards.boards import decisions as moderation
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.submission import submit
from leaderboards.moderation import cases, log
from leaderboards.moderation.choices import Choice, states_of
from leaderboards.moderation.deciding import decide, is_final
from leaderboards.moderation.models import Act, Case, LogLine, Outcome
from leaderboards.moderation.preview import preview
from leaderboards.moderation.refusals import BadDecision, CaseTaken, LogBroken, NotAllowed, NotTaken, UnknownCase
from tests.guards import guards_dropped
from tests.leaderboards.boards.test_decisions import table
from tests.leaderboards.conftest import BEST, FEWEST_MOVES, NOON, Finish, named
from tests.leaderboards.moderation.conftest import case_about, decided, staff

BAN = Choice(Outcome.BAN, "program")
UNBAN = Choice(Outcome.UNBAN, "our_mistake")
DISQUALIFY = Choice(Outcome.DISQUALIFY, "unseen_cards")
REINSTATE = Choice(Outcome.REINSTATE, "our_mistake")
CLEAR = Choice(Outcome.CLEAR, "explained")
FINAL = NOON.replace(hour=0, minute=30) + timedelta(days=2)


@pytest.fixture
def again(crowd: list[Game], finish: Finish) -> Game:
    """The second attempt of the first player."""
    with guards_dropped():
        DailyDeal.objects.update(stored_policy={"attempts": 2})
    game = finish(crowd[0].player, moves=31, attempt=2)
    submit([game.pk], NOON)
    return game


@pytest.fixture
def tove(db: None) -> Player:
    return staff("tove", "senior reviewer")


def test_a_ban_takes_a_senior_and_another_and_covers_every_score(
    crowd: list[Game], ines: Player, sigrid: Player, finish: Finish
) -> None:
    submit([finish(crowd[11].player, moves=30, days=1).pk], NOON)
    case = case_about(crowd[11])
    cases.take(case.pk, ines, NOON)
    with pytest.raises(NotAllowed, match="senior"):
        decide(case.pk, ines, BAN, {}, NOON)
    cases.release(case.pk, ines, NOON)
    assert decided(case, sigrid, BAN).act == Act.PROPOSED
    line = decided(case, ines, BAN)
    assert (line.act, len(line.games)) == (Act.DECIDED, 2)
    assert "player-11" not in {handle for slug in (BEST, FEWEST_MOVES) for _, handle in table(slug)}
    crowd[11].player.refresh_from_db()
    assert crowd[11].player.banned_at == NOON


def test_a_lifted_ban_gives_back_what_it_took_and_nothing_else(
    crowd: list[Game], ines: Player, sigrid: Player, tove: Player, finish: Finish
) -> None:
    other = finish(crowd[11].player, moves=30, days=1)
    submit([other.pk], NOON)
    case = case_about(crowd[11])
    decided(case, ines, DISQUALIFY)
    for reviewer, choice in ((sigrid, BAN), (ines, BAN), (sigrid, UNBAN)):
        decided(case, reviewer, choice)
    line = decided(case, tove, UNBAN)
    assert (line.act, line.outcome) == (Act.DECIDED, "unban")
    assert "player-11" in {handle for _, handle in table(BEST)}
    banned = LogLine.objects.get(act=Act.DECIDED, outcome="ban")
    assert line.about == banned
    assert log.mistakes_in_log() == []


def test_a_final_day_takes_two_of_whom_one_is_a_senior(
    crowd: list[Game], ines: Player, robin: Player, sigrid: Player
) -> None:
    case = case_about(crowd[11])
    assert decided(case, ines, DISQUALIFY, FINAL).act == Act.PROPOSED
    assert decided(case, robin, DISQUALIFY, FINAL).act == Act.SECONDED
    line = decided(case, sigrid, DISQUALIFY, FINAL)
    assert (line.act, line.by, line.confirms) == (Act.DECIDED, sigrid, ines)
    assert Decision.objects.get(by=sigrid).confirmed_by == ines


@pytest.mark.parametrize(("place", "act"), [(9, Act.PROPOSED), (10, Act.DECIDED)])
def test_the_tenth_place_takes_two_and_the_eleventh_takes_one(
    crowd: list[Game], ines: Player, place: int, act: Act
) -> None:
    assert decided(case_about(crowd[place]), ines, DISQUALIFY).act == act


def test_two_who_name_different_games_do_not_agree(
    crowd: list[Game], again: Game, ines: Player, robin: Player, sigrid: Player
) -> None:
    case = case_about(crowd[0])
    first, second = (replace(DISQUALIFY, games=(game.pk,)) for game in (crowd[0], again))
    assert decided(case, ines, first).act == Act.PROPOSED
    assert decided(case, robin, second).act == Act.SECONDED
    assert not Decision.objects.filter(state=EntryState.DISQUALIFIED).exists()
    settled = decided(case, sigrid, second)
    assert (settled.act, settled.confirms, settled.games) == (Act.DECIDED, robin, [again.pk])
    assert [one.game for one in Decision.objects.filter(state=EntryState.DISQUALIFIED)] == [again]


def test_who_names_all_games_one_by_one_agrees_with_who_names_none(
    crowd: list[Game], again: Game, ines: Player, robin: Player
) -> None:
    case = case_about(crowd[0])
    decided(case, ines, DISQUALIFY)
    assert decided(case, robin, replace(DISQUALIFY, games=(again.pk, crowd[0].pk))).act == Act.DECIDED


def test_who_hears_appeals_settles_no_ban_without_the_right_to_ban(
    crowd: list[Game], ines: Player, robin: Player, sigrid: Player
) -> None:
    case = case_about(crowd[11])
    decided(case, sigrid, BAN)
    decided(case, ines, CLEAR)
    robin.user_permissions.add(Permission.objects.get(codename="hear_appeal"))
    judge = Player.objects.get(pk=robin.pk)  # permissions are read once
    with pytest.raises(NotAllowed, match="bans are for senior reviewers"):
        decided(case, judge, BAN)
    crowd[11].player.refresh_from_db()
    assert crowd[11].player.banned_at is None
    assert not LogLine.objects.filter(act=Act.DECIDED).exists()


def test_who_hears_appeals_settles_no_final_day_without_the_right_to_decide_it(
    crowd: list[Game], ines: Player, robin: Player, sigrid: Player
) -> None:
    case, judge = case_about(crowd[11]), staff("judith", "reviewer")
    judge.user_permissions.add(Permission.objects.get(codename="hear_appeal"))
    for reviewer in (ines, robin):
        decided(case, reviewer, DISQUALIFY, FINAL)
    with pytest.raises(NotAllowed, match="right to decide final days"):
        decided(case, judge, DISQUALIFY, FINAL)
    assert not LogLine.objects.filter(act=Act.DECIDED).exists()
    cases.release(case.pk, judge, FINAL)
    assert decided(case, sigrid, DISQUALIFY, FINAL).act == Act.DECIDED


def test_a_decision_is_taken_back_by_another_that_names_it(crowd: list[Game], ines: Player, robin: Player) -> None:
    case = case_about(crowd[11])
    before = table(FEWEST_MOVES)
    first = decided(case, ines, DISQUALIFY)
    with pytest.raises(NotAllowed, match="who decided"):
        cases.take(case.pk, robin, NOON)
    second = decided(case, ines, REINSTATE)
    assert (second.act, second.about) == (Act.DECIDED, first)
    assert table(FEWEST_MOVES) == before


@pytest.mark.parametrize("change", [{"is_staff": False}, {"banned_at": NOON}])
def test_what_somebody_proposed_who_has_left_the_staff_or_was_banned_since_takes_two_others(
    crowd: list[Game], ines: Player, sigrid: Player, tove: Player, change: dict[str, object]
) -> None:
    case = case_about(crowd[11])
    decided(case, ines, DISQUALIFY, FINAL)
    Player.objects.filter(pk=ines.pk).update(**change)
    assert decided(case, sigrid, DISQUALIFY, FINAL).act == Act.SECONDED
    line = decided(case, tove, DISQUALIFY, FINAL)
    assert (line.act, line.by, line.confirms) == (Act.DECIDED, tove, sigrid)


def test_a_reviewer_who_is_banned_judges_nobody_until_the_ban_is_lifted(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[0])
    moderation.set_ban(ines, NOON)
    banned, desk = Player.objects.get(pk=ines.pk), Client()
    desk.force_login(banned)
    with pytest.raises(UnknownCase):
        cases.take(case.pk, banned, NOON)
    assert {desk.get(path).status_code for path in ("/admin/review/", f"/admin/review/{case.pk}/")} == {403}
    assert "/admin/review/" not in desk.get("/admin/").content.decode()
    moderation.lift_ban(banned)
    cases.take(case.pk, Player.objects.get(pk=ines.pk), NOON)


def test_three_who_differ_propose_again(
    crowd: list[Game], ines: Player, robin: Player, sigrid: Player, tove: Player
) -> None:
    case = case_about(crowd[0])
    decided(case, ines, DISQUALIFY)
    decided(case, robin, CLEAR)
    assert decided(case, sigrid, BAN).act == Act.PROPOSED
    assert decided(case, tove, BAN).act == Act.DECIDED


def test_a_senior_who_differs_from_both_clears_alone(
    crowd: list[Game], ines: Player, robin: Player, sigrid: Player
) -> None:
    case = case_about(crowd[0])
    decided(case, ines, DISQUALIFY)
    decided(case, robin, Choice(Outcome.FLAG, "program"))
    line = decided(case, sigrid, CLEAR)
    assert (line.act, line.confirms) == (Act.DECIDED, None)


def test_without_an_appeal_the_same_decision_is_a_new_one(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[11])
    assert decided(case, ines, DISQUALIFY).act == Act.DECIDED
    assert decided(case, ines, DISQUALIFY, FINAL).act == Act.PROPOSED


def test_on_a_final_day_two_give_back_the_rank_that_a_flag_has_kept_and_one_clears_what_has_its_rank(
    crowd: list[Game], ines: Player, finish: Finish
) -> None:
    held = finish(named("hasty"), moves=20, hasty=6)
    submit([held.pk], NOON)
    assert decided(case_about(held), ines, CLEAR, FINAL).act == Act.PROPOSED
    assert decided(case_about(crowd[0]), ines, CLEAR, FINAL).act == Act.DECIDED


def test_on_a_final_day_one_lets_a_score_stand_that_was_flagged_because_its_record_differs(
    crowd: list[Game], ines: Player
) -> None:
    flag(crowd[0], ["it does not replay"], FINAL)
    assert decided(case_about(crowd[0]), ines, CLEAR, FINAL).act == Act.DECIDED
    assert states_of(crowd[:1]) == {crowd[0].pk: EntryState.REINSTATED}


def test_one_game_of_a_final_day_among_others_takes_two(crowd: list[Game], finish: Finish) -> None:
    later = finish(crowd[11].player, days=2)
    assert is_final([later, crowd[11]], FINAL)
    assert not is_final([later], FINAL)


@pytest.mark.parametrize(
    "choice",
    [
        Choice(Outcome.CLEAR, "unseen_cards"),
        Choice(Outcome.DISQUALIFY, "explained"),
        Choice(Outcome.DISQUALIFY, "because"),
        Choice(Outcome.DISQUALIFY, "program", "x" * 2001),
        Choice(Outcome.DISQUALIFY, "program", "", ("nosuchgame12",)),
        UNBAN,
    ],
)
def test_a_choice_that_does_not_fit_changes_nothing(crowd: list[Game], sigrid: Player, choice: Choice) -> None:
    case = case_about(crowd[11])
    cases.take(case.pk, sigrid, NOON)
    with pytest.raises(BadDecision):
        decide(case.pk, sigrid, choice, {}, NOON)
    assert LogLine.objects.last() == LogLine.objects.get(act=Act.TAKEN)


def test_somebody_elses_game_is_not_decided_about_in_passing(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[11])
    cases.take(case.pk, ines, NOON)
    with pytest.raises(BadDecision, match=crowd[10].pk):
        decide(case.pk, ines, Choice(Outcome.DISQUALIFY, "program", "", (crowd[10].pk,)), {}, NOON)


def test_without_the_right_there_is_no_case(crowd: list[Game], alice: Player) -> None:
    alice.is_staff = True
    alice.save()
    with pytest.raises(UnknownCase):
        cases.take(case_about(crowd[0]).pk, alice, NOON)


def test_while_the_log_is_broken_nothing_is_decided(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[11])
    cases.take(case.pk, ines, NOON)
    log.keep_check(["the decision log is broken at line 1"], NOON)
    with pytest.raises(LogBroken):
        decide(case.pk, ines, CLEAR, {}, NOON)
    log.keep_check([], NOON)
    assert decide(case.pk, ines, CLEAR, {}, NOON).act == Act.DECIDED


def a_connection_waits() -> bool:
    """Return True if a connection of PostgreSQL waits for what another one has locked."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


def test_what_is_decided_again_in_another_tab_is_refused(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[11])
    decided(case, ines, CLEAR)
    with pytest.raises(NotTaken):
        decide(case.pk, ines, CLEAR, {}, NOON)


@pytest.mark.django_db(transaction=True)
def test_of_many_who_take_a_case_at_once_one_gets_it_and_the_log_holds(crowd: list[Game]) -> None:
    case = case_about(crowd[0])
    reviewers = [staff(f"reviewer-{number}", "reviewer") for number in range(6)]

    def take(reviewer: Player) -> str:
        try:
            cases.note(case.pk, reviewer, "at once", NOON)
            return f"taken by {cases.take(case.pk, reviewer, NOON).reviewer}"
        except CaseTaken as error:
            return str(error)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(reviewers)) as threads:
        answers = list(threads.map(take, reviewers))
    (first,) = (answer for answer in answers if answer.startswith("taken by "))
    assert {answer for answer in answers if answer != first} == {f"{first.removeprefix('taken by ')} took it 0 s ago"}
    assert LogLine.objects.filter(act=Act.TAKEN).count() == 1
    assert LogLine.objects.filter(act=Act.NOTED).count() == len(reviewers)
    assert log.mistakes_in_log() == []


@pytest.mark.servers
@pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers")
@pytest.mark.django_db(transaction=True)
def test_a_note_waits_for_the_case_and_lets_the_log_go_on_for_who_holds_it(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[0])

    def note() -> LogLine:
        try:
            return cases.note(case.pk, ines, "meanwhile", NOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            case = Case.objects.select_for_update().get(pk=case.pk)
            noting = thread.submit(note)
            while not a_connection_waits():
                assert not noting.done()
            log.append(LogLine(at=NOON, case=case, act=Act.JOINED, facts={"by": "test"}))
        assert noting.result(60).text == "meanwhile"
    assert log.mistakes_in_log() == []


def test_a_decision_reads_its_games_once(crowd: list[Game], ines: Player) -> None:
    case = cases.take(case_about(crowd[11]).pk, ines, NOON)
    choice = replace(DISQUALIFY, games=(crowd[11].pk,))
    with CaptureQueriesContext(connection) as previewed:
        seen = preview(case, choice, NOON)
    with CaptureQueriesContext(connection) as carried_out:
        decide(case.pk, ines, choice, seen.versions, NOON)
    for queries in (previewed, carried_out):
        assert sum('FROM "leaderboards_keptfinding"' in query["sql"] for query in queries) == 1
