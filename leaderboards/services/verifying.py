"""Every score carried out again from its log: sound ones become verified, others are flagged with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from games.models import Game
from games.services.reexecution import BATCH, differing
from leaderboards.boards import TABLES
from leaderboards.models import Decision, Entry, State
from leaderboards.services.moderation import decide

REEXECUTED = "re-executed from its log"
MOST_AT_ONCE = 2000
MOST_REASON = 500


def verify_entered(now: datetime) -> int:
    """Carry out again the games that were entered and not yet verified, and return how many there were."""
    provisional = Entry.objects.filter(valid_to=None, state=State.PROVISIONAL, game__isnull=False).order_by()
    # One that was decided on and is provisional all the same was tampered with, and has been reported.
    waiting = provisional.filter(game__decisions=None)
    games = list(waiting.values_list("game_id", flat=True).distinct()[:MOST_AT_ONCE])
    for batch in _batches(games):
        found = mistakes_in(batch)
        decide(*(_decision(game, found.get(game.pk, []), now) for game in _with_days(batch)))
    return len(games)


def mistakes_in(games: Sequence[str]) -> dict[str, list[str]]:
    """Return what is wrong with ranked games and their entries; sound games have an empty list."""
    found = differing(games)
    entries = (
        Entry.objects.filter(game__in=games, valid_to=None).select_related("board", "game").order_by("board__slug")
    )
    amended = set(Decision.objects.filter(game__in=games, amends=True).values_list("game_id", flat=True))
    for entry in entries:
        if entry.game_id in found and entry.game_id not in amended:
            found[entry.game_id] += _mistakes_in_entry(entry)
    return found


def flag(game: Game, mistakes: Iterable[str], now: datetime) -> None:
    """Flag a game's entries because of what is wrong with them."""
    decide(_decision(game, list(mistakes), now))


def _mistakes_in_entry(entry: Entry) -> Iterator[str]:
    game, slug = entry.game, entry.board.slug
    if game is None:
        return
    order = TABLES[entry.board.key.table]
    if entry.player_id != game.player_id:
        yield f"the entry on {slug} is another player's"
    if entry.key != order.pack({name: getattr(game, name) for name in order.fields}):
        yield f"the entry on {slug} does not say what the game says"


def _decision(game: Game, mistakes: list[str], now: datetime) -> Decision:
    state = State.FLAGGED if mistakes else State.VERIFIED
    return Decision(game=game, state=state, reason="; ".join(mistakes)[:MOST_REASON] or REEXECUTED, at=now)


def _with_days(games: Sequence[str]) -> list[Game]:
    return list(Game.objects.filter(pk__in=games).select_related("player", "daily"))


def _batches(games: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(games), BATCH):
        yield games[first : first + BATCH]
