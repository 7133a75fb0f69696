"""Preview the ranks that a decision would change on every board, without writing anything."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db.models import Q, QuerySet

from games.players.models import Player
from leaderboards.boards.decisions import foresee
from leaderboards.boards.models import Board, Entry
from leaderboards.boards.ranking.view import View
from leaderboards.boards.revision import Revision
from leaderboards.boards.sort_keys import ranks
from leaderboards.moderation.choices import Choice, Chosen, Signed, choose, decisions_of, require_sound
from leaderboards.moderation.models import Case

Whom = TypeVar("Whom", Player, int)

MOST_ROWS, ALL_ROWS = 50, 5_000  # of a board: at first, and if all are wanted


@dataclass(frozen=True, slots=True)
class RankChange:
    """Another player whose rank changes."""

    player: Player
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class BoardPreview:
    """A board before and after: the player's rank, None without one, and the others who move, the first of them."""

    board: Board
    before: int | None
    after: int | None
    others: int
    rows: tuple[RankChange, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The changes on every board. The decision includes `versions`, and is refused once a board has a different one."""

    chosen: Chosen
    boards: tuple[BoardPreview, ...]
    versions: dict[str, int]


def preview(case: Case, choice: Choice, now: datetime, most_rows: int = MOST_ROWS) -> Preview:
    """Return the moves of ranks on each board, with some rows of each. Raises `BadDecision`."""
    chosen = choose(case, choice)
    require_sound(case, chosen)
    revision = foresee(*decisions_of(chosen, Signed(None, None, now)))
    if revision is None:
        return Preview(chosen, (), {})
    versions = {slug: revision.version_before(board) for slug, board in revision.boards.items()}
    compared = (_compared(revision, board, case.player_id, most_rows) for board in revision.boards.values())
    return Preview(chosen, tuple(board for board in compared if board.before != board.after or board.others), versions)


def moved_between(others: QuerySet[Entry], before: int | None, after: int | None) -> QuerySet[Entry]:
    """Return the entries whose rank changes when one key becomes another; None stands below all."""
    low, high = sorted((before, after), key=lambda key: (key is None, key))
    if low is None or low == high:
        return others.none()
    return others.filter(Q(key__gt=low) & (Q() if high is None else Q(key__lte=high)))


def rank_changes(
    others: QuerySet[Entry], keys: Sequence[int | None], moved: Iterable[tuple[Whom, int]]
) -> Iterator[tuple[tuple[Whom, int], tuple[int, int]]]:
    """Yield the rank before and after of each of the first entries that move when one key becomes another, in order.

    The entries between two keys are below the one and not below the other.
    """
    before, after = keys
    was_ahead = before is not None and (after is None or before < after)
    rows = list(moved)
    ahead = others.filter(key__lt=rows[0][1]).count() if rows else 0
    for row, rank in zip(rows, ranks((key for _, key in rows), first=ahead + 1), strict=True):
        yield row, (rank + was_ahead, rank + (not was_ahead))


def _compared(revision: Revision, board: Board, player: int, most_rows: int) -> BoardPreview:
    view = View(board, revision.version_before(board))
    others = view.entries().exclude(player=player)
    was, new = view.entries().filter(player=player).first(), revision.listed(board, player)
    before, after = was.key if was else None, new.key if new else None
    moved = moved_between(others, before, after)
    first = ((entry.player, entry.key) for entry in moved.select_related("player")[:most_rows])
    return BoardPreview(
        board,
        before=_rank_of(before, others),
        after=_rank_of(after, others),
        others=moved.count(),
        rows=tuple(RankChange(player, *pair) for (player, _), pair in rank_changes(others, (before, after), first)),
    )


def _rank_of(key: int | None, others: QuerySet[Entry]) -> int | None:
    return None if key is None else 1 + others.filter(key__lt=key).count()
