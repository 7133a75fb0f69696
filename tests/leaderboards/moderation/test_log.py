"""The decision log is only ever added to, and a change is found."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoAssertNumQueries

from games.play.models import Game
from games.players.models import Player
from leaderboards.moderation import cases
from leaderboards.moderation.choices import Choice
from leaderboards.moderation.log import mistakes_in_log
from leaderboards.moderation.models import Case, LogLine, Outcome
from tests.guards import require_guarded, tamper, undone
from tests.leaderboards.conftest import NOON, Finish, named
from tests.leaderboards.moderation.conftest import case_about, decided


@pytest.fixture
def written(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[0])
    cases.take(case.pk, ines, NOON)
    cases.note(case.pk, ines, "looked at three choices", NOON)
    cases.release(case.pk, ines, NOON)


def test_the_log_does_not_go_by_plain_sql(written: None) -> None:
    require_guarded(
        "UPDATE leaderboards_logline SET text = ''",
        "DELETE FROM leaderboards_logline",
        "DELETE FROM leaderboards_case",
    )


CHANGES = (
    "UPDATE leaderboards_logline SET text = 'looked at two choices' WHERE number = 3",
    "UPDATE leaderboards_logline SET by_id = NULL WHERE number = 3",
    "UPDATE leaderboards_logline SET number = 7 WHERE number = 4",
    "DELETE FROM leaderboards_logline WHERE number = 2",
    "DELETE FROM leaderboards_logline WHERE number = 4",
    "DELETE FROM leaderboards_logline",
    "UPDATE leaderboards_logline SET salt = '' WHERE number = 1",
)


def test_with_the_guards_dropped_every_change_is_found(written: None) -> None:
    for change in CHANGES:
        assert mistakes_in_log() == []
        with undone():
            tamper(change)
            assert mistakes_in_log(), change
            with pytest.raises(CommandError, match="mistakes"):
                call_command("verify_decisions", stdout=StringIO())


def test_a_case_that_does_not_hold_its_last_decision_is_found(crowd: list[Game], ines: Player) -> None:
    first, second = (cleared(game, ines) for game in crowd[:2])
    assert mistakes_in_log() == []
    Case.objects.filter(pk=first.pk).update(decision=LogLine.objects.filter(case=first).first())
    Case.objects.filter(pk=second.pk).update(decision=LogLine.objects.filter(case=first).last())
    assert mistakes_in_log() == [f"case {case.pk} does not hold what was decided last" for case in (first, second)]


TAKEN_BACK = {
    "UPDATE leaderboards_case SET decision_id = NULL": "case {case} does not hold what was decided last",
    "UPDATE leaderboards_decision SET state = 'verified' WHERE game_id = '{game}'": (
        "a decision about game {game} does not stand in the log"
    ),
    "DELETE FROM leaderboards_decision WHERE game_id = '{game}'": (
        "the decision of line {line} about game {game} is missing"
    ),
    "UPDATE games_player SET banned_at = NULL": "the ban of player {player} is not what was decided",
}


def test_what_mallory_takes_back_in_the_database_is_found(crowd: list[Game], sigrid: Player, robin: Player) -> None:
    case = case_about(crowd[0])
    _, line = [decided(case, reviewer, Choice(Outcome.BAN, "program")) for reviewer in (sigrid, robin)]
    names = {"case": case.pk, "game": crowd[0].pk, "line": line.number, "player": crowd[0].player_id}
    for statement, mistake in TAKEN_BACK.items():
        assert mistakes_in_log() == []
        with undone():
            tamper(statement.format(**names))
            assert mistake.format(**names) in mistakes_in_log()


def test_a_second_disqualification_that_mallory_deletes_is_found(crowd: list[Game], sigrid: Player) -> None:
    case, again = case_about(crowd[-1]), Choice(Outcome.DISQUALIFY, "program")
    choices = (again, Choice(Outcome.REINSTATE, "our_mistake"), again)
    *_, line = [decided(case, sigrid, choice) for choice in choices]
    assert mistakes_in_log() == []
    tamper("DELETE FROM leaderboards_decision WHERE id = (SELECT max(id) FROM leaderboards_decision)")
    assert mistakes_in_log() == [f"the decision of line {line.number} about game {crowd[-1].pk} is missing"]


def test_checking_the_log_takes_the_same_queries_for_any_number_of_cases(
    finish: Finish, ines: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        cleared(finish(named(f"player-{number}")), ines)
        with django_assert_num_queries(12):
            assert mistakes_in_log() == []


def cleared(game: Game, reviewer: Player) -> Case:
    case = case_about(game)
    decided(case, reviewer, Choice(Outcome.CLEAR, "explained"))
    return case


def test_a_whole_log_says_how_long_it_is(written: None) -> None:
    said = StringIO()
    call_command("verify_decisions", stdout=said)
    assert said.getvalue() == f"The decision log is intact: {LogLine.objects.count()} lines.\n"
