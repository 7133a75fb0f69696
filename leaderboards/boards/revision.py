"""Revisions: new versions of boards, made in memory and written in a few statements, inside one transaction."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q, QuerySet

from games.runtime.kept_queries import rows_of
from games.runtime.rows_at_once import insert_rows
from leaderboards.boards import statements
from leaderboards.boards.models import Board, Entry

ENTRY_FIELDS = [field.attname for field in Entry._meta.concrete_fields]
END_ROWS = """UPDATE leaderboards_entry SET valid_to = ended.version
FROM {rows} AS ended WHERE leaderboards_entry.id = ended.entry AND leaderboards_entry.board_id = ended.board"""
RAISE_VERSIONS = """UPDATE leaderboards_board SET version = raised.version
FROM {rows} AS raised WHERE leaderboards_board.id = raised.board"""


class BoardChange(NamedTuple):
    """A board at its new version, its previous version, and the listed rows removed and added in between."""

    board: Board
    before: int
    gone: list[Entry]
    come: list[Entry]


class Revision:
    """Changes to boards that are locked until the transaction ends.

    Each change of a player's rows makes a version of the board. `write` is called once, at the end.
    """

    def __init__(self, slugs: Iterable[str], now: datetime) -> None:
        self.now = now
        self.boards = _lock(slugs)
        self._versions = {board.pk: board.version for board in self.boards.values()}
        self._current: dict[tuple[int, int], list[Entry]] = {}
        self._ended: list[Entry] = []
        self._begun: list[Entry] = []

    def version_before(self, board: Board) -> int:
        """Return the version that a board had before any change."""
        return self._versions[board.pk]

    def load(self, players: Collection[int], *, unlisted: bool) -> None:
        """Read the players' valid rows, by default only listed ones on boards of games."""
        boards = {board.pk: board for board in self.boards.values()}
        sums = [pk for pk, board in boards.items() if board.key.days_that_count]
        games = [*boards.keys() - set(sums)]
        rows = rows_of(_valid, [*players], sums, unlisted=True) + rows_of(_valid, [*players], games, unlisted=unlisted)
        for row in rows:
            entry = Entry.from_db(DEFAULT_DB_ALIAS, ENTRY_FIELDS, row)
            entry.board = boards[entry.board_id]
            self._current.setdefault((entry.board_id, entry.player_id), []).append(entry)

    def rows(self, board: Board, player: int) -> list[Entry]:
        return self._current.get((board.pk, player), [])

    def listed(self, board: Board, player: int) -> Entry | None:
        """Return the player's row that has a rank."""
        return next((entry for entry in self.rows(board, player) if entry.listed), None)

    def replace(self, board: Board, player: int, rows: list[Entry]) -> None:
        """Replace a player's rows, and list the best one that can have a rank.

        A disqualified game cannot, nor one that a flag holds, nor one in which no card was removed.
        """
        fit = [entry for entry in rows if entry.may_rank and not board.key.is_untouched(entry.key)]
        best = min(fit, key=lambda entry: (entry.key, entry.entered_at_version), default=None)
        # Rows of the other games stay valid without a rank, so that the next best one can take the place of the listed.
        for entry in rows:
            entry.listed = entry is best
        self.put(board, player, rows)

    def put(self, board: Board, player: int, rows: list[Entry]) -> None:
        """Replace a player's rows without choosing the listed one. Unchanged rows are kept; if all are, the version is
        too."""
        before = {_fields(entry): entry for entry in self.rows(board, player)}
        after = {_fields(entry): before.get(_fields(entry), entry) for entry in rows}
        ending = [entry for fields, entry in before.items() if fields not in after]
        beginning = [entry for fields, entry in after.items() if fields not in before]
        if not ending and not beginning:
            return
        board.version += 1
        for entry in ending:
            entry.valid_to = board.version
        for entry in beginning:
            entry.valid_from, entry.changed_at = board.version, self.now
        self._ended += ending
        self._begun += beginning
        self._current[board.pk, player] = list(after.values())

    def write(self) -> list[BoardChange]:
        """Write all changes, and return them."""
        # Rows that began in this revision are inserted below with their ends, if they have any.
        stored = [entry for entry in self._ended if entry.pk]
        changed = [board for board in self.boards.values() if board.version != self._versions[board.pk]]
        ended = statements.rows_as_table(dict.fromkeys(("entry", "board", "version"), statements.INTEGER))
        raised = statements.rows_as_table({"board": statements.INTEGER, "version": statements.INTEGER})
        statements.execute(
            END_ROWS.format(rows=ended), [(entry.pk, entry.board_id, entry.valid_to) for entry in stored]
        )
        statements.execute(RAISE_VERSIONS.format(rows=raised), [(board.pk, board.version) for board in changed])
        insert_rows(self._begun)
        gone = _by_board(entry for entry in stored if entry.listed)
        come = _by_board(entry for entry in self._begun if entry.listed and entry.valid_to is None)
        return [
            BoardChange(board, self._versions[board.pk], gone.get(board.pk, []), come.get(board.pk, []))
            for board in changed
        ]


def _valid(players: Sequence[int], boards: Sequence[int], *, unlisted: bool) -> QuerySet[Entry, Any]:
    valid = Entry.objects.filter(Q() if unlisted else Q(listed=True), player_id__in=players, board__in=boards)
    return valid.filter(valid_to=None).values_list(*ENTRY_FIELDS)


def successor_of(entry: Entry, **changes: object) -> Entry:
    """Return a copy of a row with some changes as its unsaved successor."""
    names = ("board", "player_id", "game_id", "key", "entered_at_version", "state", "listed", "held")
    return Entry(**{name: getattr(entry, name) for name in names} | changes)


def _lock(slugs: Iterable[str]) -> dict[str, Board]:
    """Lock boards until the transaction ends, and return them by name.

    All transactions create and then lock boards in the order of their names, so that they cannot deadlock.
    """
    wanted = sorted(set(slugs))
    present = numbers_of(wanted)
    if missing := [Board(slug=slug) for slug in wanted if slug not in present]:
        Board.objects.bulk_create(missing, ignore_conflicts=True)
    return {board.slug: board for board in Board.objects.select_for_update().filter(slug__in=wanted).order_by("slug")}


def numbers_of(slugs: Sequence[str]) -> dict[str, int]:
    """Return the primary keys of boards by name, of those that exist."""
    return dict(rows_of(_slugs_and_numbers, slugs))


def _slugs_and_numbers(slugs: Sequence[str]) -> QuerySet[Board, Any]:
    return Board.objects.filter(slug__in=slugs).values_list("slug", "pk")


def _fields(entry: Entry) -> tuple[object, ...]:
    return entry.game_id, entry.key, entry.state, entry.listed, entry.held


def _by_board(entries: Iterable[Entry]) -> dict[int, list[Entry]]:
    found: dict[int, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.board_id, []).append(entry)
    return found
