"""The tree of the log in the database: adding leaves, and hashes for proofs."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import Q, QuerySet

from games.runtime.kept_queries import rows_of
from games.tlog import merkle
from games.tlog.leaves import Leaf
from games.tlog.models import LogLeaf, LogSize, LogTile

_LOG = 1


def append(leaf: Leaf, now: datetime) -> int:
    """Add a leaf and return its index, as the last thing that a transaction locks.

    Raises IntegrityError if there is a leaf about its subject already.
    """
    return append_all([leaf], now)


def append_all(leaves: Sequence[Leaf], now: datetime) -> int:
    """Add leaves as `append` does, and return the index of the first. Raises `LeafError` for what is not a leaf."""
    if not leaves:
        return size_of_log()
    leaves = [Leaf.from_text(leaf.text) for leaf in leaves]
    with transaction.atomic():
        size = lock()
        LogLeaf.objects.bulk_create(
            [
                LogLeaf(index=index, subject=leaf.subject, text=leaf.text, added_at=now)
                for index, leaf in enumerate(leaves, start=size)
            ],
            batch_size=1000,
        )
        hashes = [merkle.leaf_hash(leaf.text.encode("ascii")) for leaf in leaves]
        _store(merkle.grown(tiles_at(merkle.edge(size)), size, hashes))
        LogSize.objects.filter(pk=_LOG).update(size=size + len(leaves))
    return size


def lock() -> int:
    """Lock the log until the transaction ends, and return its size: one writer at a time adds leaves."""
    found = rows_of(_locked_size, _LOG)
    if not found:
        LogSize.objects.get_or_create(pk=_LOG)
        found = rows_of(_locked_size, _LOG)
    size: int = found[0][0]
    return size


def _locked_size(log: int) -> QuerySet[LogSize, tuple[int]]:
    return LogSize.objects.select_for_update().filter(pk=log).values_list("size")


def size_of_log(using: str = DEFAULT_DB_ALIAS) -> int:
    return LogSize.objects.using(using).values_list("size", flat=True).first() or 0


def leaves_of_kind(kind: str) -> Iterator[tuple[int, Leaf]]:
    """Yield the leaves of a kind with their indices, in order."""
    rows = LogLeaf.objects.filter(subject__startswith=f"pyramid/{kind}|").order_by("index")
    for index, text in rows.values_list("index", "text").iterator(1000):
        yield index, Leaf.from_text(text)


def root_at(size: int, using: str = DEFAULT_DB_ALIAS) -> bytes:
    """Return the root of the log's first leaves."""
    return merkle.root(tiles_at(merkle.places([(0, size)]), using), size)


def continues(size: int, root: bytes) -> bool:
    """Return True if the first leaves of the log are those of a head."""
    return size <= size_of_log() and root_at(size) == root


def hashes_of(spans: Sequence[merkle.Span]) -> list[bytes]:
    """Return the hashes of subtrees, reading each tile once."""
    tree = tiles_at(merkle.places(spans))
    return [merkle.hash_of(span, tree) for span in spans]


def tiles_at(places: Iterable[merkle.Place], using: str = DEFAULT_DB_ALIAS) -> dict[merkle.Place, bytes]:
    """Return the stored tiles at some places."""
    asked = Q(*(Q(level=level, number=number) for level, number in places), _connector=Q.OR)
    if not asked:
        return {}
    return {(tile.level, tile.number): bytes(tile.hashes) for tile in LogTile.objects.using(using).filter(asked)}


def mistakes_in_log() -> list[str]:
    """Return the mistakes in the stored log: in the number of its leaves, and in hashes that are not theirs."""
    texts = list(LogLeaf.objects.order_by("index").values_list("index", "text").iterator(1000))
    if [index for index, _ in texts] != list(range(size_of_log())):
        return ["the log does not have as many leaves as it had: some were cut off, or added beside it"]
    stored = {(tile.level, tile.number): bytes(tile.hashes) for tile in LogTile.objects.iterator(100)}
    if stored != merkle.tiles(text.encode("ascii") for _, text in texts):
        return ["the stored hashes of the log are not those of its leaves"]
    return []


def _store(tiles: merkle.Tiles) -> None:
    LogTile.objects.bulk_create(
        [LogTile(level=level, number=number, hashes=hashes) for (level, number), hashes in tiles.items()],
        update_conflicts=True,
        unique_fields=["level", "number"],
        update_fields=["hashes"],
        batch_size=100,
    )
