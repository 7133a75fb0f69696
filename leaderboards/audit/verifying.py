"""Verify every score by replaying its log: sound ones become verified, others are flagged with the reason."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.play.reexecution import BATCH, differing
from leaderboards.boards.catalog import TABLES, Entrants, boards_of, entrants_of
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, Entry, EntryState, PendingGame

REEXECUTED = "re-executed from its log"
MOST_AT_ONCE = 2000
MOST_REASON = 500

keepers: list[Callable[[Sequence[str], datetime], Set[str]]] = []
"""Functions that look at games before they are verified, and return those whose scores stay provisional for now."""
kept_back: list[Callable[[], QuerySet[Any]]] = []
"""Functions that return a query for the keys of all games that such a function still keeps back."""


def verify_entered(now: datetime) -> int:
    """Verify the entered games that have not been verified yet, and return how many."""
    provisional = Entry.objects.filter(valid_to=None, state=EntryState.PROVISIONAL, game__isnull=False).order_by()
    # A provisional game with a decision has been tampered with, and has already been reported.
    waiting = provisional.exclude(Exists(Decision.objects.filter(game=OuterRef("game_id"))))
    for query in kept_back:
        waiting = waiting.exclude(game__in=query())
    games = list(waiting.values_list("game_id", flat=True).distinct()[:MOST_AT_ONCE])
    kept = {game for keep in keepers for game in keep(games, now)}
    for batch in batches([game for game in games if game not in kept]):
        found = mistakes_in(batch)
        decide(*(_decision(game, found.get(game.pk, []), now) for game in _with_days(batch)))
    return len(games)


def mistakes_in(games: Sequence[str]) -> dict[str, list[str]]:
    """Return the mistakes in ranked games and their entries; sound games have an empty list."""
    waiting = set(PendingGame.objects.filter(pk__in=games).values_list("pk", flat=True))
    found = differing(games)
    valid = Entry.objects.filter(game__in=found, valid_to=None).select_related("board", "game").order_by("board__slug")
    entries: dict[str, list[Entry]] = {}
    for entry in valid:
        entries.setdefault(entry.game_id or "", []).append(entry)
        found[entry.game_id or ""] += mistakes_in_entry(entry)
    for game in _with_days(list(found)):
        if game.daily:
            found[game.pk] += _mistakes_in_day(game, game.daily)
        # One that ended a moment ago may be entered just now.
        if game.pk in entries or game.pk not in waiting:
            found[game.pk] += _mistakes_in_boards(game, entries.get(game.pk, []))
    return found


def flag(game: Game, mistakes: Iterable[str], now: datetime) -> None:
    """Flag a game's entries, with its mistakes as the reason."""
    decide(_decision(game, list(mistakes), now))


def mistakes_in_entry(entry: Entry) -> Iterator[str]:
    """Yield the mistakes in an entry, whose game and board are loaded; none for an entry that is a sum."""
    game, slug = entry.game, entry.board.slug
    if game is None:
        return
    order = TABLES[entry.board.key.table]
    if entry.player_id != game.player_id:
        yield f"the entry on {slug} belongs to another player"
    if entry.key != order.pack({name: getattr(game, name) for name in order.fields}):
        yield f"the entry on {slug} differs from the game"


def _mistakes_in_day(game: Game, daily: DailyDeal) -> Iterator[str]:
    if game.deal_id != daily.deal_id:
        yield "its deal is not that of its day"
    if game.created_at.date() != daily.day:  # its clock starts with the first look at it, perhaps after midnight
        yield "it did not begin on its day"


def _mistakes_in_boards(game: Game, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the boards that a game is missing from, and those that are not its own."""
    keys = [entry.board.key for entry in entries]
    # Whether a player is a bot may change, a game stays where it was entered.
    is_bot = Entrants.BOTS in {key.entrants for key in keys} if keys else game.player.is_bot
    entrants = entrants_of(is_bot=is_bot)
    own = [key for key in boards_of(game.daily.key, entrants) if not key.days_that_count] if game.daily else []
    yield from (f"it has no entry on {key}" for key in own if key not in keys)
    yield from (f"it has an entry on {key}" for key in keys if key not in own)


def _decision(game: Game, mistakes: list[str], now: datetime) -> Decision:
    state = EntryState.FLAGGED if mistakes else EntryState.VERIFIED
    return Decision(game=game, state=state, reason="; ".join(mistakes)[:MOST_REASON] or REEXECUTED, at=now)


def _with_days(games: Sequence[str]) -> list[Game]:
    return list(Game.objects.filter(pk__in=games).select_related("player", "daily"))


def batches(games: Sequence[str]) -> list[Sequence[str]]:
    """Return games in lists as long as are replayed at once."""
    return [games[first : first + BATCH] for first in range(0, len(games), BATCH)]
