"""A week of the leagues is closed once its last day is sealed: once, permanently, and as anyone can compute again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection

from games.notifications.models import Notification
from games.notifications.notifications import words_of
from games.personal_data.erasure import erase_player
from games.players.models import Player
from leaderboards.audit.sealing import seal_days
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.ranking.view import View
from leaderboards.leagues.leagues import close_leagues
from leaderboards.leagues.models import LeagueClosing, LeagueSeat
from leaderboards.leagues.refusals import UnknownLeague
from leaderboards.leagues.tables import career_of, find_group, newest_week, tier_of
from leaderboards.leagues.tiers import Score, Seat, next_seats
from tests.calendar import prepared_dailies
from tests.guards import require_guarded
from tests.leaderboards.conftest import NOON, Finish, ban, named, submit_score

MONDAY = date(2026, 11, 16)
FINAL = datetime(2026, 11, 24, 0, 30, tzinfo=UTC)  # that of Sunday, the 22nd
WEEK = timedelta(days=7)

pytestmark = pytest.mark.django_db


def seats_of(closing: LeagueClosing | None) -> list[Seat]:
    rows = LeagueSeat.objects.filter(closing=closing).order_by("tier", "group", "player")
    return [Seat(*row) for row in rows.values_list("player", "tier", "group", "rank", "idle")]


def computed_again(closing: LeagueClosing) -> list[Seat]:
    """Compute the seats that a closing led to, from the week's board as it was and the seats of earlier weeks."""
    assert closing.board
    entries = View(closing.board, closing.version).entries()
    before = seats_of(LeagueClosing.objects.filter(week=closing.week - WEEK).first())
    earlier = LeagueSeat.objects.filter(closing__week__lt=closing.week).exclude(
        player__in=[seat.player for seat in before]
    )
    resting = dict(earlier.order_by("closing__week").values_list("player", "tier"))
    playing = {player: tier for player, tier in resting.items() if entries.filter(player=player).exists()}
    return next_seats(before, [Score(*row) for row in entries.values_list("player", "key")], playing)


def days_pass(count: int) -> None:
    """Let the days of the first week and the `count` weeks after it have deals."""
    prepared_dailies(NOON, days_ahead=2 + 7 * count)


def play(finish: Finish, order: list[Player], weeks: int = 0) -> None:
    """Let players win on the Friday of a week, the best first."""
    for moves, player in enumerate(order, 40):
        submit_score(finish(player, moves=moves, division="main", days=7 * weeks), NOON + weeks * WEEK)


def closed(at: datetime = FINAL) -> int:
    seal_days(at)
    return close_leagues(at)


@pytest.fixture
def players(alice: Player, bob: Player) -> list[Player]:
    return [alice, bob, named("carol"), named("dave"), named("erin"), named("frank")]


def tiers() -> dict[str, int]:
    closing = LeagueClosing.objects.latest("week")
    return dict(closing.seats.values_list("player__username", "tier"))


def in_two_tiers(players: list[Player], resting: int = 0) -> None:
    """Close the first week with the first three players in tier 1, and the others in tier 2 with a crowd.

    As many of the crowd as are `resting` have not played for four weeks.
    """
    closing = LeagueClosing.objects.create(week=MONDAY - WEEK, sizes=[50, 50], closed_at=FINAL - WEEK)
    names = (f"idle-{number}" for number in range(94))
    crowd = Player.objects.bulk_create(Player(username=name, display_name=name.title()) for name in names)
    idle = dict.fromkeys((player.pk for player in crowd[:resting]), 4)
    LeagueSeat.objects.bulk_create(
        LeagueSeat(closing=closing, player=player, tier=tier, group=1, idle=idle.get(player.pk, 0))
        for tier, members in enumerate([players[:3] + crowd[:47], players[3:] + crowd[47:]], 1)
        for player in members
    )


def test_a_week_is_closed_when_its_last_day_is_sealed_and_not_a_moment_before(
    players: list[Player], finish: Finish
) -> None:
    play(finish, players)
    days_pass(0)
    assert closed(FINAL - timedelta(milliseconds=1)) == 0
    assert newest_week() is None
    assert closed() == 1
    assert closed() == 0
    closing = LeagueClosing.objects.get()
    assert (closing.week, closing.sizes) == (MONDAY, [6])
    assert tiers() == dict.fromkeys((player.username for player in players), 1)


