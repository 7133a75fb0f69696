"""A player's steps in a retest: answer the offer, then play its deals one after the other."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from games.notifications.notifications import notify
from games.play.models import Game
from games.play.starting import retest_game
from games.players.models import Player
from leaderboards.retests.dealing import next_deal
from leaderboards.retests.models import Retest, RetestDeal
from leaderboards.retests.notifications import BEGUN
from leaderboards.retests.refusals import RetestNotOpen, UnknownRetest
from leaderboards.retests.steps import Step, locked, log_step

State = Retest.State


def retests_of(player: Player) -> list[Retest]:
    """Return the retests of a player with their deals, the newest first."""
    return list(Retest.objects.filter(player=player).prefetch_related("deals__game"))


def retest_of(pk: str, player: Player) -> Retest:
    """Return a retest of a player. Raises `UnknownRetest`."""
    found = Retest.objects.filter(pk=pk, player=player).prefetch_related("deals__game").first()
    if found is None:
        raise UnknownRetest(f"there is no retest {pk!r} of yours")
    return found


def accept(pk: str, player: Player, now: datetime) -> Retest:
    """Accept an offer; accepting twice changes nothing. Raises `UnknownRetest` or `RetestNotOpen`."""

    def accepted(retest: Retest) -> None:
        if retest.state(now) is State.ACCEPTED:
            return
        _require(retest, State.OFFERED, now)
        retest.accepted_at = now
        retest.save(update_fields=["accepted_at"])
        log_step(retest, Step.ACCEPTED, {}, now)

    return _stepped(pk, player, accepted)


def decline(pk: str, player: Player, now: datetime) -> Retest:
    """Decline an offer, also after accepting it, until it has begun. Raises `UnknownRetest` or `RetestNotOpen`."""

    def declined(retest: Retest) -> None:
        if retest.end == Retest.End.DECLINED:
            return
        _require(retest, (State.OFFERED, State.ACCEPTED), now)
        retest.ended_at, retest.end = now, Retest.End.DECLINED
        retest.save(update_fields=["ended_at", "end"])
        log_step(retest, Step.DECLINED, {}, now)

    return _stepped(pk, player, declined)


def play_next(pk: str, player: Player, now: datetime) -> Game:
    """Return the game that is being played, or start the next one; the first one begins the sitting.

    Sending it again, or from two devices at once, starts one game. A game that was given up has had its deal. Raises
    `UnknownRetest` or `RetestNotOpen`.
    """
    retest_of(pk, player)
    with transaction.atomic():
        retest = locked(pk)
        _require(retest, (State.ACCEPTED, State.RUNNING), now)
        last = retest.deals.select_related("game").last()
        if last and last.game and not last.game.is_over:
            return last.game
        if last and last.number == retest.size:
            raise RetestNotOpen("all deals of the retest are played")
        if retest.begun_at is None:
            retest.begun_at = now
            retest.save(update_fields=["begun_at"])
            log_step(retest, Step.BEGUN, {}, now)
            facts = {"case": retest.case_id, "minutes": retest.minutes}
            notify(BEGUN, {retest.offered_by_id: facts}, retest.pk, now)
        deal, origin = next_deal(retest, now)
        game = retest_game(player, deal, now)
        RetestDeal.objects.create(retest=retest, number=last.number + 1 if last else 1, origin=origin, game=game)
        return game


def _stepped(pk: str, player: Player, step: Callable[[Retest], None]) -> Retest:
    retest_of(pk, player)
    with transaction.atomic():
        step(locked(pk))
    return retest_of(pk, player)


def _require(retest: Retest, states: State | tuple[State, ...], now: datetime) -> None:
    """Raise `RetestNotOpen` unless a retest is in one of some states."""
    state = retest.state(now)
    if state not in (states if isinstance(states, tuple) else (states,)):
        raise RetestNotOpen(f"the retest is {state.value}")
