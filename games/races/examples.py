from games.players.examples import PLAYER
from games.races.rating_wire import RatedPlayer, Rating, Ratings
from games.races.strength import Family

RATINGS = Ratings(
    Family.THIRTEEN,
    "people",
    [RatedPlayer(1, PLAYER, Rating(Family.THIRTEEN, 1684, 380, 14, is_provisional=False))],
)