def test_nothing_is_closed_before_anyone_has_played_in_main(alice: Player, finish: Finish) -> None:
    submit_score(finish(alice), NOON)  # in the division open
    days_pass(0)
    assert closed() == 0


def test_the_best_move_up_and_the_last_down_and_who_does_not_play_stays(players: list[Player], finish: Finish) -> None:
    in_two_tiers(players)
    play(finish, players)
    days_pass(0)
    assert closed() == 1
    after = tiers()
    assert [after[player.username] for player in players] == [1, 1, 2, 1, 2, 2]
    assert after["idle-0"] == 1
    assert after["idle-93"] == 2
    told = {row.player.username: words_of(row) for row in Notification.objects.filter(kind="league")}
    assert told["carol"] == "You move down to tier 2 of the leagues, group 1."
    assert told["dave"] == "You move up to tier 1 of the leagues, group 1."
    assert set(told) == {"carol", "dave"}


def test_the_group_tells_who_would_move_and_then_who_did(players: list[Player], finish: Finish) -> None:
    in_two_tiers(players)
    play(finish, players)
    days_pass(0)
    for is_over in (False, True):
        first, second = find_group("2026-W47", 1, 1), find_group("2026-W47", 2, 1)
        assert [(row.player.username, row.rank, row.tiers_down) for row in first.rows[:4]] == [
            *(("alice", 1, 0), ("bob", 2, 0), ("carol", 3, 1)),
            ("idle-0", None, 0),
        ]
        assert [row.tiers_down for row in second.rows[:4]] == [-1, 0, 0, 0]
        assert (len(first.rows), first.week.is_over) == (50, is_over)
        closed()
    assert [(week.rank, week.tiers_down) for week in career_of(players[2]).weeks] == [(3, 1)]


@pytest.mark.parametrize(("newcomers", "resting"), [(0, 0), (1, 0), (0, 50)])
def test_the_group_tells_who_would_move_to_a_tier_that_opens_or_from_one_that_closes(
    players: list[Player], finish: Finish, newcomers: int, resting: int
) -> None:
    in_two_tiers(players, resting)
    play(finish, [*players, *(named(f"new-{number}") for number in range(newcomers))])
    days_pass(0)

    def moves() -> dict[str, int]:
        groups = [find_group("2026-W47", tier, 1) for tier in (1, 2)]
        return {row.player.username: row.tiers_down for group in groups for row in group.rows}

    before = moves()
    closed()
    assert moves() == before
    assert (before["carol"], before["frank"]) == {(0, 0): (1, 0), (1, 0): (1, 1), (0, 50): (0, -1)}[newcomers, resting]


def test_the_seats_can_be_computed_again_from_the_stored_data(players: list[Player], finish: Finish) -> None:
    in_two_tiers(players)
    play(finish, players)
    play(finish, [*players[1:4], named("late")], weeks=1)
    days_pass(1)
    assert closed(FINAL + WEEK) == 2
    for closing in LeagueClosing.objects.filter(week__gte=MONDAY):
        assert computed_again(closing) == seats_of(closing)


def test_a_late_joiner_gets_the_lowest_tier_in_the_week_after(players: list[Player], finish: Finish) -> None:
    in_two_tiers(players)
    late = named("late")
    play(finish, [late, *players])
    days_pass(0)
    assert tier_of(late) is None
    closed()
    assert tiers()["late"] == 3
    assert Notification.objects.filter(player=late, kind="league").count() == 1


def test_weeks_without_a_game_follow_each_other_and_players_come_back_where_they_were(
    players: list[Player], finish: Finish
) -> None:
    in_two_tiers(players)
    play(finish, players)
    days_pass(5)
    assert closed(FINAL + 5 * WEEK) == 6
    assert career_of(players[2]).group is None
    assert (career_of(players[2]).tier, newest_week().sizes) == (1, [0])  # type: ignore[union-attr]
    play(finish, [players[2], named("new")], weeks=6)
    assert closed(FINAL + 6 * WEEK) == 1
    assert tiers() == {"carol": 1, "new": 1}, "one tier is open to two players"
    assert career_of(players[2]).weeks[0].rank is None


