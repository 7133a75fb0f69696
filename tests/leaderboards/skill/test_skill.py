"""The results of people on a deal, and the shares of players in theirs: of known variances, and of stored games."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from django.test import Client

from games.calendar.models import DailyDeal, Deal
from games.deals.daily import first_day_not_public
from games.play.models import Game
from games.play.starting import start_ranked
from games.players.models import Player
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from leaderboards.skill import measuring
from leaderboards.skill.deal_results import count_results
from leaderboards.skill.estimating import Results, Share, components, shares
from leaderboards.skill.measuring import measure_skill
from leaderboards.skill.models import DealResults, PlayerShare
from tests.games.api import Api, refusal
from tests.leaderboards.conftest import NOON, Finish, ban, named

PLAYER, DEAL, REST = 4.0, 9.0, 16.0
OVER = NOON.replace(hour=0, minute=30) + timedelta(days=1)


def year(seed: int, players: int = 120, deals: int = 200) -> tuple[np.ndarray, Results]:
    """Return the effects of players, and the games of those of them who came, some often and some rarely."""
    dice = np.random.default_rng(seed)
    effects, of_deals = dice.normal(0, PLAYER**0.5, players), dice.normal(0, DEAL**0.5, deals)
    own, dealt = np.nonzero(dice.random((players, deals)) < 0.8 * dice.random((players, 1)))
    values = 10 + effects[own] + of_deals[dealt] + dice.normal(0, REST**0.5, len(own))
    return effects, Results.of(own, dealt, values)


def test_the_variances_of_simulated_games_are_found() -> None:
    found = np.array([components(year(seed)[1]) for seed in range(20)])
    assert found.mean(axis=0) == pytest.approx([PLAYER, DEAL, REST], rel=0.1)


def test_the_intervals_contain_the_true_shares_about_as_often_as_they_say() -> None:
    hits: list[tuple[bool, bool]] = []
    for seed in range(20):
        effects, results = year(seed)
        for share in shares(results):
            total = effects[share.player] ** 2 + DEAL + REST
            by_player, by_deal = effects[share.player] ** 2 / total, DEAL / total
            hits.append(
                (
                    share.by_player_low <= by_player <= share.by_player_high,
                    share.by_deal_low <= by_deal <= share.by_deal_high,
                )
            )
    assert len(hits) > 1000
    assert all(0.9 < of < 0.99 for of in np.mean(hits, axis=0))


def test_what_is_all_the_deal_is_said_to_be_the_deal() -> None:
    own, dealt = (column.ravel() for column in np.indices((40, 40)))
    for share in shares(Results.of(own, dealt, dealt * 1.0)):
        assert (share.by_player, share.by_deal) == pytest.approx((0, 1))


def test_games_that_are_all_alike_have_no_shares_beyond_nothing() -> None:
    own, dealt = (column.ravel() for column in np.indices((40, 40)))
    assert {share[3:] for share in shares(Results.of(own, dealt, own * 0.0))} == {(0.0,) * 6}


@pytest.mark.parametrize(("players", "deals"), [(40, 29), (1, 60), (2, 5)])
def test_nothing_is_said_of_too_few_games(players: int, deals: int) -> None:
    own, dealt = (column.ravel() for column in np.indices((players, deals)))
    dice = np.random.default_rng(1)
    assert shares(Results.of(own, dealt, dice.normal(size=len(own)))) == []


def test_a_player_of_29_games_is_passed_over_and_one_of_30_is_not() -> None:
    own, dealt = (column.ravel() for column in np.indices((20, 60)))
    played = (own > 1) | (dealt < 29 + own)
    values = np.random.default_rng(1).normal(size=len(own))
    assert {share.player: share.games for share in shares(Results.of(own[played], dealt[played], values[played]))} == {
        1: 30,
        **dict.fromkeys(range(2, 20), 60),
    }


@pytest.fixture
def measured(daily: DailyDeal) -> Deal:
    """The deal of the day with par and the results of reference players."""
    Deal.objects.filter(pk=daily.deal_id).update(
        is_winnable=True, par=38, greedy_moves=45, careless_wins=14, careful_wins=20, grade="easy"
    )
    return Deal.objects.get(pk=daily.deal_id)


@pytest.fixture
def games(measured: Deal, alice: Player, bob: Player, robot: Player, finish: Finish) -> list[Game]:
    return [finish(alice, moves=40), finish(bob, cards_left=2), finish(robot, moves=38)]


def counted() -> list[tuple[object, ...]]:
    return list(DealResults.objects.filter(played__gt=0).values_list("played", "won", "lost", "over_par"))


def test_the_results_of_people_are_counted_once_the_day_is_over(games: list[Game], measured: Deal) -> None:
    count_results(OVER - timedelta(milliseconds=1))
    assert counted() == []
    count_results(OVER)
    assert counted() == [(2, 1, [0, 0, 1], [0, 0, 1])]
    assert count_results(OVER) == 0


@pytest.mark.django_db(transaction=True)
def test_an_attempt_that_nobody_has_ended_yet_is_counted_as_its_time_ends_it(games: list[Game]) -> None:
    start_ranked(named("carol"), "standard", NOON)
    count_results(OVER)
    assert counted() == [(3, 1, [0, 0, 1, *[0] * 25, 1], [0, 0, 1])]


def test_a_decision_has_the_deal_counted_again(games: list[Game]) -> None:
    count_results(OVER)
    staff = named("staff", is_staff=True)
    for state, expected in (
        (EntryState.DISQUALIFIED, (1, 0, [0, 0, 1], [])),
        (EntryState.REINSTATED, (2, 1, [0, 0, 1], [0, 0, 1])),
    ):
        decide(Decision(game=games[0], state=state, reason="looked at", by=staff, at=OVER))
        count_results(OVER)
        assert counted() == [expected]


def test_results_are_refused_before_the_day_is_over_and_before_they_are_counted(
    games: list[Game], measured: Deal, at_noon: None
) -> None:
    address = f"/api/deals/{measured.pk}/results/"
    assert refusal(Api().get(address)) == (409, "deal_not_yet")
    count_results(OVER)  # by a worker whose clock is ahead
    assert refusal(Api().get(address)) == (409, "deal_not_yet")
    assert refusal(Api().get("/api/deals/nothing/results/")) == (404, "unknown_deal")


def test_anyone_reads_the_results_of_a_past_day(games: list[Game], measured: Deal) -> None:
    count_results(OVER)
    answer = Api().get(f"/api/deals/{measured.pk}/results/").json()
    assert (answer["par"], answer["played"], answer["won"]) == (38, 2, 1)
    assert (answer["lost"], answer["over_par"]) == ([0, 0, 1], [0, 0, 1])
    assert answer["references"] == {"orders": 24, "careless_wins": 14, "careful_wins": 20, "greedy_moves": 45}
    page = Client().get(f"/deals/{measured.pk}/").content.decode()
    assert "1 of 2 first attempts won." in page
    assert "a careless reference player wins 14, a careful one 20" in page
    assert "won, 2 over par" in page
    assert "2 cards left" in page


def share_of(player: Player) -> PlayerShare:
    measured = Share(player.pk, 48, -1.94, 0.11, 0.03, 0.22, 0.31, 0.25, 0.38)
    facts = {name: value for name, value in measured._asdict().items() if name != "player"}
    return PlayerShare.objects.create(player=player, rules="standard", at=NOON, **facts)


def test_the_page_of_a_player_says_how_much_is_skill_with_its_interval(alice: Player, bob: Player) -> None:
    share_of(alice)
    page = Client().get("/players/alice/").content.decode()
    assert "the player explains 11%" in page
    assert "(3 to 22), the deal 31% (25 to 38). The other 58% have other reasons" in page
    assert "others leave 1.9 more cards" in page
    assert "skill-heading" not in Client().get("/players/bob/").content.decode()
    answer = Api().get("/api/players/alice/skill/").json()
    assert answer["skills"][0]["by_player"] == {"share": 0.11, "low": 0.03, "high": 0.22}
    assert Api().get("/api/players/bob/skill/").json()["skills"] == []
    assert refusal(Api().get("/api/players/nobody/skill/")) == (404, "unknown_player")


def test_nothing_is_said_of_a_banned_player(alice: Player) -> None:
    share_of(alice)
    ban(alice, "a program", None, NOON)
    assert Api().get("/api/players/alice/skill/").json()["skills"] == []


def test_all_are_measured_from_stored_games_and_again_without_doubles(games: list[Game], alice: Player) -> None:
    share_of(alice)
    assert measure_skill(OVER) == 0
    assert not PlayerShare.objects.exists()


def test_enough_stored_games_are_measured(finish: Finish) -> None:
    dice = np.random.default_rng(1)
    players = [named(f"p{number}") for number in range(4)]
    for day in range(31):
        for index, player in enumerate(players):
            finish(player, cards_left=int(dice.integers(1, 9)) + 4 * index, days=-day)
    for _ in range(2):
        assert measure_skill(OVER) == 4
    effects = dict(PlayerShare.objects.values_list("player__username", "effect"))
    assert sorted(effects, key=lambda handle: effects[handle]) == [player.username for player in players]
    assert set(PlayerShare.objects.values_list("games", flat=True)) == {31}


def test_no_more_days_are_looked_at_than_the_worker_can_hold_the_games_of(
    finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in range(3):
        daily = finish(named(f"p{day}"), cards_left=5, days=-day).daily
        DealResults.objects.update_or_create(daily=daily, defaults={"played": 2, "won": 0})
    end = first_day_not_public(OVER)
    assert measuring._first_day(end) == end - timedelta(days=measuring.DAYS)
    monkeypatch.setattr(measuring, "MOST_GAMES", 4)
    assert measuring._first_day(end) == NOON.date() - timedelta(days=1)
