"""Who may see what, and when it becomes public. Every door asks here."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from games.deals.policy import Policy
from games.errors import DealNotYet, NotYours
from games.models import DailyDeal, Deal, Game, Player
from games.rules import Record
from games.rules.record import SUITS_TAG
from games.services.starting import last_attempt


def is_public(deal: Deal, at: datetime) -> bool:
    """Return True if nobody can play a deal any more, so that nothing about it is secret."""
    daily = daily_of(deal)
    return daily.key.is_public(at) if daily else not deal.games.filter(status=Game.Status.PLAYING).exists()


def is_shared(deal: Deal, at: datetime) -> bool:
    """Return True if anyone may practise on a deal: its day is over, or some practice game on it has ended."""
    daily = daily_of(deal)
    return daily.key.is_public(at) if daily else deal.games.exclude(status=Game.Status.PLAYING).exists()


def is_game_public(game: Game, at: datetime) -> bool:
    """Return True if nothing about a game is secret any more.

    Its day has to be over, if its deal has one; and of a practice game, its player must not be playing the deal.
    """
    daily = daily_of(game.deal)
    if daily is not None and not daily.key.is_public(at):
        return False
    practising = Game.objects.filter(deal=game.deal_id, player=game.player_id, daily=None)
    return game.is_ranked or not practising.filter(status=Game.Status.PLAYING).exists()


def policy_now(game: Game, now: datetime) -> Policy:
    """Return what a game allows now: no hint on a deal whose day is not over, or a scout could ask for its line."""
    daily = game.daily if game.daily_id else daily_of(game.deal)
    return game.policy if daily is None or daily.key.is_public(now) else game.policy.without_hints


def daily_of(deal: Deal) -> DailyDeal | None:
    """Return the daily deal that a deal is, None for one that is for practice alone."""
    daily: DailyDeal | None = getattr(deal, "daily", None)
    return daily


def require_readable(game: Game, reader: Player | None, now: datetime) -> None:
    """Let only its player look at a game before it is public. Raises `NotYours`."""
    is_own = reader is not None and reader.pk == game.player_id
    if not is_own and not is_game_public(game, now):
        raise NotYours(f"game {game.id} is another player's, and its deal can still be played")


def may_inspect(game: Game, staff: Player, now: datetime) -> bool:
    """Return True if one of the staff may see a game's log, board and record: its deal is no secret, or none to them.

    A practice game on a deal that nobody else can play is no secret either.
    """
    daily = daily_of(game.deal)
    return daily is None or daily.key.is_public(now) or daily.seen_by.filter(player=staff).exists()


def require_watchable(game: Game, watcher: Player, now: datetime) -> None:
    """Let nobody watch a game who may not practise on its daily deal. Raises `NotYours`."""
    daily = daily_of(game.deal)
    if daily is None:
        return
    if not (daily.key.is_public(now) or daily.policy.watch_after):
        raise NotYours(f"game {game.id} cannot be watched before its day is over")
    try:
        require_attempts_over(watcher, daily, now)
    except DealNotYet as error:
        raise NotYours(f"game {game.id} cannot be watched: {error}") from error


def require_open_to(player: Player | None, deal: Deal, now: datetime) -> None:
    """Let a player practise on deals that are shared, or on which all their ranked attempts have ended.

    Raises `DealNotYet`.
    """
    if is_shared(deal, now):
        return
    daily = daily_of(deal)
    if player is None or daily is None:
        raise DealNotYet(f"deal {deal.id} is not shared yet")
    if not daily.policy.practice_after:
        raise DealNotYet("this deal is kept from practice until its day is over")
    require_attempts_over(player, daily, now)


def may_practise(deal: Deal, player: Player | None, now: datetime) -> bool:
    """Return True if a player, or None for someone unknown, may practise on a deal."""
    try:
        require_open_to(player, deal, now)
    except DealNotYet:
        return False
    return True


def require_attempts_over(player: Player, daily: DailyDeal, now: datetime) -> None:
    """Let nobody practise on a daily deal, or watch it, who could still play it for a score, until its day is over.

    Raises `DealNotYet`.
    """
    if daily.key.is_public(now):
        return
    last = last_attempt(player, daily)
    if last is None:
        raise DealNotYet("the day of this deal is not over, and you have no ranked attempt at it")
    if not last.is_over:
        raise DealNotYet(f"your ranked attempt at this deal is still being played: game {last.id}")
    if last.attempt < daily.policy.attempts and now < daily.key.closes_at:
        raise DealNotYet("you have another ranked attempt at this deal")


def record_for(game: Game, reader: Player | None, now: datetime) -> Record:
    """Return a game's record as the reader may know it: until it is public, without its suits and unseen cards.

    Raises `NotYours` for a game of someone else that is not public yet.
    """
    require_readable(game, reader, now)
    record = game.record()
    if is_game_public(game, now):
        return record
    record = record.without_tag(SUITS_TAG)
    if game.started_at is None:  # no card has been shown, and the clock stands still
        return replace(record, deck=record.deck.seen_by(frozenset()))
    return record.seen_by_its_player()
