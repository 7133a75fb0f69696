"""Examples for the OpenAPI document: real answers about two games."""

from datetime import UTC, date, datetime, timedelta

from games.play.models import Game
from leaderboards.boards import reading, wire
from leaderboards.boards.catalog import FEWEST_MOVES, BoardKey, Entrants, Period
from leaderboards.boards.histogram import Histogram
from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import Place, SortKey
from leaderboards.boards.scores import Score
from leaderboards.boards.wire import Boards, Change, Followed, History, Row, Standing, Standings, TablePage

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


_GAME = "2ek4hzk1m8w0qtx"
ALICE = _row(1, "Alice", _GAME, {"cards_left": 0, "moves": 41, "elapsed_ms": 183_250})
BOB = _row(2, "Bob", "2ekn72c0vrj5a9p", {"cards_left": 3, "moves": 37, "elapsed_ms": 121_004})
ROWS = [Row.at_place(row) for row in (ALICE, BOB)]
BOARDS = Boards([wire.Board.of(BOARD)])
TABLE = TablePage(wire.Board.of(BOARD), version=2, count=2, rows=ROWS, amendments=[], next=None)
STANDING = Standing(ROWS[1], 50.0)
STANDINGS = Standings(2, [STANDING], ["mallory"])
HISTOGRAM = Histogram("cards_left", 0, 2, [1, 1])
HISTORY = History([Change(2, BOB.score.at, listed=True, score=wire.Score.of(BOB.score))])
FOLLOWED = Followed([ROWS[1].player])
