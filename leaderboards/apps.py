from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from games.events import game_finished
from leaderboards.pending import create_lost_triggers

if TYPE_CHECKING:
    from leaderboards.services.placements import Placement


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from leaderboards import tasks  # noqa: F401, PLC0415  importing it registers them

        game_finished.connect(_enter_finished_game)
        post_migrate.connect(create_lost_triggers, sender=self)


def _enter_finished_game(sender: type, game: str, **signal: Any) -> Future[Sequence[Placement]]:
    from leaderboards.services.batches import enter  # noqa: PLC0415  models exist only once apps are ready

    return enter(game)
