"""Recount boards from their rows: listed rows, sums of points, the order of ties, states and versions.

Each board is read in one statement, so that scores may arrive meanwhile.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from django.db.models import F, Max, OuterRef, Subquery

from games.rules import RULE_SETS
from leaderboards.boards import points
from leaderboards.boards.catalog import DAYS_THAT_COUNT, FEWEST_MOVES, POINTS_TABLE, TABLES, BoardKey, Period
from leaderboards.boards.models import Board, Decision, Entry, EntryState
from leaderboards.boards.sort_keys import OutOfRangeError
from leaderboards.boards.value_counts import mistakes_in_counts


class _Row(NamedTuple):
    """A valid entry, the version in which its score was entered, the last decision about its game, and its effect."""

    slug: str
    player: int
    game: str | None
    key: int
    state: str
    listed: bool
    entered_at_version: int
    valid_from: int
    first_version: int
    decided: str | None
    decided_by: int | None
    held: bool


def boards_to_recount(since: date | None = None) -> list[str]:
    """Return the boards of days from `since` on: all that exist, and the boards of points that should exist."""
    slugs = set(Board.objects.values_list("slug", flat=True))
    keys = {BoardKey.parse(slug) for slug in slugs}
    keys |= {sum_ for key in keys for sum_ in _sums_of(key)}
    return sorted(str(key) for key in keys if since is None or key.last >= since)


def mistakes_on(slug: str) -> list[str]:
    """Return the mistakes in the rows of a board, by its name."""
    key = BoardKey.parse(slug)
    dailies = [str(daily) for daily in key.dailies()] if key.days_that_count else []
    rows = list(_rows([slug, *dailies]))
    own = _by_player(row for row in rows if row.slug == slug)
    days = _by_player(row for row in rows if row.slug != slug and row.listed)
    found = [
        mistake
        for player in sorted(own | days)
        for mistake in (
            _mistakes_in_sum(key, own.get(player, []), days.get(player, []))
            if key.days_that_count
            else (_mistakes_in_runs if key.is_of_runs else _mistakes_in_games)(key, own[player])
        )
    ]
    of_boards = [mistake for board in Board.objects.filter(slug=slug) for mistake in mistakes_in_counts(board)]
    return [f"{slug}: {mistake}" for mistake in [*found, *_mistakes_in_version(slug), *of_boards]]


def _sums_of(key: BoardKey) -> Iterator[BoardKey]:
    """Yield the boards of points that a daily board counts on."""
    if key.period is Period.DAILY and key.table == FEWEST_MOVES:
        for period in DAYS_THAT_COUNT:
            yield BoardKey(period, period.first_day(key.first), key.rules, key.division, key.entrants, POINTS_TABLE)


def _rows(slugs: Sequence[str]) -> Iterator[_Row]:
    earlier = Entry.objects.filter(board=OuterRef("board"), player=OuterRef("player"), game=OuterRef("game"))
    decided = Decision.objects.filter(game=OuterRef("game")).order_by("-pk")
    last = [Subquery(decided.values(name)[:1]) for name in ("state", "by")]
    valid = Entry.objects.filter(board__slug__in=slugs, valid_to=None).order_by()
    fields = ("board__slug", "player_id", "game_id", "key", "state", "listed", "entered_at_version", "valid_from")
    first = Subquery(earlier.order_by("valid_from").values("valid_from")[:1])
    yield from map(_Row._make, valid.values_list(*fields, first, *last, "held").iterator())


def _by_player(rows: Iterator[_Row]) -> dict[int, list[_Row]]:
    found: dict[int, list[_Row]] = {}
    for row in rows:
        found.setdefault(row.player, []).append(row)
    return found


def _mistakes_in_games(key: BoardKey, rows: list[_Row]) -> Iterator[str]:
    """Yield the mistakes in a player's games on a board: the best one that can have a rank must be listed."""
    who = f"player {rows[0].player}"
    if any(row.game is None for row in rows):
        yield f"an entry of {who} has no game"
        return
    try:
        can_rank = (row for row in rows if row.state != EntryState.DISQUALIFIED and not row.held)
        fit = [row for row in can_rank if not key.is_untouched(row.key)]
    except OutOfRangeError:
        yield f"an entry of {who} is not a score"
        return
    best = min(fit, key=lambda row: (row.key, row.entered_at_version), default=None)
    if [row for row in rows if row.listed] != ([best] if best else []):
        yield f"the listed game of {who} is not the best one that can have a rank"
    for row in rows:
        if row.state != (row.decided or EntryState.PROVISIONAL):
            yield f"the game {row.game} is {row.state}, which was not decided"
        if row.held and row.decided_by is not None:
            yield f"the game {row.game} is held, though a person has decided"
        if row.entered_at_version != row.first_version:
            yield f"the game {row.game} did not enter at version {row.entered_at_version}"


def _mistakes_in_runs(key: BoardKey, rows: list[_Row]) -> Iterator[str]:
    """Yield the mistakes in a player's runs on a board: the best one alone has a row."""
    who = f"player {rows[0].player} on {key.table}"
    if len(rows) > 1 or rows[0].game is not None:
        yield f"{who} has more than the best run"
    if rows[0].listed == (rows[0].state == EntryState.DISQUALIFIED):
        yield f"the run of {who} is listed against its state"


def _mistakes_in_sum(key: BoardKey, rows: list[_Row], days: list[_Row]) -> Iterator[str]:
    """Yield the mistakes in a player's sum: it must be that of the best listed days."""
    rules, order = RULE_SETS[key.rules], TABLES[FEWEST_MOVES]
    try:
        played = [points.day_of(rules, **order.unpack(day.key)) for day in days]
    except OutOfRangeError:
        return  # reported for the day's own board
    total = key.order.pack(points.total(played, key.days_that_count or 0)) if played else None
    listed, who = [row for row in rows if row.listed], f"player {(rows or days)[0].player}"
    if [row.key for row in listed] != ([] if total is None else [total]):
        yield f"the sum of {who} is not that of the best days"
    if any(row.entered_at_version != row.valid_from for row in listed):
        yield f"the sum of {who} did not enter when it says"


def _mistakes_in_version(slug: str) -> Iterator[str]:
    """Yield a difference between the version of a board and its last change."""
    changes = Board.objects.filter(slug=slug).annotate(began=Max("entries__valid_from"), ended=Max("entries__valid_to"))
    for version, began, ended in changes.values_list(F("version"), "began", "ended"):
        if version != max(began or 0, ended or 0):
            yield f"its version is {version}, its last change {max(began or 0, ended or 0)}"
