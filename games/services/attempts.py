"""Starting, opening, restarting, ending and reading games."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from games import journal
from games.deals.daily import GRACE
from games.deals.policy import PRACTICE, Policy
from games.deals.practice import random_deck
from games.deals.watermark import suits_of
from games.errors import (
    AlreadyAttempted,
    Conflict,
    DealNotYet,
    NoOpenDaily,
    NotYours,
    RestartNotAllowed,
    TooManyOpenGames,
    UnknownDaily,
    UnknownGame,
)
from games.models import DailyDeal, Deal, Game, Player, new_id
from games.rules import RULE_SETS, GameOver, Record
from games.rules.record import SUITS_TAG
from games.services.dailies import opened_dailies
from games.services.divisions import enter_division
from games.services.uptime import pauses_of
from games.session import Session

MOST_TRIES = 10


def start_ranked(player: Player, rules: str, now: datetime) -> Game:
    """Return the ranked attempt that `get_or_start_ranked` gives."""
    return get_or_start_ranked(player, rules, now)[0]


def get_or_start_ranked(player: Player, rules: str, now: datetime) -> tuple[Game, bool]:
    """Return the player's attempt at today's deal that is being played, or else a new one, and whether it is new.

    Two devices that start at the same moment get the same game. Raises `UnknownRuleSet`, `NoOpenDaily`, or
    `AlreadyAttempted` naming the last attempt.
    """
    daily = _todays_deal(player, rules, now)
    for _ in range(MOST_TRIES):
        last = last_attempt(player, daily)
        if last is not None and not last.is_over:
            return last, False
        number = _number_after(last, daily)
        with suppress(IntegrityError), transaction.atomic():  # another device may be as fast
            return _new_game(player, daily.deal, daily.terms, now, daily=daily, attempt=number), True
    raise Conflict("other devices start and end attempts at this deal all the time")


def start_practice(player: Player, rules: str, now: datetime) -> Game:
    """Start a practice game on a random deal. Raises `UnknownRuleSet` or `TooManyOpenGames`."""
    rule_set = RULE_SETS[rules]
    require_room_for_practice(player)
    deal = Deal.objects.create(rules=rule_set.slug, deck=random_deck(rule_set).text, created_at=now)
    return practise(player, deal, now)


def practise(player: Player, deal: Deal, now: datetime) -> Game:
    """Start a practice game on a deal. Raises `TooManyOpenGames`; whether the player may is for the caller to know."""
    require_room_for_practice(player)
    return _new_game(player, deal, PRACTICE, now)


def restart(game: Game, now: datetime) -> Game:
    """Start the deal of a game anew, a ranked attempt as the next one; a game still being played is resigned first.

    Raises `RestartNotAllowed`, `AlreadyAttempted`, `NoOpenDaily` after the day, or `TooManyOpenGames`.
    """
    if not game.terms.restart:
        raise RestartNotAllowed("this game cannot be restarted")
    if game.daily is not None:
        _require_next_attempt(game, game.daily, now)
    session = _load(game, now)
    if session.play.result is None:
        journal.commit(session.resign(session.play.version, now))
    if game.daily is not None:
        return start_ranked(game.player, game.daily.rules, now)
    return practise(game.player, game.deal, now)


def find_game(game_id: str) -> Game:
    """Return a game with its player and deal. Raises `UnknownGame`."""
    game = Game.objects.select_related("player", "deal", "daily").filter(pk=game_id).first()
    if game is None:
        raise UnknownGame(f"there is no game {game_id!r}")
    return game


def own_game(game_id: str, player: Player) -> Game:
    """Return a game of the player. Raises `UnknownGame` or `NotYours`."""
    game = find_game(game_id)
    if game.player_id != player.pk:
        raise NotYours(f"game {game_id} is another player's")
    return game


def readable_game(game_id: str, reader: Player | None, now: datetime) -> Game:
    """Return a game that the reader may look at: an own one, or anyone's once it is told in full.

    Raises `UnknownGame` or `NotYours`.
    """
    game = find_game(game_id)
    _require_readable(game, reader, now)
    return game


def require_attempts_over(player: Player, daily: DailyDeal, now: datetime) -> None:
    """Let nobody practise on a daily deal, or watch it, who could still play it for a score, until its day is over.

    Raises `DealNotYet`.
    """
    if now >= daily.key.finish_by:
        return
    last = last_attempt(player, daily)
    if last is None:
        raise DealNotYet("the day of this deal is not over, and you have no ranked attempt at it")
    if not last.terms.practice_after:
        raise DealNotYet("this deal is kept from practice until it closes")
    if not last.is_over:
        raise DealNotYet(f"your ranked attempt at this deal is still being played: game {last.id}")
    if last.attempt < daily.terms.attempts and now < daily.key.closes_at:
        raise DealNotYet("you have another ranked attempt at this deal")


def require_watchable(game: Game, watcher: Player, now: datetime) -> None:
    """Let nobody watch a game who may not practise on its daily deal. Raises `NotYours`."""
    daily = DailyDeal.objects.filter(deal=game.deal_id).first()
    if daily is None:
        return
    try:
        require_attempts_over(watcher, daily, now)
    except DealNotYet as error:
        raise NotYours(f"game {game.id} cannot be watched: {error}") from error


def session_to_watch(game: Game, now: datetime) -> Session:
    """Return a game to be looked at only. Raises `UnknownGame` before its player has seen it."""
    if game.started_at is None:
        raise UnknownGame(f"game {game.id} has not begun")
    return _load(game, now)


def games_of(player: Player, before: str | None, most: int) -> list[Game]:
    """Return the player's newest games, or the next ones older than the game `before`.

    Raises `UnknownGame` or `NotYours` for `before`.
    """
    games = player.games.select_related("player", "deal", "daily").order_by("-created_at", "-id")
    if before is not None:
        last = own_game(before, player)
        games = games.filter(Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, id__lt=last.id))
    return list(games[:most])


def open_practice_games(player: Player) -> list[Game]:
    """Return the practice games that a player has not finished, the newest first."""
    games = player.games.filter(status=Game.Status.PLAYING, daily=None).select_related("deal")
    return list(games.order_by("-created_at"))


def visible_games(player: Player, reader: Player | None, now: datetime, most: int) -> list[Game]:
    """Return a player's newest finished games that a reader may see; the player sees unfinished ones too."""
    is_own = reader is not None and reader.pk == player.pk
    games = player.games.select_related("player", "deal", "daily").order_by("-created_at", "-id")
    if is_own:
        return list(games[:most])
    return [game for game in games.exclude(status=Game.Status.PLAYING)[: 2 * most] if game.is_told(now)][:most]


