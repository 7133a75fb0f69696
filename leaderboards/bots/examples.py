from games.races.strength import Family
from leaderboards.boards.examples import BOARD, DAY
from leaderboards.boards.wire import RankedPlayer
from leaderboards.bots.wire import ActiveBot, BotRating, Bots

BOTS = Bots(
    [
        ActiveBot(
            player=RankedPlayer("deep-thirteen", "Deep Thirteen", is_bot=True),
            owner=RankedPlayer("carol", "Carol", is_bot=False),
            days=12,
            played=31,
            won=7,
            last_day=DAY,
            ratings=[BotRating(Family.THIRTEEN, 1684, 380, 14)],
        )
    ],
    [str(BOARD).replace(".open.", ".open-bots.")],
)
