from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils import timezone

from games.play.events import Placement, game_finished
from games.statistics.events import games_counted, players_recounted
from leaderboards.boards.guards import create_lost_triggers

if TYPE_CHECKING:
    from games.play.models import Game


class LeaderboardsConfig(AppConfig):
    name = "leaderboards"
    default_auto_field = "django.db.models.BigAutoField"

    # Models exist only once apps are ready, so the receivers import what they call.
    def ready(self) -> None:
        from games.personal_data import holdings  # noqa: PLC0415
        from games.play import placements, sanctions  # noqa: PLC0415
        from games.players.devices import player_seen  # noqa: PLC0415
        from leaderboards import tasks  # noqa: F401, PLC0415  importing it registers them
        from leaderboards.achievements.awards import award_for_seasons  # noqa: PLC0415
        from leaderboards.boards import decisions  # noqa: PLC0415
        from leaderboards.boards.decisions import counting  # noqa: PLC0415
        from leaderboards.holdings import HOLDINGS  # noqa: PLC0415
        from leaderboards.seasons import seasons  # noqa: PLC0415
        from leaderboards.skill.deal_results import count_again  # noqa: PLC0415

        sanctions.register(counting)
        decisions.recounters.append(count_again)
        seasons.awarders.append(award_for_seasons)
        holdings.register(*HOLDINGS)

        game_finished.connect(_enter_finished_game)
        placements.register(_placements, _daily_placements)
        player_seen.connect(_remember)
        games_counted.connect(_award)
        players_recounted.connect(_award_again)
        post_migrate.connect(create_lost_triggers, sender=self)


def _enter_finished_game(sender: type, *, game: str, **signal: Any) -> Future[list[Placement]]:
    from leaderboards.boards.batches import enter  # noqa: PLC0415

    return enter(game)


def _placements(game: Game) -> list[Placement]:
    from leaderboards.boards.batches import enter  # noqa: PLC0415
    from leaderboards.boards.reading import placements_of  # noqa: PLC0415
    from leaderboards.boards.submission import is_missing  # noqa: PLC0415

    return enter(game.pk).result() if is_missing(game) else placements_of(game)


def _daily_placements(games: Collection[str]) -> dict[str, Placement]:
    from leaderboards.boards.reading import daily_placements  # noqa: PLC0415

    return daily_placements(games)


def _remember(sender: type, *, player: int, address: str, device: str, **signal: Any) -> None:
    from leaderboards.moderation.links import remember  # noqa: PLC0415

    remember(player, address, device, timezone.now())


def _award(sender: type, *, games: set[str], now: datetime, **signal: Any) -> None:
    from leaderboards.achievements.awards import award_for_games  # noqa: PLC0415

    award_for_games(games, now)


def _award_again(sender: type, *, players: set[int], **signal: Any) -> None:
    from leaderboards.achievements.awards import award_again  # noqa: PLC0415

    award_again(players, timezone.now())
