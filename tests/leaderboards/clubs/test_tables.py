"""A club's table is the board's rows of its members, with ranks counted among them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.players.models import Player
from leaderboards.boards.models import Entry
from leaderboards.boards.submission import submit
from leaderboards.clubs import membership
from leaderboards.clubs.founding import found
from leaderboards.clubs.membership import join, leave
from leaderboards.clubs.models import Club
from tests.games.api import Api, refusal
from tests.leaderboards.api import ranks
from tests.leaderboards.clubs.conftest import EVE, terms
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, WEEK, Finish, ban, named, submit_score

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_noon")]


def table(club: Club, slug: str = FEWEST_MOVES, **query: str | int) -> list[tuple[int, str]]:
    return ranks(Api().get(f"/api/clubs/{club.pk}/boards/{slug}/", query))


def test_ranks_are_those_among_the_members(club: Club, alice: Player, bob: Player, finish: Finish) -> None:
    for player, moves in ((named("mallory"), 30), (bob, 40), (named("carol"), 50), (alice, 60)):
        submit_score(finish(player, moves=moves), NOON)
    assert table(club) == table(club, WEEK) == [(1, "bob"), (2, "alice")]
    assert table(club, around="alice", limit=1) == [(2, "alice")]
    row = Api().get(f"/api/clubs/{club.pk}/boards/{FEWEST_MOVES}/players/alice/").json()["row"]
    assert (row["rank"], row["place"]) == (2, 2)
    outside = Api().get(f"/api/clubs/{club.pk}/boards/{FEWEST_MOVES}/players/mallory/")
    assert refusal(outside) == (404, "not_on_board")
    assert refusal(Api().get(f"/api/clubs/{'0' * 12}/boards/{FEWEST_MOVES}/")) == (404, "unknown_club")


def test_a_club_costs_no_rows(club: Club, alice: Player, finish: Finish) -> None:
    submit_score(finish(named("carol")), NOON)
    alone = Entry.objects.count()
    submit_score(finish(alice), NOON)
    assert Entry.objects.count() == 2 * alone


def test_a_day_counts_for_the_clubs_one_was_in_when_it_opened(club: Club, bob: Player, finish: Finish) -> None:
    carol = named("carol")
    join(club.pk, carol, NOON)
    leave(club.pk, bob, NOON)
    submit([finish(carol, moves=30).pk, finish(bob, moves=40).pk], NOON)
    assert table(club) == [(1, "bob")]


def test_who_left_before_a_day_opened_is_not_on_its_table(club: Club, bob: Player, finish: Finish) -> None:
    leave(club.pk, bob, EVE + timedelta(hours=1))
    submit_score(finish(bob), NOON)
    assert table(club) == []
    assert table(club, WEEK) == []


def test_a_member_who_left_counts_as_of_then(club: Club, bob: Player, finish: Finish) -> None:
    submit_score(finish(bob), NOON)
    leave(club.pk, bob, NOON)
    submit_score(finish(named("dave"), days=1), NOON + timedelta(days=1))
    assert table(club, WEEK, as_of=NOON.isoformat()) == [(1, "bob")]


def test_a_banned_account_leaves_the_table_and_stays_a_member(club: Club, bob: Player, finish: Finish) -> None:
    submit_score(finish(bob), NOON)
    ban(bob, "cheated", None, NOON)
    assert table(club) == []
    assert len(Api().get(f"/api/clubs/{club.pk}/").json()["members"]) == 2


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    moves=st.lists(st.integers(10, 14), min_size=1, max_size=9),
    inside=st.lists(st.booleans(), min_size=9, max_size=9),
    limit=st.integers(1, 4),
)
def test_list_rank_around_and_count_agree(moves: list[int], inside: list[bool], limit: int, finish: Finish) -> None:
    suffix = Player.objects.count()
    owner = named(f"owner-{suffix}")
    club = found(owner, terms(f"Club {suffix}"), EVE)
    players = [named(f"player-{suffix}-{number}") for number in range(len(moves))]
    for player, is_inside in zip(players, inside, strict=False):
        if is_inside:
            club.memberships.create(player=player, joined_at=EVE)
    submit([finish(player, moves=each).pk for player, each in zip(players, moves, strict=True)], NOON)
    found_rows, address = [], f"/api/clubs/{club.pk}/boards/{FEWEST_MOVES}/"
    page = Api().get(address, {"limit": limit}).json()
    count = page["count"]
    found_rows += page["rows"]
    while page["next"]:
        page = Api().get(address, {"limit": limit, "cursor": page["next"]}).json()
        found_rows += page["rows"]
    members = sorted(each for each, is_inside in zip(moves, inside, strict=False) if is_inside)
    assert [row["rank"] for row in found_rows] == [1 + sum(other < each for other in members) for each in members]
    assert count == len(members)
    for row in found_rows:
        handle = row["player"]["handle"]
        assert Api().get(f"{address}players/{handle}/").json()["row"] == row
        assert row in Api().get(address, {"around": handle, "limit": limit}).json()["rows"]


def test_owner_and_officers_change_no_score() -> None:
    assert set(membership.RULES) == {
        *("invite", "admit", "decline", "ban", "unban", "remove", "appoint", "demote", "hand_over")
    }
