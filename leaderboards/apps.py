from __future__ import annotations

from typing import Any

from django.apps import AppConfig

from games.events import game_finished


def enter_finished_game(sender: type, **signal: Any) -> None:
    from leaderboards.services.submission import submit_score  # noqa: PLC0415  models exist only once apps are ready

    submit_score(signal["game"])


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from leaderboards import tasks  # noqa: F401, PLC0415  importing it registers them

        game_finished.connect(enter_finished_game)
