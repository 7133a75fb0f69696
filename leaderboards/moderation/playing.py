"""Games of the database as the detectors read them, and their weighed moves; web processes need no solver for it."""

import msgspec

from games.play.models import Game
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.weighed import WeighedStep
from leaderboards.moderation.evidence_models import WeighedGame


def ranked_game(game: Game, par: int | None) -> RankedGame:
    """Return a finished attempt in the suits of its deal. Raises `RulesError` for a record that does not replay."""
    log = game.whole_log()
    play = game.record(log).as_dealt().replay()
    begun = game.started_at or game.created_at
    client = tuple(row.client_ms for row in log)
    deal = str(game.daily_id)
    return RankedGame(game.pk, str(game.player_id), deal, round(begun.timestamp() * 1000), play, par, client)


def weighings_of(game: Game) -> list[WeighedStep]:
    """Return the weighed steps of a game; empty if there are none yet or there cannot be any."""
    kept: WeighedGame | None = getattr(game, "weighed", None)
    return msgspec.convert(kept.steps, list[WeighedStep]) if kept and kept.steps else []
