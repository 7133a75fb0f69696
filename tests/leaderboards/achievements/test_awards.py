"""Achievements come with the games that take them, once, and go with the games that no longer count."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.notifications.models import Notification
from games.play.models import Game, GameKind
from games.players.models import Player
from games.rules import RULE_SETS
from games.statistics.models import Tally, UncountedGame
from games.statistics.tallies import count_games, recount
from leaderboards.achievements.awards import award_for_games, awards_of
from leaderboards.achievements.catalog import ACHIEVEMENTS, Career, Win, codes_of_career, codes_of_win
from leaderboards.achievements.models import Award
from leaderboards.boards.decisions import decide, lift_ban
from leaderboards.boards.models import Decision, EntryState
from leaderboards.cups.results import CupCareer
from leaderboards.seasons.seasons import Place
from tests.calendar import prepared_dailies
from tests.games.statistics.test_tallies import ACTS, DAY, NOON, PAR, World, deal_of, finished
from tests.guards import undone
from tests.leaderboards.conftest import NOON as IN_NOVEMBER
from tests.leaderboards.conftest import Finish, named, submit_score
from tests.leaderboards.seasons import test_seasons as seasons
from tests.processes import PROJECT

pytestmark = pytest.mark.django_db(transaction=True)

LATER = NOON + 2 * DAY


def codes(player: Player) -> set[str]:
    return set(Award.objects.filter(player=player).values_list("code", flat=True))


def won(player: Player, *, is_ranked: bool = True, **fields: Any) -> Game:
    return finished(player, NOON, deal_of(NOON.date(), "standard"), is_ranked=is_ranked, **fields)


def tally(kind: GameKind = GameKind.DAILY, rules: str = "standard", **sums: Any) -> Tally:
    return Tally(kind=kind, rules=rules, **sums)


def test_a_first_win_is_awarded_and_told_once(alice: Player, bob: Player) -> None:
    won(alice)
    won(bob, cards_left=3)
    for _ in range(2):
        count_games(LATER)
        recount([alice.pk, bob.pk])
    assert codes(alice) == {"first-win", "daily-win", "no-undo", "in-two-minutes", "in-a-minute", "few-draws"}
    assert codes(bob) == set()
    told = Notification.objects.filter(player=alice, kind="achievement")
    assert {row.subject for row in told} == codes(alice)
    assert told.count() == len(codes(alice))


def test_par_and_line_of_a_days_deal_are_not_told_by_an_achievement_before_the_day_is_over(alice: Player) -> None:
    won(alice, moves=PAR)
    count_games(NOON)
    recount([alice.pk])
    assert codes(alice) == {"first-win", "daily-win"}
    count_games(LATER)
    assert codes(alice) >= {"at-par", "near-par", "daily-at-par", "few-draws", "no-undo"}


def test_what_a_disqualified_game_took_is_taken_back_and_comes_again_with_it(alice: Player) -> None:
    game, staff = won(alice), named("staff", is_staff=True)
    count_games(NOON)
    had = codes(alice)

    def decided(state: EntryState) -> None:
        decide(Decision(game=game, state=state, reason="looked at", by=staff, at=NOON))

    decided(EntryState.DISQUALIFIED)
    assert had
    assert codes(alice) == set()
    decided(EntryState.REINSTATED)
    assert codes(alice) == had
    assert Notification.objects.filter(player=alice, kind="achievement").count() == len(had)


def test_a_hint_takes_the_style_out_of_a_win(alice: Player) -> None:
    won(alice, is_ranked=False, hints=1)
    count_games(NOON)
    assert codes(alice) == {"first-win"}


@pytest.mark.usefixtures("alice")
def test_a_whole_batch_is_awarded_in_a_few_statements() -> None:
    players = [Player.objects.create(username=f"p{number}", display_name="P") for number in range(60)]
    games = {won(player).pk for player in players}
    UncountedGame.objects.all().delete()
    with CaptureQueriesContext(connection) as few:
        award_for_games({next(iter(games))}, NOON)
    Award.objects.all().delete()
    with CaptureQueriesContext(connection) as many:
        award_for_games(games, NOON)
    assert Award.objects.count() == 60 * 4  # nothing of theirs is in the tallies yet
    assert len(many) == len(few)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ACTS, min_size=4, max_size=14))
def test_what_is_awarded_as_games_end_is_what_all_games_amount_to(
    alice: Player, bob: Player, acts: list[tuple[Any, ...]]
) -> None:
    with undone():
        world = World([alice, bob])
        for act in acts:
            world.act(act)
        for player in world.players:
            lift_ban(player)
        count_games(world.now + timedelta(days=3))
        awarded = [codes(player) for player in world.players]
        Award.objects.all().delete()
        recount([alice.pk, bob.pk])
        assert [codes(player) for player in world.players] == awarded


def test_a_season_that_is_closed_awards_its_best_once(alice: Player, finish: Finish) -> None:
    submit_score(finish(alice, moves=40), IN_NOVEMBER)
    prepared_dailies(IN_NOVEMBER + timedelta(days=1), days_ahead=9)
    assert seasons.closed() == 1
    assert codes(alice) == {"season-podium", "season-first"}


@pytest.mark.parametrize(
    ("career", "code"),
    [
        (Career(tallies=[tally(won=10)]), "daily-wins-10"),
        (Career(tallies=[tally(won=60), tally(rules="giza", won=40)]), "daily-wins-100"),
        (Career(tallies=[tally(GameKind.RACE, won=10)]), "race-wins-10"),
        (Career(days_played=10), "days-10"),
        (Career(days_won=30), "days-won-30"),
        (Career(tallies=[tally(GameKind.PRACTICE, over_par=[0, 0, 1])]), "near-par"),
        (Career(tallies=[tally(over_par=[6]), tally(GameKind.RACE, over_par=[4])]), "at-par-10"),
        (Career(tallies=[tally(rules=rules, won=1) for rules in RULE_SETS]), "rules-all"),
        (Career(tallies=[tally(rules="double-pyramid", won=1)]), "two-decks"),
        (Career(tallies=[tally(rules="pyramid-thirteen", won=1)]), "face-down"),
        (Career(tallies=[tally(rules="cell", won=1)]), "cells"),
        (Career(tallies=[tally(rules="single-pass", won=1)]), "one-pass"),
        (Career(seasons=[Place(40, 10)]), "season-top-10"),
        (Career(seasons=[Place(3, None)]), "season-podium"),
        (Career(seasons=[Place(2, None), Place(1, 1)]), "season-first"),
        (Career(cups=[CupCareer(2, 60, is_in_final=False)]), "cup"),
        (Career(cups=[CupCareer(1, 4, is_in_final=True)]), "cup-final"),
        (Career(cups=[CupCareer(2, 1, is_in_final=True), CupCareer(1, 1, is_in_final=False)]), "cup-win"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_career_amounts_to_it_and_a_career_without_anything_does_not(career: Career, code: str) -> None:
    assert code in codes_of_career(career)
    assert codes_of_career(Career()) == set()
    assert codes_of_career(Career(tallies=[tally(played=5)], seasons=[])) == set()


@pytest.mark.parametrize(
    ("win", "expected"),
    [
        (Win("standard", 40, 200_000, 9, 1, 1), set()),
        (Win("standard", 40, 200_000, 9, 0, 1), {"no-recycle"}),
        (Win("single-pass", 40, 200_000, 9, 0, 1), set()),
        (Win("standard", 40, 200_000, 8, 1, 1), {"few-draws"}),
        (Win("standard", 40, 120_000, 9, 1, 0), {"no-undo", "in-two-minutes"}),
        (Win("standard", 40, 60_000, 9, 1, 1), {"in-two-minutes", "in-a-minute"}),
    ],
)
def test_a_win_amounts_to_exactly_this(win: Win, expected: set[str]) -> None:
    assert codes_of_win(win) == expected


def test_codes_are_short_and_different_and_the_documents_have_them_all() -> None:
    listed = [each.code for each in ACHIEVEMENTS]
    assert len(set(listed)) == len(listed)
    assert all(len(code) <= 24 for code in listed)
    assert all((each.of_career is None) != (each.of_win is None) for each in ACHIEVEMENTS)
    text = (PROJECT / "docs" / "profiles.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| (.+) \| (.+) \|$", text.partition("## Achievements")[2], re.MULTILINE)
    assert rows == [(each.code, str(each.title), str(each.text)) for each in ACHIEVEMENTS]


def test_an_award_whose_achievement_is_gone_is_not_shown(alice: Player) -> None:
    Award.objects.create(player=alice, code="of-old", at=NOON)
    assert awards_of(alice) == []
