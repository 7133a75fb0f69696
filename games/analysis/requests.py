"""Analyses of finished games: requested by a reader, computed once by a worker, then stored."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

from django.db.models import F, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from games import solver
from games.analysis.analysing import Analysis, analyse, in_suits
from games.analysis.models import GameAnalysis
from games.analysis.refusals import AnalysisNotYet
from games.play.models import Game
from games.play.sessions import readable_game
from games.play.visibility import is_game_public
from games.players.models import Player

if TYPE_CHECKING:
    from games.solver import KnownPositions

ANALYSES_AT_ONCE = 4
MOST_KNOWN = 10_000  # positions, of some hundred games
SAVED_PROGRESS = 20  # how often, at most, while one analysis is computed

logger = logging.getLogger(__name__)


def request_analysis(game_id: str, reader: Player | None, now: datetime) -> GameAnalysis:
    """Return the analysis of a game that the reader may see in full; the first request queues its computation.

    Raises `UnknownGame`, `NotYours`, or `AnalysisNotYet` while the deal can be played by anyone.
    """
    game = readable_game(game_id, reader, now)
    if not game.is_over:
        raise AnalysisNotYet(f"game {game.id} is still being played")
    if not is_game_public(game, now):
        raise AnalysisNotYet(f"the deal of game {game.id} can still be played")
    requested, _ = GameAnalysis.objects.get_or_create(game=game, defaults={"created_at": now, "asked_by": reader})
    return requested


def compute_analyses(now: datetime) -> int:
    """Compute some analyses that wait, and return how many.

    Players take turns: however many one of them asks for, the next of another comes before the second of the first.
    """
    computed = 0
    while computed < ANALYSES_AT_ONCE and (requested := _next(now)) is not None:
        if requested.claim(now):
            compute_analysis(requested, now)
            computed += 1
    return computed


def compute_analysis(requested: GameAnalysis, now: datetime) -> None:
    """Compute an analysis and store it. One that cannot be computed is logged and marked as failed.

    Idempotent, and safe to run twice at once.
    """
    began, state, result = monotonic(), GameAnalysis.State.DONE, None
    try:
        result = asdict(_analyse(requested.game, _saving_progress(requested)))
    except Exception:
        logger.exception("the analysis of game %s failed", requested.game_id)
        state = GameAnalysis.State.FAILED
    finished_at = now + timedelta(seconds=monotonic() - began)
    _unfinished(requested).update(state=state, result=result, finished_at=finished_at)
    requested.refresh_from_db()


def _analyse(game: Game, progress: Callable[[int, int], None]) -> Analysis:
    """Analyse a game in the suits of its deal, so that all games on a deal share the positions that were solved."""
    record = game.record()
    return in_suits(analyse(record.as_dealt().replay(), progress, _known()), record.suits)


@cache
def _known() -> KnownPositions:
    return solver.KnownPositions(MOST_KNOWN)


def _next(now: datetime) -> GameAnalysis | None:
    """Return the first analysis of the player whose turn it is: who was never served, or not for the longest time.

    A player whose analysis another worker is computing is not served a second one.
    """
    pending = GameAnalysis.objects.filter(state=GameAnalysis.State.PENDING)
    served = pending.exclude(pk__in=GameAnalysis.unclaimed(now)).exclude(asked_by=None).values("asked_by")
    waiting = (
        GameAnalysis.unclaimed(now)
        .exclude(asked_by__in=served)
        .annotate(
            turn=Window(RowNumber(), partition_by=F("asked_by"), order_by=[F("created_at"), F("pk")]),
            last_served=Subquery(
                GameAnalysis.objects.filter(asked_by=OuterRef("asked_by"), claimed_at__isnull=False)
                .order_by("-claimed_at")
                .values("claimed_at")[:1]
            ),
        )
    )
    return waiting.order_by("turn", F("last_served").asc(nulls_first=True), "created_at", "pk").first()


def _saving_progress(requested: GameAnalysis) -> Callable[[int, int], None]:
    def save(done: int, total: int) -> None:
        if done % max(1, total // SAVED_PROGRESS) == 0 or done == total:
            _unfinished(requested).update(done=done, total=total)

    return save


def _unfinished(requested: GameAnalysis) -> QuerySet[GameAnalysis]:
    return GameAnalysis.objects.filter(pk=requested.pk).exclude(state=GameAnalysis.State.DONE)