def test_who_did_not_play_in_a_tier_that_closes_moves_up_on_all_tables(alice: Player, bob: Player) -> None:
    weeks = MONDAY - WEEK, MONDAY
    for week, lowest in zip(weeks, (2, 1), strict=True):
        closing = LeagueClosing.objects.create(week=week, sizes=[1, 1] if lowest > 1 else [2], closed_at=FINAL)
        for player, tier in ((alice, 1), (bob, lowest)):
            LeagueSeat.objects.create(closing=closing, player=player, tier=tier, group=1)
    [row] = find_group("2026-W47", 2, 1).rows
    [played] = career_of(bob).weeks
    assert (row.rank, row.tiers_down) == (played.rank, played.tiers_down) == (None, -1)


def test_who_is_banned_in_the_week_has_not_played_and_is_not_shown(players: list[Player], finish: Finish) -> None:
    in_two_tiers(players)
    play(finish, players)
    days_pass(0)
    ban(players[0], "mallory in disguise", named("staff", is_staff=True), NOON)
    assert "alice" not in [row.player.username for row in find_group("2026-W47", 1, 1).rows]
    closed()
    assert tiers()["alice"] == 1
    assert LeagueSeat.objects.get(closing__week=MONDAY, player=players[0]).rank is None
    assert LeagueSeat.objects.get(closing__week=MONDAY, player=players[1]).rank == 1


def test_who_deletes_the_account_in_the_week_keeps_a_nameless_place(players: list[Player], finish: Finish) -> None:
    in_two_tiers(players)
    play(finish, players)
    days_pass(0)
    erase_player(players[3], "asked for it", None, NOON)
    closed()
    first = find_group("2026-W47", 2, 1).rows[0].player
    assert (first.pk, first.listed_name) == (players[3].pk, "Closed account")
    assert not Notification.objects.filter(player=players[3]).exists()


def test_a_later_decision_leaves_the_closed_week_as_it_was(players: list[Player], finish: Finish) -> None:
    in_two_tiers(players)
    play(finish, players)
    days_pass(0)
    closed()
    before, seats = find_group("2026-W47", 1, 1), seats_of(LeagueClosing.objects.latest("week"))
    reviewers = {"by": named("staff-1", is_staff=True), "confirmed_by": named("staff-2", is_staff=True)}
    game = players[0].games.get()
    decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="looked at", at=FINAL + WEEK, **reviewers))
    assert find_group("2026-W47", 1, 1) == before
    assert computed_again(LeagueClosing.objects.latest("week")) == seats


def test_a_ban_after_the_week_leaves_who_did_not_play_in_the_closed_group(
    players: list[Player], finish: Finish
) -> None:
    in_two_tiers(players)
    play(finish, players[1:])
    days_pass(0)
    closed()
    before = [(row.player.username, row.rank, row.tiers_down) for row in find_group("2026-W47", 1, 1).rows]
    ban(players[0], "mallory in disguise", named("staff", is_staff=True), FINAL + WEEK)
    assert [(row.player.username, row.rank, row.tiers_down) for row in find_group("2026-W47", 1, 1).rows] == before


def test_nobody_changes_a_closed_week(players: list[Player], finish: Finish) -> None:
    play(finish, players)
    days_pass(0)
    closed()
    changes = ("UPDATE leaderboards_{} SET id = id + 1", "DELETE FROM leaderboards_{}")
    require_guarded(*(change.format(table) for change, table in product(changes, ("leagueclosing", "leagueseat"))))


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_close_a_week_once(players: list[Player], finish: Finish) -> None:
    play(finish, players)
    days_pass(0)
    seal_days(FINAL)

    def work(_: int) -> int:
        try:
            return close_leagues(FINAL)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 1
    assert LeagueClosing.objects.count() == 1
    assert LeagueSeat.objects.count() == Notification.objects.filter(kind="league").count() == 6


@pytest.mark.parametrize("week", ["2026-W99", "2026W47", "2026-11-16", "", "0001-W01", "9999-W53", "2026-W47-1"])
def test_a_week_that_does_not_exist_has_no_groups(week: str) -> None:
    with pytest.raises(UnknownLeague):
        find_group(week, 1, 1)
    with pytest.raises(UnknownLeague):
        find_group("2026-W47", 10**30, 1)
    with pytest.raises(ObjectDoesNotExist):
        LeagueClosing.objects.latest("week")
