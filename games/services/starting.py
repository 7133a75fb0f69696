"""Start games: ranked attempts at daily deals, practice, and restarts of a deal."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from games.deals.policy import PRACTICE, Policy
from games.deals.practice import random_deck
from games.deals.watermark import suits_of
from games.errors import (
    AlreadyAttempted,
    AlreadySeenByStaff,
    Conflict,
    NoOpenDaily,
    RestartNotAllowed,
    TooManyOpenGames,
    UnknownDaily,
)
from games.models import DailyDeal, Deal, Game, Player, new_id
from games.rules import RULE_SETS
from games.services.dailies import opened_dailies
from games.services.divisions import enter_division

MOST_TRIES = 10


def start_ranked(player: Player, rules: str, now: datetime) -> Game:
    """Return the ranked attempt that `get_or_start_ranked` gives."""
    return get_or_start_ranked(player, rules, now)[0]


def get_or_start_ranked(player: Player, rules: str, now: datetime) -> tuple[Game, bool]:
    """Return the player's unfinished attempt at today's deal, or else a new one, and True if it is new.

    Two devices that start at the same moment get the same game. Raises `UnknownRuleSet`, `NoOpenDaily`, or
    `AlreadyAttempted` naming the last attempt.
    """
    daily = _todays_deal(player, rules, now)
    for _ in range(MOST_TRIES):
        last = last_attempt(player, daily)
        if last is not None and not last.is_over:
            return last, False
        number = _number_after(last, daily)
        _require_unseen(player, daily)
        with suppress(IntegrityError), transaction.atomic():  # another device may be as fast
            return _new_game(player, daily.deal, daily.policy, now, daily=daily, attempt=number), True
    raise Conflict("your other devices keep starting and ending attempts at this deal; try again")


def start_practice(player: Player, rules: str, now: datetime) -> Game:
    """Start a practice game on a random deal. Raises `UnknownRuleSet` or `TooManyOpenGames`."""
    rule_set = RULE_SETS[rules]
    require_room_for_practice(player)
    deal = Deal.objects.create(rules=rule_set.slug, deck=random_deck(rule_set).text, created_at=now)
    return practise(player, deal, now)


def practise(player: Player, deal: Deal, now: datetime) -> Game:
    """Start a practice game on a deal. The caller has checked that the player may. Raises `TooManyOpenGames`."""
    require_room_for_practice(player)
    return _new_game(player, deal, PRACTICE, now)


def require_restartable(game: Game, now: datetime) -> None:
    """Raise `RestartNotAllowed`, `AlreadyAttempted`, or `NoOpenDaily` after the day, if a game cannot be restarted."""
    if not game.policy.restart:
        raise RestartNotAllowed("this game cannot be restarted")
    if game.daily is not None:
        if now >= game.daily.key.closes_at:
            raise NoOpenDaily("the day of this deal is over; no attempt at it can start")
        _number_after(last_attempt(game.player, game.daily), game.daily)


def start_again(game: Game, now: datetime) -> Game:
    """Return the one successor of a finished game: the same deal in the same suits, from the beginning.

    The successor of a ranked attempt is the next attempt. Repeating the call returns the same game. Raises what
    `require_restartable` raises, or `TooManyOpenGames`.
    """
    if (follower := followed_by(game)) is not None:
        return follower
    require_restartable(game, now)
    ranked: dict[str, Any] = {}
    if game.daily is not None:
        ranked = {"daily": game.daily, "attempt": _number_after(last_attempt(game.player, game.daily), game.daily)}
    else:
        require_room_for_practice(game.player)
    try:
        with transaction.atomic():
            return _new_game(game.player, game.deal, game.policy, now, restart_of=game, suits=game.suits, **ranked)
    except IntegrityError:  # two requests came at the same moment
        if (follower := followed_by(game)) is not None:
            return follower
        raise Conflict(
            "another of your devices started an attempt at this deal at the same moment; try again"
        ) from None


def followed_by(game: Game) -> Game | None:
    """Return the successor of a game, None if there is none."""
    return Game.objects.select_related("player", "deal", "daily").filter(restart_of=game).first()


def _todays_deal(player: Player, rules: str, now: datetime) -> DailyDeal:
    """Return today's deal of the player's division. Raises `UnknownRuleSet` or `NoOpenDaily`."""
    try:
        dailies = opened_dailies(now.date(), rules, now)
    except UnknownDaily as error:
        raise NoOpenDaily(f"no daily deal of {rules} is open today") from error
    division = enter_division(player, next(iter(dailies.values())))
    if division not in dailies:
        raise NoOpenDaily(f"no daily deal of {rules} is open today in the division {division}")
    return dailies[division]


def last_attempt(player: Player, daily: DailyDeal) -> Game | None:
    """Return the player's newest ranked attempt at a daily deal."""
    return player.games.filter(daily=daily).order_by("attempt").last()


def _number_after(last: Game | None, daily: DailyDeal) -> int:
    """Return the number of the next attempt. Raises `AlreadyAttempted`."""
    if last is None:
        return 1
    most = daily.policy.attempts
    if last.attempt >= most:
        had = "your ranked attempt" if most == 1 else f"your {most} ranked attempts"
        raise AlreadyAttempted(f"you have had {had} at this deal: game {last.id}", last.id)
    return last.attempt + 1


def _require_unseen(player: Player, daily: DailyDeal) -> None:
    """Raise `AlreadySeenByStaff` if the player has looked at the deal's secrets."""
    if daily.seen_by.filter(player=player).exists():
        raise AlreadySeenByStaff("you have looked at the secrets of this deal, so you cannot play it")


def _new_game(player: Player, deal: Deal, policy: Policy, now: datetime, **fields: Any) -> Game:
    """Create a game under a policy. On a daily deal it gets its own permutation of suits, unless it restarts a game."""
    game = Game(id=new_id(), player=player, deal=deal, stored_policy=policy.data, created_at=now, **fields)
    is_daily = game.daily is not None or DailyDeal.objects.filter(deal=deal).exists()
    if game.restart_of is None and is_daily:
        game.suits = suits_of(_watermark_key(), game.id).text
    game.save(force_insert=True)
    return game


def _watermark_key() -> bytes:
    return salted_hmac("games.watermark", "suits", algorithm="sha256").digest()


def require_room_for_practice(player: Player) -> None:
    """Raise `TooManyOpenGames` if the player has too many unfinished practice games."""
    limit = settings.PYRAMID_OPEN_PRACTICE_GAMES
    if player.games.filter(status=Game.Status.PLAYING, daily=None).count() >= limit:
        raise TooManyOpenGames(f"you have {limit} unfinished practice games; finish or resign one first")
