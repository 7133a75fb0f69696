"""Games of simulated players as rows of the database, as if they had been played there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from games.calendar.models import DailyDeal, Deal
from games.deals.daily import DailyKey
from games.play.models import SUMMARY_FIELDS, Game, Move
from games.players.models import Player
from games.rules import Deck, Kind, Play
from leaderboards.boards.submission import submit

BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Attempt:
    """A player's attempt at a deal, from a second of its day on, with the client's times if it sent them."""

    player: Player
    play: Play
    second: int = 43_200
    client_ms: tuple[int | None, ...] = ()


def daily_of(day: date, deck: Deck, par: int | None = None, division: str = "open") -> DailyDeal:
    """Return a new deal of a day that has this deck; no seed leads to it."""
    at = datetime.combine(day, time(), UTC) - timedelta(days=7)
    deal = Deal.objects.create(rules="standard", deck=deck.text, created_at=at, is_winnable=True, par=par)
    number = DailyDeal.objects.count() + 1
    key = DailyKey(day, "standard", division)
    return DailyDeal.objects.create(
        day=day,
        rules=key.rules,
        division=division,
        seed=f"{number:064x}",
        commitment=f"{number:064x}",
        committed_at=at,
        candidate=0,
        deal=deal,
    )


def write(daily: DailyDeal, attempts: Sequence[Attempt]) -> list[Game]:
    """Write finished attempts with their logs, and enter them on their boards."""
    games = [_game(daily, attempt) for attempt in attempts]
    Game.objects.bulk_create(games)
    moves = [move for game, attempt in zip(games, attempts, strict=True) for move in _moves(game, attempt)]
    Move.objects.bulk_create(moves, batch_size=BATCH)
    for game, attempt in zip(games, attempts, strict=True):
        _finish(game, attempt.play)
    Game.objects.bulk_update(games, ["status", "hasty", *SUMMARY_FIELDS], batch_size=200)
    submit([game.pk for game in games], daily.key.finish_by)
    return games


def _game(daily: DailyDeal, attempt: Attempt) -> Game:
    at = daily.key.opens_at + timedelta(seconds=attempt.second)
    return Game(player=attempt.player, deal=daily.deal, daily=daily, created_at=at, started_at=at)


def _moves(game: Game, attempt: Attempt) -> Iterable[Move]:
    client = attempt.client_ms or (None,) * len(attempt.play.actions)
    for version, ((action, at_ms), client_ms) in enumerate(zip(attempt.play.actions, client, strict=True), 1):
        yield Move(game=game, version=version, action=action.text, at_ms=at_ms, client_ms=client_ms)


def _finish(game: Game, play: Play) -> None:
    kinds = [action.kind for action, _ in play.actions]
    assert game.started_at
    assert play.result
    game.status, game.cards_left = play.result.value, play.position.cards_left
    game.elapsed_ms = play.actions[-1].at_ms if play.actions else 0
    game.finished_at = game.started_at + timedelta(milliseconds=game.elapsed_ms)
    game.moves, game.draws, game.recycles = play.moves, kinds.count(Kind.DRAW), kinds.count(Kind.RECYCLE)
    game.undos, game.hints = kinds.count(Kind.UNDO), kinds.count(Kind.HINT)
    game.hasty = play.hasty
