"""Write a simulated corpus as files for `make judge` (sizes as in bench).

python -m tests.bench.integrity.export FOLDER
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random

from games.rules import Deck, Record
from leaderboards.detectors.games import RankedGame
from tests.bench.integrity.corpus import CHEATING_ROLES, DAY_MS, HONEST_ROLES, Table
from tests.integrity.store import RULES, StoredDeal

FIRST_DAY = date(2026, 3, 1)


def export(folder: Path, deals: list[StoredDeal], accounts: int, games: int, seed: str) -> None:
    """Write so many accounts of each role, with so many games each."""
    folder.mkdir(parents=True, exist_ok=True)
    table = Table(deals)
    names = [(role, f"{role.name} {number}") for role in HONEST_ROLES + CHEATING_ROLES for number in range(accounts)]
    played = (game for role, name in names for game, _ in table.games(role, name, games, Random(f"{seed}/{name}")))
    day_of = {deal.deck: number for number, deal in enumerate(deals)}
    _write(folder / "games.jsonl", (_row(game, day_of[game.deal]) for game in played))
    _write(
        folder / "accounts.jsonl",
        ({"account": name, "created": "2026-02-01T00:00:00Z", "device": name, "address": name} for _, name in names),
    )
    _write(
        folder / "deals.jsonl",
        ({"day": str(_day(n)), "deck": deal.deck, "par": deal.par} for n, deal in enumerate(deals)),
    )


def _row(game: RankedGame, day: int) -> dict[str, object]:
    """Return the row of a game, moved to the day of its deal."""
    started = datetime.combine(_day(day), time(), UTC) + timedelta(milliseconds=game.started_ms % DAY_MS)
    text = f"{started:%Y-%m-%dT%H:%M:%S}Z"
    result = game.play.result
    record = Record(game.id, RULES, Deck.from_text(game.deal), game.account, text, tuple(game.play.actions), result)
    return {
        "game": game.id,
        "account": game.account,
        "day": str(_day(day)),
        "started": text,
        "record": record.text,
        "client_ms": game.client_ms,
    }


def _day(number: int) -> date:
    return FIRST_DAY + timedelta(days=number)


def _write(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    path.write_text("".join(_lines(rows)))


def _lines(rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row) + "\n"


if __name__ == "__main__":
    from tests.bench.integrity.bench import Size
    from tests.integrity import store

    size = Size()
    stored = store.deals(size.seed, size.deals, size.plays, size.jobs)
    export(Path(sys.argv[1]), stored, max(1, size.accounts // 100), size.games, size.seed)
