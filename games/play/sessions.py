"""Find games, and load them for play."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.deals.daily import first_day_not_public
from games.play import journal, retests
from games.play.models import Game, Move, Uptime, logs_of, practice_among
from games.play.refusals import NotYours, UnknownGame
from games.play.session import Change, Pause, Session
from games.play.uptime import pauses_of, uptime_between, was_up_since
from games.play.visibility import is_game_public, policy_now, race_of, require_readable
from games.players.models import Player
from games.rules import GameOver, Logged, Play, Position, RulesError
from games.runtime.kept_queries import instances_of

logger = logging.getLogger(__name__)

EXPIRED_TOGETHER = 500
# What visibility and sessions ask of a game.
NEEDED = ("player", "deal__daily", "deal__race", "daily", "racer")


def find_game(game_id: str) -> Game:
    """Return a game with its player and deal. Raises `UnknownGame`."""
    if found := games_with([game_id]):
        return found[0]
    raise UnknownGame(f"there is no game {game_id!r}")


def games_with(ids: Sequence[str]) -> list[Game]:
    """Return the games with these ids, each with what visibility and sessions ask of it."""
    return instances_of(_with, ids)


def _with(ids: Sequence[str]) -> QuerySet[Game]:
    return Game.objects.order_by().select_related(*NEEDED).filter(pk__in=ids)


def own_game(game_id: str, player: Player) -> Game:
    """Return a game of the player. Raises `UnknownGame` or `NotYours`."""
    game = find_game(game_id)
    if game.player_id != player.pk:
        raise NotYours(f"game {game_id} belongs to another player")
    return game


def readable_game(game_id: str, reader: Player | None, now: datetime) -> Game:
    """Return a game that the reader may see: one of theirs, or anyone's once it is public.

    Raises `UnknownGame` or `NotYours`.
    """
    game = find_game(game_id)
    require_readable(game, reader, now)
    return game


def games_of(player: Player, before: str | None, most: int) -> list[Game]:
    """Return the player's newest games, or the newest ones older than the game `before`.

    Raises `UnknownGame` or `NotYours` for `before`.
    """
    games = player.games.select_related("player", "deal", "daily", "racer").order_by("-created_at", "-id")
    if before is not None:
        last = own_game(before, player)
        games = games.filter(Q(created_at__lt=last.created_at) | Q(created_at=last.created_at, id__lt=last.id))
    return list(games[:most])


def open_practice_games(player: Player) -> list[Game]:
    """Return the unfinished practice games of a player, newest first."""
    games = practice_among(player.games.filter(status=Game.Status.PLAYING)).select_related("deal")
    return list(games.order_by("-created_at"))


def practice_to_give_up(player: Player) -> list[str]:
    """Return the unfinished practice games that leave no room for another: unplayed ones first, then the oldest."""
    is_played = Exists(Move.objects.filter(game=OuterRef("pk")))
    unfinished = practice_among(player.games.filter(status=Game.Status.PLAYING))
    games = list(unfinished.order_by(is_played, "created_at").values_list("pk", flat=True))
    return games[: max(0, len(games) + 1 - settings.PYRAMID_OPEN_PRACTICE_GAMES)]


def visible_games(player: Player, reader: Player | None, now: datetime, most: int) -> list[Game]:
    """Return a player's newest finished games that a reader may see; the player also sees unfinished ones."""
    games = player.games.select_related("player", "deal__daily", "deal__race", "daily").order_by("-created_at", "-id")
    if reader is not None and reader.pk == player.pk:
        return list(games[:most])
    finished = games.exclude(status=Game.Status.PLAYING)[: 2 * most]
    return [game for game in finished if is_game_public(game, now)][:most]


def begin(game_id: str, now: datetime) -> datetime:
    """Start the clock of a game unless it runs, and return when it started. Call it before showing the layout."""
    games = Game.objects.filter(pk=game_id)
    if games.filter(started_at=None, status=Game.Status.PLAYING).update(started_at=now):
        return now
    return games.values_list("started_at", flat=True).get() or now


def new_session(game: Game, now: datetime) -> Session:
    """Return the session of a game that has just begun; there is no record to be replayed and compared."""
    return _session(game, now, Play(Position.deal(game.deck, game.deal.rule_set)), ())


def load_sessions(games: Collection[Game], now: datetime) -> dict[str, Session | Exception]:
    """Replay games from their logs, which are read together; for a damaged log the error is returned."""
    begun = [game for game in games if game.started_at is not None]
    logs = logs_of([game.pk for game in begun]) if begun else {}
    earliest = min((game.started_at for game in begun if game.started_at and not game.is_over), default=now)
    known = () if was_up_since(earliest) else uptime_between(earliest, now)
    loaded: dict[str, Session | Exception] = {}
    for game in games:
        try:
            loaded[game.pk] = _loaded(game, now, logs, known)
        except (RulesError, ValueError) as error:
            loaded[game.pk] = error
    return loaded


def _loaded(game: Game, now: datetime, logs: Mapping[str, Sequence[Logged]], known: Sequence[Uptime]) -> Session:
    if game.started_at is None:  # nobody has seen its layout yet
        return _session(game, now, game.record(()).replay(), ())
    pauses = () if game.is_over else pauses_of(game.started_at, now, known)
    return _session(game, now, game.record(logs[game.pk]).replay(), pauses)


def expire_overdue(now: datetime) -> int:
    """End the ranked attempts whose time has run out, and return how many."""
    overdue = Game.objects.filter(status=Game.Status.PLAYING, daily__day__lt=first_day_not_public(now))
    return expire(list(overdue.values_list("pk", flat=True)), now)


def expire(games: Sequence[str], now: datetime) -> int:
    """End games as they stand, except those that have ended meanwhile, and return how many were asked for."""
    left = iter(games)
    while batch := list(islice(left, EXPIRED_TOGETHER)):
        journal.commit_together(list(_expirations(batch, now)))
    return len(games)


def _expirations(games: Sequence[str], now: datetime) -> Iterator[Change]:
    """Yield the ends of games, except those that have just ended by a last move or through another worker."""
    playing = Game.objects.filter(pk__in=games, status=Game.Status.PLAYING).select_related(*NEEDED)
    for game, session in load_sessions(playing, now).items():
        if isinstance(session, Exception):  # its log was damaged, which is not to keep the others from ending
            logger.error("game %s cannot be ended: %s", game, session)
            continue
        with suppress(GameOver):
            yield session.expire(now)


def _session(game: Game, now: datetime, play: Play, pauses: tuple[Pause, ...]) -> Session:
    policy = policy_now(game, now)
    return Session(game.id, policy, play, game.started_at or now, deadline_of(game), pauses)


def deadline_of(game: Game) -> datetime | None:
    """Return when a game ends that has not ended before, None if it may last."""
    if game.daily is not None:
        return game.daily.key.finish_by
    if game.deal.is_of_retest:
        return retests.ends_at(game)
    race = race_of(game.deal)
    return race.ends_at if race is not None and hasattr(game, "racer") else None
