"""Starting, opening, restarting, ending and reading games."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from games import journal
from games.deals.daily import GRACE
from games.deals.practice import random_deck
from games.deals.watermark import suits_of
from games.errors import (
    AlreadyAttempted,
    Conflict,
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
from games.services.dailies import opened_daily
from games.session import PRACTICE, RANKED, Policy, Session


def start_ranked(player: Player, rules: str, now: datetime) -> Game:
    """Start the player's one ranked attempt at today's deal.

    Raises `UnknownRuleSet`, `NoOpenDaily`, or `AlreadyAttempted` naming the attempt that there is.
    """
    try:
        daily = opened_daily(now.date(), rules, now)
    except UnknownDaily as error:
        raise NoOpenDaily(f"no daily deal of {rules} is open today") from error
    try:
        with transaction.atomic():
            return _new_game(player, daily.deal, now, daily)
    except IntegrityError as error:
        attempt = Game.objects.get(player=player, daily=daily)
        raise AlreadyAttempted(f"you have your ranked attempt at this deal: game {attempt.id}", attempt.id) from error


def start_practice(player: Player, rules: str, now: datetime) -> Game:
    """Start a practice game on a random deal. Raises `UnknownRuleSet` or `TooManyOpenGames`."""
    rule_set = RULE_SETS[rules]
    _require_room_for_practice(player)
    deal = Deal.objects.create(rules=rule_set.slug, deck=random_deck(rule_set).text, created_at=now)
    return _new_game(player, deal, now)


def restart(game: Game, now: datetime) -> Game:
    """Start the deal of a practice game anew; a game still being played is resigned first.

    Raises `RestartNotAllowed` for a ranked attempt, or `TooManyOpenGames`.
    """
    if not policy_of(game).restart:
        raise RestartNotAllowed("a ranked attempt cannot be restarted")
    session = _load(game, now)
    if session.play.result is None:
        journal.commit(session.resign(session.play.version, now))
    _require_room_for_practice(game.player)
    return _new_game(game.player, game.deal, now)


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
    """Return a game that the reader may look at: an own one, or anyone's once its deal is closed.

    Raises `UnknownGame` or `NotYours`.
    """
    game = find_game(game_id)
    _require_readable(game, reader, now)
    return game


def games_of(player: Player, before: str | None, most: int) -> list[Game]:
    """Return the player's newest games, or the next ones older than the game `before`.

    Raises `UnknownGame` or `NotYours` for `before`.
    """
    games = player.games.select_related("player", "deal", "daily").order_by("-created_at", "-id")
    if before is not None:
        last = own_game(before, player)
        games = games.filter(Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, id__lt=last.id))
    return list(games[:most])


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
    """Return a game's record as the reader may know it: until the deal is closed, without its suits and unseen cards.

    Raises `NotYours` for a game of someone else on a deal that is not closed.
    """
    _require_readable(game, reader, now)
    record = game.record()
    if game.deal.is_closed(now):
        return record
    record = record.without_tag(SUITS_TAG)
    if game.started_at is None:  # no card has been shown, and the clock stands still
        return replace(record, deck=record.deck.seen_by(frozenset()))
    return record.seen_by_its_player()


def policy_of(game: Game) -> Policy:
    return RANKED if game.is_ranked else PRACTICE


def _new_game(player: Player, deal: Deal, now: datetime, daily: DailyDeal | None = None) -> Game:
    """Create a game; on a daily deal it gets suits of its own."""
    game = Game(id=new_id(), player=player, deal=deal, daily=daily, created_at=now)
    if DailyDeal.objects.filter(deal=deal).exists():
        game.suits = suits_of(_watermark_key(), game.id).text
    game.save(force_insert=True)
    return game


def _watermark_key() -> bytes:
    return salted_hmac("games.watermark", "suits", algorithm="sha256").digest()


def _require_readable(game: Game, reader: Player | None, now: datetime) -> None:
    is_own = reader is not None and reader.pk == game.player_id
    if not is_own and not game.deal.is_closed(now):
        raise NotYours(f"game {game.id} is another player's, and its deal is not closed yet")


def _load(game: Game, now: datetime) -> Session:
    deadline = game.daily.key.finish_by if game.daily else None
    return Session(game.id, policy_of(game), game.record().replay(), game.started_at or now, deadline)


def _expire(session: Session, now: datetime) -> None:
    try:
        journal.commit(session.expire(now))
    except (Conflict, GameOver):
        return  # it ended in the meantime, by a last move or by another worker


def _require_room_for_practice(player: Player) -> None:
    limit = settings.PYRAMID_OPEN_PRACTICE_GAMES
    if player.games.filter(status=Game.Status.PLAYING, daily=None).count() >= limit:
        raise TooManyOpenGames(f"you have {limit} unfinished practice games; finish or resign one first")
