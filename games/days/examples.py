from datetime import timedelta

from games.beacon.models import BeaconOutcome
from games.calendar.models import DailyDeal
from games.days.disclosure import Awaited, DisclosedDaily, Reveal
from games.deals.daily import DailyKey
from games.deals.policy import RANKED
from games.play.examples import ATTEMPT
from games.players.examples import NOW, STARTED

_SEED = bytes(range(32))
_OPEN, _PAST = (DailyKey(STARTED.date() - timedelta(days=ago), "standard", "open") for ago in (0, 2))
_COMMITTED_AT = _OPEN.opens_at - timedelta(days=7)
# A real round, though of another day.
_ROUND = BeaconOutcome(
    beacon="quicknet",
    round=1000,
    signature="b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
)
_AWAITED = Awaited(_ROUND.beacon, _ROUND.round, _ROUND)
DAILY = DisclosedDaily(
    key=_OPEN,
    state=_OPEN.state(NOW),
    commitment=_OPEN.commitment(_SEED),
    committed_at=_COMMITTED_AT,
    beacon=_AWAITED,
    grade="medium",
    is_yours=True,
    is_certified=True,
    policy=RANKED,
    attempt=ATTEMPT,
    reveal=None,
)
PAST_DAILY = DisclosedDaily(
    key=_PAST,
    state=_PAST.state(NOW),
    commitment=_PAST.commitment(_SEED),
    committed_at=_COMMITTED_AT,
    beacon=None,
    grade="medium",
    is_yours=True,
    is_certified=True,
    policy=RANKED,
    attempt=None,
    reveal=Reveal(_SEED.hex(), 0, _PAST.deck(_SEED).text, par=41, greedy_moves=58, grade="medium"),
)
COMMITMENT = DailyDeal(
    day=_OPEN.day,
    rules=_OPEN.rules,
    division=_OPEN.division,
    commitment=_OPEN.commitment(_SEED),
    committed_at=_COMMITTED_AT,
)
