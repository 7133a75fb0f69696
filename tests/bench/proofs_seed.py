"""A day with many verified results, sealed, and proofs asked for on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from time import process_time

from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player
from leaderboards.audit.sealing import seal
from leaderboards.boards.models import Board, Entry, EntryState
from tests.bench.table import Row

RESULTS, PROOFS, BATCH = 10_000, 200, 1000


def measured() -> Iterator[Row]:
    call_command("migrate", verbosity=0)
    noon = timezone.now() - timedelta(days=10)
    ensure_dailies(noon)
    daily = DailyDeal.objects.get(day=noon.date(), rules="standard", division="open")
    games = _results(daily)
    begun = process_time()
    assert seal(daily.day, timezone.now())
    yield Row(f"proofs: sealing a day of {RESULTS:,} results, CPU", process_time() - begun, "s")
    client = Client(SERVER_NAME="localhost")
    _read_proof(client, games[1], 0)
    begun = process_time()
    for number, game in enumerate(games[:: RESULTS // PROOFS], 1):
        _read_proof(client, game, number)
    each = (process_time() - begun) / PROOFS
    yield Row(f"proofs: a proof on a day of {RESULTS:,} results, CPU", each * 1e3, "ms")


def _read_proof(client: Client, game: str, number: int) -> None:
    """Ask from another address each time, so that no limit is reached."""
    answer = client.get(f"/tlog/proof/games/{game}", REMOTE_ADDR=f"10.0.{number}.1")
    assert answer.status_code == 200, answer.content


def _results(daily: DailyDeal) -> list[str]:
    """Store a verified result for each of many players, and return their games."""
    at, board = daily.key.opens_at, Board.objects.create(slug=f"daily.{daily.day}.standard.open.fastest")
    named = (Player(username=f"player-{number}", display_name="Player") for number in range(RESULTS))
    players = Player.objects.bulk_create(named, batch_size=BATCH)
    counts = {"draws": 0, "recycles": 0, "undos": 0, "hints": 0, "cards_left": 3, "moves": 20, "elapsed_ms": 60_000}
    when = {"created_at": at, "started_at": at, "finished_at": at + timedelta(minutes=1)}
    played = (
        Game(player=player, deal_id=daily.deal.pk, daily=daily, status="stuck", **counts, **when) for player in players
    )
    games = Game.objects.bulk_create(played, batch_size=BATCH)
    Entry.objects.bulk_create(
        (
            Entry(
                board=board,
                player=game.player,
                game=game,
                key=number,
                entered_at_version=number,
                valid_from=number,
                changed_at=at,
                state=EntryState.VERIFIED,
            )
            for number, game in enumerate(games, 1)
        ),
        batch_size=BATCH,
    )
    return [game.pk for game in games]
