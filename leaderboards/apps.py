from django.apps import AppConfig
from django.db.models.signals import post_migrate

from leaderboards.boards.guards import create_lost_triggers


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from leaderboards import listeners, tasks  # noqa: F401, PLC0415  importing them registers what needs models

        post_migrate.connect(create_lost_triggers, sender=self)
