"""Queries whose SQL is made once find what the ORM finds."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.db.models import QuerySet

from games.players.models import Player
from games.runtime.kept_queries import LONGEST_KEPT, instances_of, rows_of

pytestmark = pytest.mark.django_db

# Some of these types are made from others that SQLite stores.
FIELDS = ("pk", "username", "is_bot", "date_joined", "banned_at")


def named(names: Sequence[str], *, is_bot: bool) -> QuerySet[Player, Any]:
    return Player.objects.filter(username__in=names, is_bot=is_bot).order_by("pk").values_list(*FIELDS)


def others(first: int | None, name: str) -> QuerySet[Player, Any]:
    beside = Player.objects.exclude(username=name).order_by("pk")
    return (beside if first is None else beside.filter(pk__gte=first)).values_list(*FIELDS)


@pytest.fixture(autouse=True)
def players() -> list[Player]:
    """Two people and a bot."""
    return [Player.objects.create(username=name, is_bot=name == "carol") for name in ("alice", "bob", "carol")]


@pytest.mark.parametrize(
    ("names", "people", "bots"),
    [
        ([], 0, 0),
        (["alice"], 1, 0),
        (["bob"], 1, 0),
        (["carol"], 0, 1),
        (["dave", "alice"], 1, 0),
        (["carol", "alice", "bob"], 2, 1),
    ],
)
def test_any_number_of_values_finds_their_rows(names: list[str], people: int, bots: int) -> None:
    for is_bot, count in ((False, people), (True, bots)):
        found = rows_of(named, names, is_bot=is_bot)
        assert found == list(named(names, is_bot=is_bot))
        assert len(found) == count


def test_numbers_texts_and_nothing_are_each_passed_on(players: list[Player]) -> None:
    for first, beside in ((None, 2), (players[1].pk, 2), (players[2].pk, 1), (players[2].pk + 1, 0), (None, 2)):
        found = rows_of(others, first, "alice")
        assert found == list(others(first, "alice"))
        assert len(found) == beside
    assert len(rows_of(others, None, "it's % \\ 😀")) == len(players)


def with_owner(names: Sequence[str]) -> QuerySet[Player]:
    return Player.objects.filter(username__in=names).select_related("owner", "owner__owner").order_by("pk")


def test_rows_are_found_as_objects_with_those_that_belong_to_them(
    players: list[Player], django_assert_num_queries: Any
) -> None:
    alice, _, carol = players
    Player.objects.filter(pk=carol.pk).update(owner=alice)
    for names in ([], ["bob"], ["carol"], ["carol", "alice"]):
        with django_assert_num_queries(1 if names else 0):
            found = instances_of(with_owner, names)
            owners = [player.owner for player in found]
            assert [owner.owner for owner in owners if owner] == [None] * ("carol" in names)
        assert owners == [alice if player == carol else None for player in found]
        known = [{**vars(player), "_state": vars(player._state)} for player in with_owner(names)]
        assert [{**vars(player), "_state": vars(player._state)} for player in found] == known


def test_the_query_is_made_once_for_each_shape_and_for_long_lists_each_time() -> None:
    made = []

    def counted(names: Sequence[str], limit: int) -> QuerySet[Player, Any]:
        made.append(len(names))
        return Player.objects.filter(username__in=names).order_by("pk").values_list("username")[:limit]

    assert rows_of(counted, ["alice"], limit=9) == [("alice",)]
    assert rows_of(counted, ["bob"], limit=9) == [("bob",)]
    assert rows_of(counted, ["bob", "alice"], limit=9) == [("alice",), ("bob",)]
    assert rows_of(counted, ["bob", "alice"], limit=1) == [("alice",)]
    assert made == [1, 2, 2]
    many = [f"player-{number}" for number in range(LONGEST_KEPT)]
    for _ in range(2):
        assert rows_of(counted, [*many, "bob"], limit=9) == [("bob",)]
    assert made == [1, 2, 2, LONGEST_KEPT + 1, LONGEST_KEPT + 1], "what many long lists have made fills the memory"


def test_a_query_that_changes_what_is_given_is_refused() -> None:
    def next_after(pk: int) -> QuerySet[Player, Any]:
        return Player.objects.filter(pk=pk + 1).values_list("username")

    with pytest.raises(ValueError, match="pass on"):
        rows_of(next_after, 1)
