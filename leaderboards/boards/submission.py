"""Enter games on boards, many at once. Everything here is idempotent."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from datetime import date, datetime
from itertools import islice
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from games.deals.daily import DailyKey
from games.play.models import Game
from games.play.scores import Placement
from games.players.models import Player
from games.runtime.kept_queries import rows_of
from games.statistics.tallies import recount
from leaderboards.boards.catalog import NamedBoards, entrants_of, named_boards
from leaderboards.boards.models import Board, Decision, Entry, EntryState, PendingGame
from leaderboards.boards.publishing import publish
from leaderboards.boards.ranking import placements
from leaderboards.boards.revision import Revision, successor_of
from leaderboards.boards.sort_keys import OutOfRangeError
from leaderboards.boards.sums import Sums

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 500
MOST_DOWNTIME_MS = 60_000
MOST_HASTY = 5  # a stalled network delivers several actions at once
PLAYER_BANNED = "its player is banned"  # the reason of a decision that ends with the ban

Placements = list[Placement]
Rows = QuerySet[Any, Any]
Decided = dict[str, Any]
"""The fields of an entry that a decision sets."""


class Attempt(NamedTuple):
    """A ranked attempt that has ended."""

    game: str
    player: int
    is_bot: bool
    day: date
    rules: str
    division: str
    cards_left: int
    moves: int
    elapsed_ms: int
    downtime_ms: int
    hasty: int

    @property
    def boards(self) -> NamedBoards:
        entrants = entrants_of(is_bot=self.is_bot)
        return named_boards(DailyKey(self.day, self.rules, self.division), entrants)

    @property
    def final_at(self) -> datetime:
        """The time at which the tables of its day become final."""
        return DailyKey(self.day, self.rules, self.division).final_at

    @property
    def doubt(self) -> str | None:
        """The reason why somebody must check the score, None if there is none."""
        if self.downtime_ms > MOST_DOWNTIME_MS:
            return f"{self.downtime_ms // 1000} seconds without a running server were credited"
        if self.hasty > MOST_HASTY and not self.is_bot:
            return f"{self.hasty} actions came faster than a person acts"
        return None

    def keys(self) -> dict[str, int]:
        """Return the keys of the score on the boards of games. Raises `OutOfRangeError`."""
        score = {"cards_left": self.cards_left, "moves": self.moves, "elapsed_ms": self.elapsed_ms}
        return {slug: key.order.pack(score) for slug, key in self.boards if not key.days_that_count}


def submit(games: Sequence[str], now: datetime) -> list[Placements]:
    """Enter finished ranked attempts on their boards, skipping other games, and return the placements of each.

    A game that cannot be entered has no placements; it is reported and does not delay the others.
    """
    found: dict[str, Placements] = {}
    rest = iter(dict.fromkeys(games))
    while batch := list(islice(rest, MOST_AT_ONCE)):
        found |= _submit_or_split(batch, now)
    return [found.get(game, []) for game in games]


def submit_missing(now: datetime) -> int:
    """Submit every finished ranked attempt that has not been entered, and return how many."""
    missing = list(PendingGame.objects.filter(error="").order_by("finished_at").values_list("pk", flat=True))
    submit(missing, now)
    return len(missing)


def is_missing(game: Game) -> bool:
    """Return True if a game has ended and waits to be entered."""
    return PendingGame.objects.filter(pk=game.pk, error="").exists()


def boards_of_games(games: Sequence[Game]) -> dict[str, NamedBoards]:
    """Return the boards of ranked attempts. An entered attempt stays on its board, whatever happens to its player."""
    entries = Entry.objects.filter(game__in=games).select_related("board").only("game_id", "board__slug")
    entrants = {game.pk: entrants_of(is_bot=game.player.is_bot) for game in games}
    entrants |= {entry.game_id or "": entry.board.key.entrants for entry in entries}
    return {game.pk: named_boards(game.daily.key, entrants[game.pk]) if game.daily else () for game in games}


def _submit_or_split(games: Sequence[str], now: datetime) -> dict[str, Placements]:
    """Submit games together or, if that cannot be done, in halves, so that one does not keep the others out.

    One may have been deleted, which the database rejects, or meet a key on its boards that is impossible.
    """
    try:
        return _submit_together(games, now)
    except (IntegrityError, OutOfRangeError) as error:
        if len(games) == 1:
            logger.exception("game %s cannot be entered", games[0])
            if isinstance(error, OutOfRangeError):
                PendingGame.objects.filter(pk=games[0]).update(error=str(error)[:200])
            return {}
    half = len(games) // 2
    return _submit_or_split(games[:half], now) | _submit_or_split(games[half:], now)


def _submit_together(games: Sequence[str], now: datetime) -> dict[str, Placements]:
    with transaction.atomic():
        attempts = list(_sound(_ended(games), now))
        if not attempts:
            return {}
        banned = _banned({attempt.player for attempt in attempts})
        revision = Revision((slug for attempt in attempts for slug, _ in attempt.boards), now)
        _enter_all(revision, attempts, banned)
        publish(revision.write())
    return _placements(revision, attempts)


def _ended(games: Sequence[str]) -> list[Attempt]:
    attempts = {row[0]: Attempt._make(row) for row in rows_of(_rows_of_ended, games)}
    return [attempts[game] for game in games if game in attempts]


def _rows_of_ended(games: Sequence[str]) -> Rows:
    ended = Game.objects.filter(pk__in=games, daily__isnull=False).exclude(status=Game.Status.PLAYING)
    return ended.values_list(
        *("pk", "player_id", "player__is_bot", "daily__day", "daily__rules", "daily__division"),
        *("cards_left", "moves", "elapsed_ms", "downtime_ms", "hasty"),
    )


def _sound(attempts: Sequence[Attempt], now: datetime) -> Iterator[Attempt]:
    """Yield the attempts that can be entered; store and report the reason for the others."""
    for attempt in attempts:
        if reason := _reason_against(attempt, now):
            logger.error("game %s cannot be ranked: %s", attempt.game, reason)
            PendingGame.objects.filter(pk=attempt.game).update(error=reason[:200])
        else:
            yield attempt


def _reason_against(attempt: Attempt, now: datetime) -> str | None:
    try:
        attempt.keys()
    except OutOfRangeError as error:
        return str(error)
    return "the tables of its day are final" if now >= attempt.final_at else None


def _banned(players: Set[int]) -> set[int]:
    """Return the players who are banned, and lock all: a ban that is under way has seen the games, or comes first.

    Players are always locked before boards.
    """
    return {pk for pk, banned_at in rows_of(_lock_players, sorted(players)) if banned_at is not None}


def _lock_players(players: Sequence[int]) -> Rows:
    locked = Player.objects.select_for_update(no_key=True).filter(pk__in=players)
    return locked.order_by("pk").values_list("pk", "banned_at")


def _had_looked(attempts: Sequence[Attempt], now: datetime) -> dict[str, Decided]:
    """Disqualify the games of staff who had looked at the secrets of the deal before the end."""
    seen = {game for (game,) in rows_of(_seen_before_the_end, [attempt.game for attempt in attempts])}
    of_them = [attempt for attempt in attempts if attempt.game in seen]
    return _disqualify(of_them, "its player had looked at the secrets of the deal", now)


def _disqualify(attempts: Sequence[Attempt], reason: str, now: datetime) -> dict[str, Decided]:
    states = _decide(EntryState.DISQUALIFIED, {attempt.game: reason for attempt in attempts}, now)
    recount({attempt.player for attempt in attempts})
    return states


def _seen_before_the_end(games: Sequence[str]) -> Rows:
    seen = Game.objects.filter(daily__seen_by__player=F("player"), daily__seen_by__at__lte=F("finished_at"))
    return seen.filter(pk__in=games).values_list("pk")


def _doubt(attempts: Sequence[Attempt], decided: Collection[str], now: datetime) -> dict[str, Decided]:
    """Flag doubtful scores without a decision, and return what was decided."""
    doubts = {attempt.game: attempt.doubt for attempt in attempts if attempt.game not in decided}
    return _decide(EntryState.FLAGGED, {game: doubt for game, doubt in doubts.items() if doubt}, now)


def _decide(state: EntryState, reasons: Mapping[str, str], now: datetime) -> dict[str, Decided]:
    Decision.objects.bulk_create(
        Decision(game_id=game, state=state, reason=reason, at=now) for game, reason in reasons.items()
    )
    return dict.fromkeys(reasons, _decided(state, None))


def _decided(state: str, by: int | None) -> Decided:
    """Return the fields of an entry after a decision: a flag of the server itself holds the score."""
    return {"state": state, "held": state == EntryState.FLAGGED and by is None}


def _enter_all(revision: Revision, attempts: Sequence[Attempt], banned: Set[int]) -> None:
    games = [attempt.game for attempt in attempts]
    # If two processes submit the same game, one waits here for the other, and then finds the game entered.
    PendingGame.objects.filter(pk__in=games).delete()
    entered = {game for (game,) in rows_of(_entered, games)}
    # Read while holding the locks of the boards, which a later decision needs too.
    decided = {game: _decided(state, by) for game, state, by in rows_of(_decisions, games)}
    undecided = [attempt for attempt in attempts if attempt.game not in decided]
    decided |= _had_looked(undecided, revision.now)
    decided |= _doubt([attempt for attempt in attempts if attempt.game not in entered], decided, revision.now)
    # A ban comes last: what else is decided about a game is in force when it ends.
    decided |= _disqualify([attempt for attempt in undecided if attempt.player in banned], PLAYER_BANNED, revision.now)
    players = {attempt.player for attempt in attempts}
    revision.load(players, unlisted=False)
    sums = Sums(revision, players)
    for attempt in attempts:
        if attempt.game not in entered:
            _enter(revision, sums, attempt, decided.get(attempt.game, {}))


def _entered(games: Sequence[str]) -> Rows:
    return Entry.objects.filter(game__in=games).values_list("game_id")


def _decisions(games: Sequence[str]) -> Rows:
    return Decision.objects.filter(game__in=games).order_by("pk").values_list("game_id", "state", "by")


def _enter(revision: Revision, sums: Sums, attempt: Attempt, decided: Decided) -> None:
    keys, player = attempt.keys(), attempt.player

    def rows_on(board: Board) -> list[Entry]:
        entry = Entry(
            board=board,
            player_id=player,
            game_id=attempt.game,
            key=keys[board.slug],
            entered_at_version=board.version + 1,
            **decided,
        )
        return [*map(successor_of, revision.rows(board, player)), entry]

    sums.revise(attempt.boards, player, rows_on)


def _placements(revision: Revision, attempts: Sequence[Attempt]) -> dict[str, Placements]:
    """Return the placements of each game, or of the sum that it counts in."""
    rows = [
        (attempt.game, listed)
        for attempt in attempts
        for slug, key in attempt.boards
        if (listed := revision.listed(revision.boards[slug], attempt.player))
        and (key.days_that_count or listed.game_id == attempt.game)
    ]
    found: dict[str, Placements] = {}
    for (game, _), place in zip(rows, placements([row for _, row in rows]), strict=True):
        found.setdefault(game, []).append(place)
    return found
