"""Decide who may see what, and when it becomes public. REST, sockets, pages and admin all ask here."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol

from games.calendar.dailies import daily_of
from games.calendar.models import DailyDeal, Deal
from games.deals.policy import Policy
from games.play.models import Game
from games.play.refusals import DealNotYet, NotYours
from games.play.retests import may_follow
from games.play.starting import last_attempt
from games.players.models import Player
from games.rules import Record
from games.rules.record import SUITS_TAG


def is_public(deal: Deal, at: datetime) -> bool:
    """Return True if nobody can still play a deal for a score, so that nothing about it is secret.

    One that is kept in stock waits for its race: who knew it could open the race.
    """
    if is_raced(deal) or deal.kept_for:
        return False
    daily = daily_of(deal)
    return daily.key.is_public(at) if daily else not deal.games.filter(status=Game.Status.PLAYING).exists()


def is_shared(deal: Deal, at: datetime) -> bool:
    """Return True if anyone may practise on a deal: its day or race is over, or a practice game on it has ended."""
    if is_raced(deal) or deal.is_of_retest:
        return False
    daily = daily_of(deal)
    return daily.key.is_public(at) if daily else deal.games.exclude(status=Game.Status.PLAYING).exists()


def is_game_public(game: Game, at: datetime) -> bool:
    """Return True if nothing about a game is secret any longer.

    The day or the race of its deal, if any, must be over; and the player of a practice game must not be playing that
    deal again. A game of a retest stays between its player and those who supervise it.
    """
    daily = daily_of(game.deal)
    if is_raced(game.deal) or game.deal.is_of_retest or (daily is not None and not daily.key.is_public(at)):
        return False
    practising = Game.objects.filter(deal=game.deal_id, player=game.player_id, daily=None)
    return game.is_ranked or not practising.filter(status=Game.Status.PLAYING).exists()


def policy_now(game: Game, now: datetime) -> Policy:
    """Return a game's policy as of now: without hints until its day is over, or a scout could ask for the solution."""
    daily = daily_of(game.deal)
    return game.policy if daily is None or daily.key.is_public(now) else game.policy.without_hints


class Race(Protocol):
    """The part of a race that matters here; a deal may be made for one."""

    pk: Any
    is_over: bool
    ends_at: datetime | None


def race_of(deal: Deal) -> Race | None:
    """Return the race that a deal was made for, None if for none."""
    race: Race | None = getattr(deal, "race", None)
    return race


def is_raced(deal: Deal) -> bool:
    """Return True until the race that a deal was made for is over: until then it is secret to all but its racers."""
    race = race_of(deal)
    return race is not None and not race.is_over


def require_readable(game: Game, reader: Player | None, now: datetime) -> None:
    """Raise `NotYours` if a game is not public yet and belongs to someone else."""
    is_own = reader is not None and reader.pk == game.player_id
    if not is_own and not is_game_public(game, now) and not may_follow(game, reader):
        raise NotYours(f"game {game.id} belongs to another player, and its deal can still be played")


def may_inspect(game: Game, staff: Player, now: datetime) -> bool:
    """Return True if a staff member may see a game's log, board and record: its deal is not secret, or not to them.

    A practice game on a deal that nobody else can play is not secret either; one of a retest is for who supervises it.
    """
    if is_raced(game.deal):
        return False
    if game.deal.is_of_retest:
        return may_follow(game, staff)
    daily = daily_of(game.deal)
    return daily is None or daily.key.is_public(now) or daily.seen_by.filter(player=staff).exists()


def require_watchable(game: Game, watcher: Player, now: datetime) -> None:
    """Raise `NotYours` for a reader who may not practise on the game's deal and so may not watch it."""
    if is_raced(game.deal):
        raise NotYours(f"game {game.id} cannot be watched before its race is over")
    if game.deal.is_of_retest and not may_follow(game, watcher):
        raise NotYours(f"game {game.id} can be watched by nobody but the reviewers of its case")
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
    """Raise `DealNotYet` unless a deal is shared, or its policy opens it to a player who has used all attempts."""
    if is_shared(deal, now):
        return
    daily = daily_of(deal)
    if player is None or daily is None:
        raise DealNotYet(f"deal {deal.id} is not shared yet")
    if not daily.policy.practice_after:
        raise DealNotYet("this deal is closed to practice until its day is over")
    require_attempts_over(player, daily, now)


def may_practise(deal: Deal, player: Player | None, now: datetime) -> bool:
    """Return True if a player (None if unknown) may practise on a deal."""
    try:
        require_open_to(player, deal, now)
    except DealNotYet:
        return False
    return True


def require_attempts_over(player: Player, daily: DailyDeal, now: datetime) -> None:
    """Raise `DealNotYet`, until the day is over, for a player with no, an unfinished or another ranked attempt left."""
    if daily.key.is_public(now):
        return
    last = last_attempt(player, daily)
    if last is None:
        raise DealNotYet("the day of this deal is not over, and you have not made a ranked attempt at it")
    if not last.is_over:
        raise DealNotYet(f"your ranked attempt at this deal is still being played: game {last.id}")
    if last.attempt < daily.policy.attempts and now < daily.key.closes_at:
        raise DealNotYet("you have another ranked attempt left at this deal")


def record_for(game: Game, reader: Player | None, now: datetime) -> Record:
    """Return a game's record as the reader may know it; until it is public, without its suits and unseen cards.

    Raises `NotYours` for a game of someone else that is not public yet.
    """
    require_readable(game, reader, now)
    record = game.record()
    if is_game_public(game, now):
        return record
    record = record.without_tag(SUITS_TAG)
    if game.started_at is None:  # no card has been shown, and the clock has not started
        return replace(record, deck=record.deck.seen_by(frozenset()))
    return record.seen_by_its_player()
