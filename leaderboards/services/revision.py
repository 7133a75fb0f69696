"""New versions of boards. Whoever calls holds the lock of the board, inside a transaction."""

from __future__ import annotations

from datetime import datetime

from games.models import Player
from games.rules import RULE_SETS
from leaderboards.boards import BoardKey
from leaderboards.models import UNRANKED, Board, Entry
from leaderboards.services import points


def locked(key: BoardKey) -> Board:
    """Return a board that nobody else changes before this transaction ends."""
    boards = Board.objects.select_for_update()
    board = boards.filter(slug=str(key)).first()
    if board is None:
        Board.objects.get_or_create(slug=str(key))
        board = boards.get(slug=str(key))
    return board


def successor_of(entry: Entry) -> Entry:
    """Return the same score as a new row, to follow this one."""
    names = ("board_id", "player_id", "game_id", "key", "entered_at_version", "state", "listed")
    return Entry(**{name: getattr(entry, name) for name in names})


def revise(board: Board, before: list[Entry], after: list[Entry], now: datetime) -> bool:
    """Replace a player's current rows on a board by these, of which the best that is not disqualified is listed.

    Return whether that made a new version.
    """
    fit = [entry for entry in after if entry.state not in UNRANKED]
    best = min(fit, key=lambda entry: (entry.key, entry.entered_at_version), default=None)
    for entry in after:
        entry.listed = entry is best
    old, new = {_fields(entry): entry for entry in before}, {_fields(entry): entry for entry in after}
    ending = [entry for stand, entry in old.items() if stand not in new]
    beginning = [entry for stand, entry in new.items() if stand not in old]
    return _make_version(board, ending, beginning, now)


def sum_up(board: Board, player: Player, now: datetime) -> bool:
    """Bring a player's sum of points up to date. Return whether that made a new version."""
    key = board.key
    days = [_day(entry, key.rules) for entry in _listed_days(key, player)]
    current = list(board.entries.filter(player=player, valid_to=None))
    if days:
        packed = key.order.pack(points.total(days, key.days_that_count or 0))
        after = [Entry(board=board, player=player, key=packed, entered_at_version=board.version + 1)]
    else:
        after = [_unlisted(entry) for entry in current]
    if [(entry.key, entry.listed) for entry in current] == [(entry.key, entry.listed) for entry in after]:
        return False
    return _make_version(board, current, after, now)


def _fields(entry: Entry) -> tuple[object, ...]:
    return entry.game_id, entry.key, entry.state, entry.listed


def _make_version(board: Board, ending: list[Entry], beginning: list[Entry], now: datetime) -> bool:
    if not ending and not beginning:
        return False
    board.version += 1
    board.save(update_fields=["version"])
    Entry.objects.filter(pk__in=[entry.pk for entry in ending]).update(valid_to=board.version)
    for entry in beginning:
        entry.valid_from, entry.changed_at = board.version, now
    Entry.objects.bulk_create(beginning)
    return True


def _listed_days(key: BoardKey, player: Player) -> list[Entry]:
    slugs = [str(daily) for daily in key.dailies()]
    listed = Entry.objects.filter(board__slug__in=slugs, player=player, valid_to=None, listed=True)
    return list(listed.select_related("board"))


def _day(entry: Entry, rules: str) -> points.Day:
    return points.day_of(RULE_SETS[rules], **entry.score)


def _unlisted(entry: Entry) -> Entry:
    follower = successor_of(entry)
    follower.listed = False
    return follower
