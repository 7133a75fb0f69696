from __future__ import annotations

from concurrent.futures import Future
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils import timezone

from games.events import (
    Placement,
    game_finished,
    games_counted,
    placements_wanted,
    player_seen,
    players_recounted,
)
from leaderboards.pending import create_lost_triggers


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"
    default_auto_field = "django.db.models.BigAutoField"

    # Models exist only once apps are ready, so the receivers import what they call.
    def ready(self) -> None:
        from games.services import holdings, sanctions  # noqa: PLC0415
        from leaderboards import reasons, tasks  # noqa: F401, PLC0415  importing them registers what they have
        from leaderboards.services.holdings import HOLDINGS  # noqa: PLC0415
        from leaderboards.services.moderation import counting  # noqa: PLC0415

        sanctions.register(counting)
        holdings.register(*HOLDINGS)

        game_finished.connect(_enter_finished_game)
        placements_wanted.connect(_placements)
        player_seen.connect(_remember)
        games_counted.connect(_award)
        players_recounted.connect(_award_again)
        post_migrate.connect(create_lost_triggers, sender=self)


def _enter_finished_game(sender: type, *, game: str, **signal: Any) -> Future[list[Placement]]:
    from leaderboards.services.batches import enter  # noqa: PLC0415

    return enter(game)


def _placements(sender: type, **signal: Any) -> list[Placement]:
    from leaderboards.services.batches import enter  # noqa: PLC0415
    from leaderboards.services.reading import placements_of  # noqa: PLC0415
    from leaderboards.services.submission import is_missing  # noqa: PLC0415

    game = signal["game"]
    return enter(game.pk).result() if is_missing(game) else placements_of(game)


def _remember(sender: type, *, player: int, address: str, device: str, **signal: Any) -> None:
    from leaderboards.review.links import remember  # noqa: PLC0415

    remember(player, address, device, timezone.now())


def _award(sender: type, *, games: set[str], now: datetime, **signal: Any) -> None:
    from leaderboards.services.awards import award_for_games  # noqa: PLC0415

    award_for_games(games, now)


def _award_again(sender: type, *, players: set[int], **signal: Any) -> None:
    from leaderboards.services.awards import award_again  # noqa: PLC0415

    award_again(players, timezone.now())
