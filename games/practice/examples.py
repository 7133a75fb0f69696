from games.calendar.models import Deal
from games.play.examples import DEAL, DECK, RULES
from games.play.models import Game
from games.practice.shared_deals import SharedDeal

_BEST = Game(status="won", cards_left=0, moves=43, elapsed_ms=171_250)
PAR_DEAL = Deal(id=DEAL.id, rules=RULES.slug, deck=DECK, par=29, grade="medium")
SHARED_DEAL = SharedDeal(PAR_DEAL, day=None, best=_BEST, yours=None)
