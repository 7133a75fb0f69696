"""Examples of duels for the documents of the API."""

from datetime import UTC, datetime

from leaderboards.clubs.duel_wire import Duel, Duels, DuelSum
from leaderboards.clubs.wire import RankedClub

DUEL = Duel(
    id="5h2v8r1c6x0d",
    board="weekly.2026-W48.standard.open.points",
    week="2026-W48",
    challenger=RankedClub("2x9k4m7vq1ht", "Oxbow Club", "sc-blue"),
    opponent=RankedClub("7c3n9w2k5z8b", "Red Kites", "hd-red"),
    state="accepted",
    challenger_sum=DuelSum(7215, wins=5, moves=236),
    opponent_sum=DuelSum(6940, wins=5, moves=251),
    is_final=False,
    final_at=datetime(2026, 12, 1, tzinfo=UTC),
    winner="2x9k4m7vq1ht",
)
DUELS = Duels([DUEL])
