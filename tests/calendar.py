"""The daily deals of tests, the same in each run: a process chooses them once, and each test stores them again."""

from __future__ import annotations

import secrets
from copy import copy
from datetime import datetime
from random import Random

import pytest
from django.conf import settings
from django.db import transaction

from games.calendar.dailies import ensure_dailies, missing_dailies, newest_commitment
from games.calendar.models import DailyDeal, Deal
from games.deals.programme import Scheduled
from games.runtime.memory import forget_everything
from games.tlog import tree

_chosen: dict[tuple[datetime, tuple[Scheduled, ...], str], list[DailyDeal]] = {}


def prepared_dailies(now: datetime, days_ahead: int | None = None) -> list[DailyDeal]:
    """Do what `ensure_dailies` does; after the same deals as once before, store what was chosen then.

    Most tests are about today, and the deals of the coming days take longer than they do.
    """
    ahead = settings.PYRAMID_DAILIES_AHEAD_DAYS if days_ahead is None else days_ahead
    missing, newest = tuple(missing_dailies(now, ahead)), newest_commitment()
    asked = (now, missing, newest.commitment if newest else "")
    if asked not in _chosen:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(settings, "PYRAMID_DAILIES_AHEAD_DAYS", ahead)
            patch.setattr(secrets, "token_bytes", Random(f"a day{asked[2]}").randbytes)
            made = ensure_dailies(now)
        _chosen[asked] = [_unsaved(daily) for daily in made]
        return made
    dailies = [_unsaved(daily) for daily in _chosen[asked]]
    with transaction.atomic():
        Deal.objects.bulk_create(daily.deal for daily in dailies if daily.is_dealt)
        DailyDeal.objects.bulk_create(dailies)
        tree.append_all([daily.leaf for daily in dailies], now)
    forget_everything()
    return dailies


def _unsaved(daily: DailyDeal) -> DailyDeal:
    """Return a copy that no test has changed, of the same deal if it is there yet."""
    new = copy(daily)
    new.pk, new._state.adding = None, True
    if daily.is_dealt:
        new.deal = copy(daily.deal)
        new.deal._state.adding = True
    return new
