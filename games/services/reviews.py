"""Reviews of finished games: requested by a reader, computed once by a worker, then stored."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING

from django.db.models import F, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from games import solver
from games.errors import ReviewNotYet
from games.models import Game, GameReview, Player
from games.review import Review, in_suits, review
from games.rules import OWN_SUITS, Deck, Suits
from games.services.sessions import readable_game
from games.services.visibility import is_game_public

if TYPE_CHECKING:
    from games.solver import KnownPositions

REVIEWS_AT_ONCE = 4
MOST_KNOWN = 10_000  # positions, of some hundred games
SAVED_PROGRESS = 20  # how often, at most, while one review is computed

logger = logging.getLogger(__name__)


def request_review(game_id: str, reader: Player | None, now: datetime) -> GameReview:
    """Return the review of a game that the reader may see in full; the first request queues its computation.

    Raises `UnknownGame`, `NotYours`, or `ReviewNotYet` while the deal can be played by anyone.
    """
    game = readable_game(game_id, reader, now)
    if not game.is_over:
        raise ReviewNotYet(f"game {game.id} is still being played")
    if not is_game_public(game, now):
        raise ReviewNotYet(f"the deal of game {game.id} can still be played")
    requested, _ = GameReview.objects.get_or_create(game=game, defaults={"created_at": now, "asked_by": reader})
    return requested


def compute_reviews(now: datetime) -> int:
    """Compute some reviews that wait, and return how many.

    Players take turns: however many one of them asks for, the next of another comes before the second of the first.
    """
    computed = 0
    while computed < REVIEWS_AT_ONCE and (requested := _next(now)) is not None:
        if requested.claim(now):
            compute_review(requested, now)
            computed += 1
    return computed


def compute_review(requested: GameReview, now: datetime) -> None:
    """Compute a review and store it. One that cannot be computed is logged and marked as failed.

    Idempotent, and safe to run twice at once.
    """
    began, state, result = monotonic(), GameReview.State.DONE, None
    try:
        result = asdict(_review(requested.game, _saving_progress(requested)))
    except Exception:
        logger.exception("the review of game %s failed", requested.game_id)
        state = GameReview.State.FAILED
    finished_at = now + timedelta(seconds=monotonic() - began)
    _unfinished(requested).update(state=state, result=result, finished_at=finished_at)
    requested.refresh_from_db()


def _review(game: Game, progress: Callable[[int, int], None]) -> Review:
    """Review a game in the suits of its deal, so that all games on a deal share the positions that were solved."""
    own, suits = game.record(), Suits(game.suits) if game.suits else OWN_SUITS
    back = suits.inverse
    actions = tuple(timed._replace(action=back.of_action(timed.action)) for timed in own.actions)
    in_deal = replace(own, deck=Deck.from_text(game.deal.deck), actions=actions)
    return in_suits(review(in_deal.replay(), progress, _known()), suits)


@cache
def _known() -> KnownPositions:
    return solver.KnownPositions(MOST_KNOWN)


def _next(now: datetime) -> GameReview | None:
    """Return the first review of the player whose turn it is: who was never served, or not for the longest time.

    A player whose review another worker is computing is not served a second one.
    """
    pending = GameReview.objects.filter(state=GameReview.State.PENDING)
    served = pending.exclude(pk__in=GameReview.unclaimed(now)).exclude(asked_by=None).values("asked_by")
    waiting = (
        GameReview.unclaimed(now)
        .exclude(asked_by__in=served)
        .annotate(
            turn=Window(RowNumber(), partition_by=F("asked_by"), order_by=[F("created_at"), F("pk")]),
            last_served=Subquery(
                GameReview.objects.filter(asked_by=OuterRef("asked_by"), claimed_at__isnull=False)
                .order_by("-claimed_at")
                .values("claimed_at")[:1]
            ),
        )
    )
    return waiting.order_by("turn", F("last_served").asc(nulls_first=True), "created_at", "pk").first()


def _saving_progress(requested: GameReview) -> Callable[[int, int], None]:
    def save(done: int, total: int) -> None:
        if done % max(1, total // SAVED_PROGRESS) == 0 or done == total:
            _unfinished(requested).update(done=done, total=total)

    return save


def _unfinished(requested: GameReview) -> QuerySet[GameReview]:
    return GameReview.objects.filter(pk=requested.pk).exclude(state=GameReview.State.DONE)
