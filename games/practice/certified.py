"""Practice on certified deals."""

from datetime import datetime

from games.deals.grading import Grade
from games.play.models import Game
from games.play.starting import practise, require_room_for_practice
from games.players.models import Player
from games.practice.stock import certified_for
from games.rules import RULE_SETS


def start_certified_practice(player: Player, rules: str, grade: Grade | None, now: datetime) -> Game:
    """Start a practice game on a certified deal, of a grade or of any, that the player has not played.

    Without a grade there always is one. Raises `UnknownRuleSet`, `TooManyOpenGames`, `TooManyGames` or, for a grade,
    `NotCertifiable`, or `NoCertifiedDeal` if none is in stock.
    """
    rule_set = RULE_SETS[rules]
    require_room_for_practice(player)
    return practise(player, certified_for(player, rule_set, grade, now), now)
