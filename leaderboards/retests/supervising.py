"""Answers for the games of retests: who may follow one, and when its sitting ends; and the ends of retests."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.urls import reverse

from games.play.models import Game
from games.play.sessions import expire
from games.players.models import Player
from leaderboards.moderation.cases import visible_cases
from leaderboards.retests.models import Retest, RetestDeal
from leaderboards.retests.steps import Step, locked, log_step


def may_follow(game: Game, reader: Player) -> bool:
    """Return True for a reviewer who may see the case of a game's retest, so for nobody linked to its player."""
    return RetestDeal.objects.filter(game=game, retest__case__in=visible_cases(reader)).exists()


def ends_at(game: Game) -> datetime | None:
    """Return when the sitting of a game of a retest ends."""
    deal = RetestDeal.objects.select_related("retest").filter(game=game).first()
    return deal.retest.ends_at if deal else None


def address(game: Game, is_own: bool) -> str:
    """Return the path of the page about a game's retest, for its player or for a reviewer."""
    if is_own:
        return reverse("own-retests")
    deal = RetestDeal.objects.select_related("retest").filter(game=game).first()
    return f"{reverse('admin:review-case', args=[deal.retest.case_id])}#retests" if deal else ""


def end_due(now: datetime) -> int:
    """End the retests whose deals are all played or whose time is up, and return how many were open."""
    opened = list(Retest.objects.filter(ended_at=None).prefetch_related("deals__game"))
    for retest in opened:
        if retest.begun_at is None:
            if retest.state(now) is Retest.State.ENDED:
                _end(retest.pk, Retest.End.EXPIRED, Step.EXPIRED, now)
        else:
            _end_sitting(retest, now)
    return len(opened)


def _end_sitting(retest: Retest, now: datetime) -> None:
    games = [deal.game for deal in retest.deals.all() if deal.game]
    playing = [game.pk for game in games if not game.is_over]
    if retest.state(now) is Retest.State.ENDED:
        expire(playing, now)
        is_done = retest.deals.count() == retest.size and not playing
        _end(retest.pk, Retest.End.DONE if is_done else Retest.End.TIME_UP, Step.ENDED, now)
    elif not playing and retest.deals.count() == retest.size:
        _end(retest.pk, Retest.End.DONE, Step.ENDED, now)


@transaction.atomic
def _end(pk: str, end: Retest.End, step: Step, now: datetime) -> None:
    retest = locked(pk)
    is_played = Q(game=None) | ~Q(game__status=Game.Status.PLAYING)
    if retest.ended_at is not None or retest.deals.exclude(is_played).exists():
        return  # another worker was first, or the last game has not ended after all; the next call ends the retest
    if end is Retest.End.EXPIRED and retest.begun_at is not None:
        return  # it has begun a moment ago
    retest.ended_at, retest.end = now, end
    retest.save(update_fields=["ended_at", "end"])
    facts = {"deals": retest.deals.count(), "of": retest.size} if step is Step.ENDED else {}
    log_step(retest, step, facts, now)
