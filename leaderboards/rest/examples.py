"""Examples for the OpenAPI document: real answers about two games, and every refusal."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from games.deals.chain import FIRST_LINK
from games.kit.rest.openapi import REFUSALS
from games.models import Game, Player
from leaderboards import errors, merkle
from leaderboards.boards import FEWEST_MOVES, BoardKey, Entrants, Period
from leaderboards.models import Board, DayRoot, Entry, SealedResult, State
from leaderboards.ranking.view import Place, SortKey
from leaderboards.services.histogram import Histogram
from leaderboards.services.reading import Row, Standing
from leaderboards.services.sealing import Proof, link

DAY = date(2026, 11, 20)
KEY = BoardKey(Period.DAILY, DAY, "standard", "open", Entrants.PEOPLE, FEWEST_MOVES)
BOARD = Board(slug=str(KEY), version=2)


def _row(rank: int, name: str, game: str, score: dict[str, int]) -> Row:
    ended = datetime(2026, 11, 20, 10, tzinfo=UTC) + timedelta(milliseconds=score["elapsed_ms"])
    status = Game.Status.RESIGNED if score["cards_left"] else Game.Status.WON
    entry = Entry(
        board=BOARD,
        player=Player(username=name.lower(), display_name=name),
        game=Game(id=game, status=status, finished_at=ended),
        key=KEY.order.pack(score),
        entered_at_version=rank,
        valid_from=rank,
        changed_at=ended,
        state=State.PROVISIONAL,
    )
    return Row(Place(rank, rank, SortKey(entry.key, rank), rank), entry)


ALICE = _row(1, "Alice", "4hzk1m8w0qtx", {"cards_left": 0, "moves": 41, "elapsed_ms": 183_250})
BOB = _row(2, "Bob", "n72c0vrj5a9p", {"cards_left": 3, "moves": 37, "elapsed_ms": 121_004})
BOARDS = {"boards": [BOARD]}
TABLE = {"board": BOARD, "version": 2, "count": 2, "rows": [ALICE, BOB], "amendments": [], "next": None}
STANDING = Standing(BOB, 50.0)
STANDINGS = {"version": 2, "standings": [STANDING], "missing": ["mallory"]}
HISTOGRAM = Histogram("cards_left", 0, 2, [1, 1])
HISTORY = {"changes": [BOB.entry]}
FOLLOWED = {"players": [BOB.entry.player]}

_LEAF = f"pyramid/result/1|{DAY}|standard|open|{ALICE.entry.game_id}|won|0|41|183250|{'0' * 64}"
_SEALED = [_LEAF.encode(), b"another result"]
ROOT = DayRoot(
    number=1,
    day=DAY,
    count=2,
    root=merkle.root(_SEALED).hex(),
    made_at=datetime(2026, 11, 22, 0, 40, tzinfo=UTC),
)
ROOT.link = link(FIRST_LINK, ROOT)
ROOTS = {"roots": [ROOT], "next": None}
PROOF = Proof(
    SealedResult(day_root=ROOT, index=0, game=ALICE.entry.game, leaf=_LEAF),
    [step.hex() for step in merkle.path(_SEALED, 0)],
)

REFUSALS.update(
    {
        type(refusal): refusal
        for refusal in (
            errors.UnknownBoard("there is no board 'daily.yesterday'"),
            errors.BadCursor("this cursor was not made here"),
            errors.NotSealed("2026-11-21 is not sealed: it is not final, or nothing was played"),
            errors.NotOnBoard(f"'mallory' is not on the board {BOARD}"),
        )
    }
)
