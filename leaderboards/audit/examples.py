from datetime import UTC, datetime

from games.deals.chain import FIRST_LINK
from games.tlog import merkle
from leaderboards.audit import wire
from leaderboards.audit.models import DayRoot, SealedResult
from leaderboards.audit.sealing import Proof, link
from leaderboards.audit.wire import Root, Roots
from leaderboards.boards.examples import _GAME, DAY

_LEAF = f"pyramid/result/1|{DAY}|standard|open|{_GAME}|won|0|41|183250|{'0' * 64}"
_SEALED = merkle.tiles([_LEAF.encode(), b"another result"])
_DAY_ROOT = DayRoot(
    number=1,
    day=DAY,
    count=2,
    root=merkle.root(_SEALED, 2).hex(),
    made_at=datetime(2026, 11, 22, 0, 40, tzinfo=UTC),
)
_DAY_ROOT.link = link(FIRST_LINK, _DAY_ROOT)
ROOT = Root.of(_DAY_ROOT)
ROOTS = Roots([ROOT], None)
PROOF = wire.Proof.of(
    Proof(
        SealedResult(day_root=_DAY_ROOT, index=0, game_id=_GAME, leaf=_LEAF),
        [merkle.hash_of(span, _SEALED).hex() for span in merkle.path(0, 2)],
    )
)
