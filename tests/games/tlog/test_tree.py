"""The log in the database only ever grows, one leaf after another, and keeps what proofs are made of."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, connections, transaction

from games.tlog import leaves, merkle, tree
from games.tlog.leaves import LeafError
from games.tlog.models import LogLeaf, LogTile
from tests.guards import guards_dropped

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def numbered(number: int) -> leaves.Leaf:
    return leaves.decision(number, f"{number:064x}")


def fill(count: int) -> None:
    tree.append_all([numbered(number) for number in range(count)], NOW)


def test_leaves_lead_to_the_root_in_their_order(db: None) -> None:
    for number in range(3):
        tree.append(numbered(number), NOW)
    texts = [numbered(number).text.encode() for number in range(3)]
    assert list(LogLeaf.objects.values_list("index", "text")) == [(n, text.decode()) for n, text in enumerate(texts)]
    assert tree.size_of_log() == tree.append_all([], NOW) == 3
    assert tree.root_at(3) == merkle.root(merkle.tiles(texts), 3)
    assert tree.root_at(2) == merkle.root(merkle.tiles(texts), 2)
    assert tree.mistakes_in_log() == []


def test_a_log_of_more_than_one_tile_has_no_mistakes(db: None) -> None:
    fill(merkle.WIDTH - 2)
    for number in range(merkle.WIDTH - 2, merkle.WIDTH + 2):
        tree.append(numbered(number), NOW)
    assert {(tile.level, tile.number): len(tile.hashes) // 32 for tile in LogTile.objects.all()} == {
        (0, 0): 256,
        (0, 1): 2,
        (1, 0): 1,
    }
    assert tree.mistakes_in_log() == []


def test_a_second_leaf_about_one_subject_is_refused(db: None) -> None:
    made = "2026-11-20|standard|main", "hard", NOW
    tree.append(leaves.commitment(*made, "0" * 64), NOW)
    with pytest.raises(IntegrityError):
        tree.append(leaves.commitment(*made, "1" * 64), NOW)
    assert tree.size_of_log() == 1
    assert tree.mistakes_in_log() == []


def test_what_is_not_written_as_a_leaf_is_not_added(db: None) -> None:
    with pytest.raises(LeafError):
        tree.append(leaves.decision(1, "0" * 63), NOW)
    assert tree.size_of_log() == 0


def test_a_leaf_of_a_transaction_that_fails_was_never_there(db: None) -> None:
    with transaction.atomic():
        tree.append(numbered(1), NOW)
        transaction.set_rollback(True)
    assert (tree.size_of_log(), LogTile.objects.count()) == (0, 0)


def test_leaves_added_at_once_get_one_order(transactional_db: None) -> None:
    def add(number: int) -> int:
        try:
            return tree.append(numbered(number), NOW)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        indices = list(pool.map(add, range(24)))
    assert sorted(indices) == list(range(24))
    assert tree.mistakes_in_log() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_logleaf SET text = ''",
        "DELETE FROM games_logleaf",
        "UPDATE games_logtile SET hashes = substr(hashes, 1, 32)",
        "UPDATE games_logtile SET number = 1",
        "DELETE FROM games_logtile",
        "UPDATE games_logsize SET size = 1",
        "DELETE FROM games_logsize",
    ],
)
def test_plain_sql_cannot_change_or_cut_the_log(db: None, statement: str) -> None:
    fill(2)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_logleaf SET text = 'pyramid/decision/2|7|' WHERE \"index\" = 1",
        'DELETE FROM games_logleaf WHERE "index" = 1',
        "UPDATE games_logtile SET hashes = substr(hashes, 33, 32)",
        "DELETE FROM games_logtile",
        "UPDATE games_logsize SET size = 1",
    ],
)
def test_with_the_guards_dropped_every_change_is_found(db: None, statement: str) -> None:
    fill(2)
    with guards_dropped(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert len(tree.mistakes_in_log()) == 1
