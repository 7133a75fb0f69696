"""Reviewers, a case, and the groups, which emptied tables lose."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.apps import apps
from django.contrib.auth.models import Group

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.models import Board
from leaderboards.boards.submission import submit
from leaderboards.moderation import cases
from leaderboards.moderation.cases import open_or_join, weigh
from leaderboards.moderation.choices import Choice
from leaderboards.moderation.deciding import decide
from leaderboards.moderation.groups import create_groups
from leaderboards.moderation.models import Case, LogLine
from tests.leaderboards.conftest import NOON, Finish, crowd_of, named


def staff(handle: str, group: str) -> Player:
    if not Group.objects.filter(name=group).exists():
        create_groups(apps, None)
    player = named(handle, is_staff=True)
    player.groups.add(Group.objects.get(name=group))
    return player


@pytest.fixture
def ines(db: None) -> Player:
    return staff("ines", "reviewer")


@pytest.fixture
def robin(db: None) -> Player:
    return staff("robin", "reviewer")


@pytest.fixture
def sigrid(db: None) -> Player:
    return staff("sigrid", "senior reviewer")


@pytest.fixture
def mallory(db: None) -> Player:
    return named("mallory")


@pytest.fixture
def crowd(finish: Finish) -> list[Game]:
    """Twelve players with 30, 32, 34 ... moves."""
    games = [finish(player, moves=30 + 2 * place) for place, player in enumerate(crowd_of(12))]
    submit([game.pk for game in games], NOON)
    return games


def case_about(game: Game) -> Case:
    assert game.daily
    case = open_or_join(game.player_id, game.daily, "a test", NOON)
    weigh(case)
    return case


def decided(case: Case, reviewer: Player, choice: Choice, now: datetime = NOON) -> LogLine:
    """Take a case and decide it, with the boards as they are."""
    cases.take(case.pk, reviewer, now)
    return decide(case.pk, reviewer, choice, dict(Board.objects.values_list("slug", "version")), now)
