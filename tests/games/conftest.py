"""The cast: alice and bob play, mallory cheats, staff reviews. The time is noon of a day with a daily deal."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pytest_django.fixtures import Settings

from games.deals.daily import Division
from games.models import DailyDeal, Player
from games.services.dailies import ensure_dailies
from games.services.players import create_guest

PASSWORD = "correct horse battery"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOON


@pytest.fixture
def fast_hashes(settings: Settings) -> None:
    """Hash passwords in no time."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def alice(db: None) -> Player:
    return create_guest("Alice")[0]


@pytest.fixture
def bob(db: None) -> Player:
    return create_guest("Bob")[0]


@pytest.fixture
def mallory(db: None) -> Player:
    return create_guest("Mallory")[0]


@pytest.fixture
def staff(db: None) -> Player:
    return Player.objects.create_superuser(username="staff", display_name="Staff", password="a good long password")


@pytest.fixture
def daily(db: None, now: datetime) -> DailyDeal:
    """Today's deal of `standard` in the division of guests, which the cast are."""
    return next(daily for daily in ensure_dailies(now) if (daily.day, daily.division) == (now.date(), Division.OPEN))
