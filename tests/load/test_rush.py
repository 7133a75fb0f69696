"""The rush of `make rush`, small: on two processes where there are Redis and PostgreSQL, on one with SQLite."""

from __future__ import annotations

import signal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.conf import settings
from django.db import connection

from tests.bench.rush import Scale, rush
from tests.with_servers import running_redis, unprivileged

SMALL = Scale(players=60, within_seconds=0.5, ends=30, ends_per_second=500, two_devices=5)

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_start_and_every_score_of_a_rush_is_there_once_also_if_redis_goes_away_amid_it() -> None:
    if connection.vendor == "sqlite":
        assert list(rush(SMALL._replace(processes=1)))
        return
    assert settings.REDIS_URL
    with (
        TemporaryDirectory(prefix="pyramid-") as folder,
        running_redis(Path(folder), unprivileged(Path(folder))) as redis,
    ):
        assert list(rush(SMALL, at_half=lambda: redis.stop(signal.SIGTERM), REDIS_URL=redis.url))
