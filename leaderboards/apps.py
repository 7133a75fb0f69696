from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.utils import timezone

from games.events import Placement, game_finished, placements_wanted


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from leaderboards import tasks  # noqa: F401, PLC0415  importing it registers them

        game_finished.connect(_enter_finished_game)
        placements_wanted.connect(_placements)


def _enter_finished_game(sender: type, **signal: Any) -> None:
    from leaderboards.services.submission import submit_score  # noqa: PLC0415  models exist only once apps are ready

    submit_score(signal["game"], timezone.now())


def _placements(sender: type, **signal: Any) -> list[Placement]:
    from leaderboards.services.reading import placements_of  # noqa: PLC0415

    return placements_of(signal["game"])
