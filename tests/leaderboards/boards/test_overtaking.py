"""Players learn that their place is taken if they were near the top, or if somebody whom they follow passed them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.notifications.models import Notification
from games.notifications.notifications import words_of
from games.personal_data.erasure import erase_player
from games.players.models import Player
from leaderboards.boards import overtaking
from leaderboards.boards.decisions import decide
from leaderboards.boards.following import follow
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.overtaking import tell_overtaken
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, named, submit_score

pytestmark = pytest.mark.django_db


def told() -> list[tuple[str, str, int | None, int | None]]:
    """Return the players who were notified, who passed them, and the ranks before and after."""
    rows = Notification.objects.filter(kind="overtaken").order_by("pk").select_related("player")
    return [(row.player.username, row.facts["by"], row.facts["before"], row.facts["after"]) for row in rows]


def test_a_player_near_the_top_is_told_once_a_day_and_board(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=40), NOON)
    tell_overtaken(NOON)
    assert told() == []
    submit_score(finish(bob, moves=30), NOON)
    for _ in range(2):
        tell_overtaken(NOON)
    assert told() == [("alice", "Bob", 1, 2)]
    row = Notification.objects.get()
    assert row.subject == FEWEST_MOVES
    assert words_of(row) == "Bob has passed you: you are number 2 now (20 Nov 2026, fewest moves)."
    submit_score(finish(named("carol"), moves=20), NOON)
    submit_score(finish(named("dave"), moves=99), NOON)
    tell_overtaken(NOON)
    assert told() == [("alice", "Bob", 1, 2), ("bob", "Carol", 1, 2)]


def test_below_the_top_only_those_whom_one_follows_are_news(
    alice: Player, bob: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overtaking, "TOP", 1)
    submit_score(finish(named("first"), moves=10), NOON)
    submit_score(finish(alice, moves=40), NOON)
    submit_score(finish(bob, moves=30), NOON)
    tell_overtaken(NOON)
    carol, dave = named("carol"), named("dave")
    follow(alice, "carol")
    follow(bob, "dave")
    submit_score(finish(carol, moves=35), NOON)
    submit_score(finish(dave, moves=36), NOON)
    tell_overtaken(NOON)
    assert told() == [("alice", "Carol", None, None)]
    text = words_of(Notification.objects.get())
    assert text == "Carol, whom you follow, has passed you: 20 Nov 2026, fewest moves."


@pytest.mark.parametrize("top", [10, 0])
def test_scores_that_are_verified_in_the_meantime_pass_and_are_passed_like_others(
    alice: Player, bob: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch, top: int
) -> None:
    monkeypatch.setattr(overtaking, "TOP", top)
    follow(alice, "bob")
    first, second = finish(alice, moves=40), finish(bob, moves=30)
    submit_score(first, NOON)
    tell_overtaken(NOON)
    submit_score(second, NOON)
    for game in (first, second):
        decide(Decision(game=game, state=EntryState.VERIFIED, reason="replayed", at=NOON))
    tell_overtaken(NOON)
    assert [row[:2] for row in told()] == [("alice", "Bob")]


def test_decisions_pass_nobody(alice: Player, bob: Player, finish: Finish) -> None:
    best = finish(alice, moves=30)
    submit_score(best, NOON)
    submit_score(finish(bob, moves=40), NOON)
    tell_overtaken(NOON)
    for state in (EntryState.DISQUALIFIED, EntryState.REINSTATED):
        decide(Decision(game=best, state=state, reason="looked at", at=NOON))
        tell_overtaken(NOON)
    assert told() == []


def test_yesterdays_boards_are_left_alone_once_nobody_plays_there(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=40), NOON)
    tell_overtaken(NOON)
    submit_score(finish(bob, moves=30), NOON)
    midnight = NOON.replace(hour=0) + timedelta(days=1)
    tell_overtaken(midnight + timedelta(minutes=30))
    assert told() == []
    tell_overtaken(midnight + timedelta(minutes=29))
    assert told() == [("alice", "Bob", 1, 2)]


def test_the_notification_goes_with_the_account_that_it_names(alice: Player, bob: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=40), NOON)
    tell_overtaken(NOON)
    submit_score(finish(bob, moves=30), NOON)
    tell_overtaken(NOON)
    erase_player(bob, "test", None, NOON)
    assert told() == []


def test_a_round_costs_the_same_however_long_the_board_is(
    finish: Finish, alice: Player, django_assert_max_num_queries: object
) -> None:
    for number in range(30):
        submit_score(finish(named(f"player-{number}"), moves=50 + number), NOON)
    tell_overtaken(NOON)
    submit_score(finish(alice, moves=40), NOON)
    with django_assert_max_num_queries(60):  # type: ignore[operator]
        tell_overtaken(NOON)
    assert len(told()) == 10
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        tell_overtaken(NOON)
