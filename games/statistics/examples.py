from games.play.models import GameKind
from games.players.examples import PLAYER
from games.races.strength import Family
from games.statistics.wire import Best, OwnRating, PlayedStreak, Results, Statistics, Streak

STATISTICS = Statistics(
    PLAYER,
    PlayedStreak(3, 12, 0, Streak(4, 9), 41),
    Streak(1, 5),
    [Best("standard", GameKind.DAILY, moves=43, elapsed_ms=171_250)],
    [Results("standard", GameKind.DAILY, 12, 5, [1, 0, 2, 1])],
    [OwnRating(Family.THIRTEEN, 1684, 380, 14, is_provisional=False, course=[1658, 1701, 1684])],
)
