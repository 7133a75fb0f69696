"""The decision log is only ever added to, and a change is found."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from games.models import Game, Player
from leaderboards.models import LogLine
from leaderboards.review import cases
from leaderboards.review.log import mistakes_in_log
from tests.guards import guards_dropped
from tests.leaderboards.conftest import NOON
from tests.leaderboards.review.conftest import case_about


@pytest.fixture
def written(crowd: list[Game], ines: Player) -> None:
    case = case_about(crowd[0])
    cases.take(case.pk, ines, NOON)
    cases.note(case.pk, ines, "looked at three choices", NOON)
    cases.release(case.pk, ines, NOON)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE leaderboards_logline SET text = ''",
        "DELETE FROM leaderboards_logline",
        "UPDATE leaderboards_loghead SET number = 1",
        "DELETE FROM leaderboards_loghead",
        "DELETE FROM leaderboards_case",
    ],
)
def test_the_log_does_not_go_by_plain_sql(written: None, statement: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE leaderboards_logline SET text = 'looked at two choices' WHERE number = 3",
        "UPDATE leaderboards_logline SET by_id = NULL WHERE number = 3",
        "UPDATE leaderboards_logline SET number = 7 WHERE number = 4",
        "DELETE FROM leaderboards_logline WHERE number = 2",
        "DELETE FROM leaderboards_logline WHERE number = 4",
        "DELETE FROM leaderboards_logline",
        "UPDATE leaderboards_loghead SET number = 5",
    ],
)
def test_with_the_guards_dropped_every_change_is_found(written: None, statement: str) -> None:
    assert mistakes_in_log() == []
    with guards_dropped(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert mistakes_in_log()
    with pytest.raises(CommandError, match="mistakes"):
        call_command("verify_decisions", stdout=StringIO())


def test_a_whole_log_says_how_long_it_is(written: None) -> None:
    said = StringIO()
    call_command("verify_decisions", stdout=said)
    assert said.getvalue() == f"The decision log is intact: {LogLine.objects.count()} lines.\n"
