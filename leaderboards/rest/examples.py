"""Examples for the OpenAPI document: real answers about two games, and every refusal."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from games.deals.chain import FIRST_LINK
from games.kit.rest.openapi import REFUSALS
from games.models import Game
from games.services.races.rating import Family
from leaderboards import errors, merkle, wire
from leaderboards.boards import FEWEST_MOVES, BoardKey, Entrants, Period
from leaderboards.models import Board, DayRoot, SealedResult
from leaderboards.ranking.view import Place, SortKey
from leaderboards.services import reading
from leaderboards.services.scores import Score
from leaderboards.services.sealing import Proof, link

DAY = date(2026, 11, 20)
KEY = BoardKey(Period.DAILY, DAY, "standard", "open", Entrants.PEOPLE, FEWEST_MOVES)
BOARD = Board(slug=str(KEY), version=2)


def _row(rank: int, name: str, game: str, score: dict[str, int]) -> reading.Row:
    ended = datetime(2026, 11, 20, 10, tzinfo=UTC) + timedelta(milliseconds=score["elapsed_ms"])
    status = Game.Status.RESIGNED if score["cards_left"] else Game.Status.WON
    shown = Score(
        name.lower(), name, is_bot=False, game=game, values=score, result=status.value, state="provisional", at=ended
    )
    return reading.Row(Place(rank, rank, SortKey(KEY.order.pack(score), rank), rank), shown)


_GAME = "4hzk1m8w0qtx"
ALICE = _row(1, "Alice", _GAME, {"cards_left": 0, "moves": 41, "elapsed_ms": 183_250})
BOB = _row(2, "Bob", "n72c0vrj5a9p", {"cards_left": 3, "moves": 37, "elapsed_ms": 121_004})
ROWS = [wire.Row.at_place(row) for row in (ALICE, BOB)]
BOARDS = wire.Boards([wire.Board.of(BOARD)])
TABLE = wire.TablePage(wire.Board.of(BOARD), version=2, count=2, rows=ROWS, amendments=[], next=None)
STANDING = wire.Standing(ROWS[1], 50.0)
STANDINGS = wire.Standings(2, [STANDING], ["mallory"])
HISTOGRAM = wire.Histogram("cards_left", 0, 2, [1, 1])
HISTORY = wire.History([wire.Change(2, BOB.score.at, listed=True, score=wire.Score.of(BOB.score))])
BOTS = wire.Bots(
    [
        wire.ActiveBot(
            player=wire.RankedPlayer("deep-thirteen", "Deep Thirteen", is_bot=True),
            owner=wire.RankedPlayer("carol", "Carol", is_bot=False),
            days=12,
            played=31,
            won=7,
            last_day=DAY,
            ratings=[wire.BotRating(Family.THIRTEEN, 1684, 380, 14)],
        )
    ],
    [str(BOARD).replace(".open.", ".open-bots.")],
)
FOLLOWED = wire.Followed([ROWS[1].player])

_LEAF = f"pyramid/result/1|{DAY}|standard|open|{_GAME}|won|0|41|183250|{'0' * 64}"
_SEALED = merkle.tiles([_LEAF.encode(), b"another result"])
_DAY_ROOT = DayRoot(
    number=1,
    day=DAY,
    count=2,
    root=merkle.root(_SEALED).hex(),
    made_at=datetime(2026, 11, 22, 0, 40, tzinfo=UTC),
)
_DAY_ROOT.link = link(FIRST_LINK, _DAY_ROOT)
ROOT = wire.Root.of(_DAY_ROOT)
ROOTS = wire.Roots([ROOT], None)
PROOF = wire.Proof.of(
    Proof(
        SealedResult(day_root=_DAY_ROOT, index=0, game_id=_GAME, leaf=_LEAF),
        [step.hex() for step in merkle.path(_SEALED, 0, 2)],
    )
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
