"""The course of a retest over the player's doors: offered, answered, played, ended; and what nobody gets out of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction

from games.calendar.models import Deal
from games.notifications.notifications import address_of, newest_of, words_of
from games.personal_data.erasure import erase_player
from games.play.models import Game, GameKind
from games.play.scores import counting
from games.players.models import Player
from games.practice.stock import certified_for
from games.rules import RULE_SETS
from games.statistics.statistics import statistics_of
from games.statistics.tallies import count_games
from leaderboards.boards.models import Entry
from leaderboards.moderation.log import mistakes_in_log
from leaderboards.moderation.models import Act, Case, LogLine
from leaderboards.moderation.refusals import BadDecision, NotTaken, UnknownCase
from leaderboards.retests.models import Retest, RetestDeal
from leaderboards.retests.offering import MOST_OF_A_CASE, Terms, offer
from leaderboards.retests.playing import accept, decline, play_next
from leaderboards.retests.refusals import NotRetestable, RetestNotOpen
from leaderboards.retests.supervising import end_due
from tests.games.api import Api, refusal
from tests.leaderboards.conftest import NOON, Finish, ban
from tests.leaderboards.retests.conftest import LATER, TERMS

pytestmark = pytest.mark.django_db(transaction=True)

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def steps_of(case: Case) -> list[Any]:
    return [line.facts["step"] for line in LogLine.objects.filter(case=case, act=Act.RETEST).order_by("number")]


def sitting(retest: Retest, player: Player) -> tuple[Api, str]:
    """Return a client of the player, who has accepted, and the address of the games."""
    api = Api(player)
    assert api.post(f"/api/me/retests/{retest.pk}/accept/").json()["state"] == "accepted"
    return api, f"/api/me/retests/{retest.pk}/games/"


def test_an_offer_is_notified_with_what_it_can_show_and_cannot(retest: Retest, alice: Player, case: Case) -> None:
    (notification,), _ = newest_of([alice.pk])[alice.pk]
    assert "Declining is not evidence against you" in words_of(notification)
    (shown,) = Api(alice).get("/api/me/retests/").json()["retests"]
    assert (shown["state"], shown["deals"], shown["games"]) == ("offered", 5, [])
    words = " ".join(shown["words"])
    assert "not evidence against you" in words
    assert "cannot show that an earlier game was honest or was not" in words
    assert steps_of(case) == ["offered"]
    assert mistakes_in_log() == []


def test_alice_plays_all_deals_one_after_the_other_and_the_retest_is_done(
    retest: Retest, alice: Player, case: Case
) -> None:
    api, games = sitting(retest, alice)
    played = []
    for _ in range(retest.size):
        game = api.post(games).json()
        assert game["kind"] == "retest"
        assert not any(game["policy"][help_] for help_ in ("hints", "restart", "loss_notices"))
        played.append(game["id"])
        api.state(game["id"])
        assert api.resign(game["id"]).status_code == 200
    assert len(set(played)) == len({Game.objects.get(pk=pk).deal.deck for pk in played}) == retest.size
    assert refusal(api.post(games)) == (409, "retest_not_open")
    end_due(LATER)
    (shown,) = api.get("/api/me/retests/").json()["retests"]
    assert (shown["state"], shown["end"]) == ("ended", "done")
    assert [game["status"] for game in shown["games"]] == ["resigned"] * retest.size
    assert steps_of(case) == ["offered", "accepted", "begun", "ended"]


def test_the_reviewer_learns_that_the_sitting_begins_once(retest: Retest, alice: Player, ines: Player) -> None:
    api, games = sitting(retest, alice)
    assert newest_of([ines.pk]) == {ines.pk: ([], 0)}
    for _ in range(2):
        api.post(games)
    (notification,), _ = newest_of([ines.pk])[ines.pk]
    assert address_of(notification) == f"/admin/review/{retest.case_id}/#retests"


def test_no_deal_exists_before_its_start(retest: Retest, alice: Player) -> None:
    assert not Deal.objects.filter(kept_for="retest").exists()
    api, games = sitting(retest, alice)
    assert not Deal.objects.filter(kept_for="retest").exists()
    api.post(games)
    assert Deal.objects.filter(kept_for="retest").count() == 1


def test_two_devices_that_ask_at_once_get_one_game(retest: Retest, alice: Player) -> None:
    _, games = sitting(retest, alice)
    assert len({Api(alice).post(games).json()["id"] for _ in range(2)}) == 1
    assert RetestDeal.objects.count() == 1


def test_a_deal_that_was_given_up_is_not_replaced(retest: Retest, alice: Player) -> None:
    api, games = sitting(retest, alice)
    first = api.post(games).json()["id"]
    api.state(first)
    api.resign(first)
    second = api.post(games).json()["id"]
    assert list(RetestDeal.objects.values_list("number", "game")) == [(1, first), (2, second)]
    assert refusal(api.post(f"/api/games/{first}/restart/")) == (403, "restart_not_allowed")


def test_nobody_else_answers_plays_reads_or_watches(retest: Retest, alice: Player, mallory: Player) -> None:
    api, games = sitting(retest, alice)
    game, other = api.post(games).json(), Api(mallory)
    for step in ("accept", "decline", "games"):
        assert refusal(other.post(f"/api/me/retests/{retest.pk}/{step}/")) == (404, "unknown_retest")
    assert other.get("/api/me/retests/").json() == {"retests": []}
    for what in ("", "record/", "state/"):
        assert refusal(other.get(f"/api/games/{game['id']}/{what}")) == (403, "not_yours")
    assert refusal(other.get(f"/api/deals/{game['deal']}/")) == (409, "deal_not_yet")
    assert refusal(other.post(f"/api/deals/{game['deal']}/games/")) == (409, "deal_not_yet")


def test_the_player_gets_no_hint_no_practice_and_no_analysis_of_the_deal(retest: Retest, alice: Player) -> None:
    api, games = sitting(retest, alice)
    game = api.post(games).json()
    assert refusal(api.act(game["id"], 0, "H"))[1] == "hints_not_allowed"
    assert refusal(api.post(f"/api/deals/{game['deal']}/games/")) == (409, "deal_not_yet")
    api.resign(game["id"])
    assert refusal(api.post(f"/api/deals/{game['deal']}/games/")) == (409, "deal_not_yet")
    assert refusal(api.get(f"/api/games/{game['id']}/analysis/"))[0] in (403, 404, 409)
    assert "??" in api.get(f"/api/games/{game['id']}/record/").json()["record"]


def test_a_reviewer_of_the_case_reads_what_the_player_sees_and_no_unseen_card(
    retest: Retest, alice: Player, ines: Player
) -> None:
    api, games = sitting(retest, alice)
    game = api.post(games).json()["id"]
    before = Api(ines).get(f"/api/games/{game}/record/").json()["record"]
    assert before.count("??") == 52
    api.state(game)
    assert Api(ines).get(f"/api/games/{game}/record/").json()["record"].count("??") == 24


def test_a_reviewer_linked_to_the_player_neither_offers_nor_watches(
    retest: Retest, alice: Player, robin: Player
) -> None:
    from leaderboards.moderation.traces import remember  # noqa: PLC0415  where the link is made

    api, games = sitting(retest, alice)
    game = api.post(games).json()["id"]
    assert Api(robin).get(f"/api/games/{game}/").status_code == 200
    remember([(player.pk, "", "one device") for player in (alice, robin)], LATER)
    assert refusal(Api(robin).get(f"/api/games/{game}/")) == (403, "not_yours")
    with pytest.raises(UnknownCase):
        offer(retest.case_id, robin, TERMS, LATER)


def test_declining_ends_it_and_so_does_letting_it_pass(retest: Retest, alice: Player, case: Case, ines: Player) -> None:
    api = Api(alice)
    assert api.post(f"/api/me/retests/{retest.pk}/decline/").json()["end"] == "declined"
    assert api.post(f"/api/me/retests/{retest.pk}/decline/").json()["end"] == "declined"
    assert refusal(api.post(f"/api/me/retests/{retest.pk}/accept/")) == (409, "retest_not_open")
    offer(case.pk, ines, TERMS, LATER)
    end_due(LATER + 7 * DAY)
    assert steps_of(case) == ["offered", "declined", "offered", "expired"]
    assert not Retest.objects.filter(foresight__isnull=False).exists()


def test_the_sitting_ends_by_the_clock_on_the_wall_and_takes_the_running_game_with_it(
    retest: Retest, alice: Player, clock: time_machine.Traveller
) -> None:
    api, games = sitting(retest, alice)
    game = api.post(games).json()["id"]
    api.state(game)
    clock.shift(TERMS.minutes * MINUTE)
    assert refusal(api.act(game, 0, "D"))[1] == "game_over"
    assert refusal(api.post(games)) == (409, "retest_not_open")
    end_due(LATER + TERMS.minutes * MINUTE)
    retest.refresh_from_db()
    assert (retest.end, Game.objects.get(pk=game).status) == ("time_up", "expired")


def test_a_retest_that_was_not_accepted_is_not_played(retest: Retest, alice: Player) -> None:
    assert refusal(Api(alice).post(f"/api/me/retests/{retest.pk}/games/")) == (409, "retest_not_open")
    accept(retest.pk, alice, LATER)
    play_next(retest.pk, alice, LATER)
    with pytest.raises(RetestNotOpen):
        decline(retest.pk, alice, LATER)


def test_its_games_count_nowhere(retest: Retest, alice: Player) -> None:
    before = str(statistics_of(alice, alice, LATER))
    api, games = sitting(retest, alice)
    game = Game.objects.get(pk=api.post(games).json()["id"])
    api.state(game.pk)
    api.resign(game.pk)
    count_games(LATER)
    game.refresh_from_db()
    assert game.kind is GameKind.RETEST
    assert not counting(Game.objects.filter(pk=game.pk)).exists()
    assert not Entry.objects.filter(game=game).exists()
    assert str(statistics_of(alice, alice, LATER)) == before
    deals = {certified_for(alice, RULE_SETS["standard"], None, LATER).pk for _ in range(3)}
    assert game.deal_id not in deals


def test_a_running_retest_takes_no_room_from_practice(retest: Retest, alice: Player, settings: Any) -> None:
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 1
    api, games = sitting(retest, alice)
    game = api.post(games).json()["id"]
    api.start()
    assert Game.objects.get(pk=game).status == Game.Status.PLAYING


def test_deals_like_those_won_are_drawn_from_won_games_each_once(
    case: Case, ines: Player, alice: Player, finish: Finish
) -> None:
    wins = {case.daily_id} | {finish(alice, moves=44, days=-ago).daily_id for ago in range(1, 4)}
    finish(alice, cards_left=3, days=-4)
    with pytest.raises(NotRetestable, match="won 4 deals"):
        offer(case.pk, ines, Terms(5, 5, 60, 7), LATER)
    retest = offer(case.pk, ines, Terms(2, 4, 60, 7), LATER)
    api, games = sitting(retest, alice)
    for _ in range(retest.size):
        game = api.post(games).json()["id"]
        api.state(game)
        api.resign(game)
    origins = [deal.origin for deal in retest.deals.select_related("origin")]
    assert {origin.daily_id for origin in origins if origin} == wins
    assert origins.count(None) == 2


def test_only_who_holds_the_case_offers_within_bounds_one_at_a_time_and_three_in_all(
    case: Case, ines: Player, robin: Player, alice: Player
) -> None:
    with pytest.raises(NotTaken):
        offer(case.pk, robin, TERMS, LATER)
    for terms in (TERMS._replace(fresh=4), TERMS._replace(fresh=31), TERMS._replace(minutes=5), TERMS._replace(days=0)):
        with pytest.raises(BadDecision):
            offer(case.pk, ines, terms, LATER)
    with pytest.raises(BadDecision):
        offer(case.pk, ines, Terms(6, -1, 60, 7), LATER)
    for _ in range(MOST_OF_A_CASE):
        retest = offer(case.pk, ines, TERMS, LATER)
        with pytest.raises(NotRetestable, match="open retest"):
            offer(case.pk, ines, TERMS, LATER)
        decline(retest.pk, alice, LATER)
    with pytest.raises(NotRetestable, match="3 retests"):
        offer(case.pk, ines, TERMS, LATER)


def test_no_retest_is_offered_before_the_day_is_over(case: Case, ines: Player) -> None:
    with pytest.raises(NotRetestable, match="not over"):
        offer(case.pk, ines, TERMS, NOON)


def test_a_banned_account_may_take_one(retest: Retest, alice: Player) -> None:
    ban(alice, "a test", None, LATER)
    api, games = sitting(retest, alice)
    assert api.post(games).status_code == 201


def test_an_account_that_is_deleted_leaves_its_results_without_its_games(
    retest: Retest, alice: Player, case: Case
) -> None:
    api, games = sitting(retest, alice)
    api.post(games)
    erase_player(alice, "a test", None, LATER)
    end_due(LATER + TERMS.minutes * MINUTE)
    retest.refresh_from_db()
    assert (retest.end, retest.deals.get().game) == ("time_up", None)
    assert steps_of(case) == ["offered", "accepted", "begun", "ended"]


@pytest.mark.parametrize(
    "change",
    [
        {"fresh": 9},
        {"minutes": 240},
        {"begun_at": LATER + MINUTE},
        {"accepted_at": None},
        {"end": "done", "ended_at": LATER, "begun_at": None},
    ],
)
def test_the_database_keeps_the_terms_and_takes_each_step_once(
    retest: Retest, alice: Player, change: dict[str, Any]
) -> None:
    accept(retest.pk, alice, LATER)
    play_next(retest.pk, alice, LATER)
    with pytest.raises(IntegrityError), transaction.atomic():
        Retest.objects.filter(pk=retest.pk).update(**change)


def test_the_database_takes_no_second_deal_before_the_first_has_ended(retest: Retest, alice: Player) -> None:
    for begun in (False, True):
        with pytest.raises(IntegrityError), transaction.atomic():
            RetestDeal.objects.create(retest=retest, number=2 if begun else 1)
        if not begun:
            accept(retest.pk, alice, LATER)
            play_next(retest.pk, alice, LATER)
    with pytest.raises(IntegrityError), transaction.atomic():
        RetestDeal.objects.all().delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        RetestDeal.objects.update(number=3)