def open_session(game: Game, now: datetime) -> Session:
    """Return a game ready to be shown and played. The first time, its clock starts; overdue, it expires."""
    if game.started_at is None:
        Game.objects.filter(pk=game.pk, started_at=None, status=Game.Status.PLAYING).update(started_at=now)
        game.refresh_from_db(fields=["started_at"])
    session = _load(game, now)
    if session.is_overdue(now):
        _expire(session, now)
        return _load(find_game(game.id), now)
    return session


def expire_overdue(now: datetime) -> int:
    """End the ranked attempts whose time has run out, as they stand, and return how many there were."""
    last_day_over = (now - GRACE).date()
    overdue = Game.objects.filter(status=Game.Status.PLAYING, daily__day__lt=last_day_over)
    games = list(overdue.select_related("player", "deal", "daily"))
    for game in games:
        _expire(_load(game, now), now)
    return len(games)


def record_for(game: Game, reader: Player | None, now: datetime) -> Record:
    """Return a game's record as the reader may know it: until it is told in full, without its suits and unseen cards.

    Raises `NotYours` for a game of someone else that is not told yet.
    """
    _require_readable(game, reader, now)
    record = game.record()
    if game.is_told(now):
        return record
    record = record.without_tag(SUITS_TAG)
    if game.started_at is None:  # no card has been shown, and the clock stands still
        return replace(record, deck=record.deck.seen_by(frozenset()))
    return record.seen_by_its_player()


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
    most = daily.terms.attempts
    if last.attempt >= most:
        had = "your ranked attempt" if most == 1 else f"your {most} ranked attempts"
        raise AlreadyAttempted(f"you have had {had} at this deal: game {last.id}", last.id)
    return last.attempt + 1


def _require_next_attempt(game: Game, daily: DailyDeal, now: datetime) -> None:
    if now >= daily.key.closes_at:
        raise NoOpenDaily("no attempt at this deal begins any more")
    _number_after(last_attempt(game.player, daily), daily)


def _new_game(player: Player, deal: Deal, policy: Policy, now: datetime, **ranked: Any) -> Game:
    """Create a game under a policy; on a daily deal it gets suits of its own. `ranked` are `daily` and `attempt`."""
    game = Game(id=new_id(), player=player, deal=deal, policy=policy.data, created_at=now, **ranked)
    if DailyDeal.objects.filter(deal=deal).exists():
        game.suits = suits_of(_watermark_key(), game.id).text
    game.save(force_insert=True)
    return game


def _watermark_key() -> bytes:
    return salted_hmac("games.watermark", "suits", algorithm="sha256").digest()


def _require_readable(game: Game, reader: Player | None, now: datetime) -> None:
    is_own = reader is not None and reader.pk == game.player_id
    if not is_own and not game.is_told(now):
        raise NotYours(f"game {game.id} is another player's, and its deal can still be played")


def _load(game: Game, now: datetime) -> Session:
    deadline = game.daily.key.finish_by if game.daily else None
    play, started_at = game.record().replay(), game.started_at or now
    pauses = () if game.is_over else pauses_of(started_at, now)
    return Session(game.id, game.terms, play, started_at, deadline, pauses)


def _expire(session: Session, now: datetime) -> None:
    try:
        journal.commit(session.expire(now))
    except (Conflict, GameOver):
        return  # it ended in the meantime, by a last move or by another worker


def require_room_for_practice(player: Player) -> None:
    """Raises `TooManyOpenGames`."""
    limit = settings.PYRAMID_OPEN_PRACTICE_GAMES
    if player.games.filter(status=Game.Status.PLAYING, daily=None).count() >= limit:
        raise TooManyOpenGames(f"you have {limit} unfinished practice games; finish or resign one first")
