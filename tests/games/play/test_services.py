from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from knox.crypto import hash_token
from knox.models import AuthToken
from pytest_django import Settings

from games.accounts.accounts import forget_expired_tokens
from games.accounts.guests import create_guest
from games.calendar.dailies import ensure_dailies, opened_dailies
from games.calendar.models import DailyDeal, Deal
from games.calendar.refusals import UnknownDaily
from games.keys import authentication
from games.keys.authentication import issue_ticket, ticket_holder
from games.keys.tokens import issue_token, token_holder
from games.play.models import Game
from games.play.refusals import (
    AlreadyAttempted,
    NoOpenDaily,
    NotYours,
    RestartNotAllowed,
    TooManyOpenGames,
    UnknownGame,
)
from games.play.sessions import expire_overdue, own_game
from games.play.starting import start_practice, start_ranked
from games.play.visibility import is_public, record_for
from games.players.models import Player
from games.rules import DRAW, GameOver, UnknownRuleSet
from tests.games.ways_to_play import commit, look, open_session, restart, take_action

pytestmark = pytest.mark.django_db(transaction=True)

MILLISECOND = timedelta(milliseconds=1)
FINISH_BY = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)


def play_one_draw(game: Game, now: datetime) -> None:
    commit(open_session(game, now).act(DRAW, 0, now))


def test_deals_of_today_and_the_coming_days_are_committed_to_once(now: datetime, db: None) -> None:
    made = [(daily.day.day, daily.division) for daily in ensure_dailies(now)]
    assert made == [(day, division) for day in range(1, 9) for division in ("main", "open")]
    assert ensure_dailies(now) == []
    assert [daily.day.day for daily in ensure_dailies(now + timedelta(days=2))] == [9, 9, 10, 10]


def test_a_committed_deal_is_the_deck_of_its_seed(daily: DailyDeal) -> None:
    seed = bytes.fromhex(daily.seed)
    assert daily.commitment == daily.key.commitment(seed)
    assert daily.deal.deck == daily.key.deck(seed, daily.candidate).text


def test_every_rule_set_in_the_settings_has_its_deal(settings: Settings, now: datetime, db: None) -> None:
    settings.PYRAMID_DAILY_RULE_SETS = ["standard", "msc", "two-pyramids"]
    ensure_dailies(now)
    assert set(DailyDeal.objects.values_list("rules", flat=True)) == {"standard", "relaxed", "two-pyramids"}


def test_a_daily_deal_of_tomorrow_cannot_be_had_today(daily: DailyDeal, dailies: None, now: datetime) -> None:
    tomorrow = daily.day + timedelta(days=1)
    with pytest.raises(UnknownDaily):
        opened_dailies(tomorrow, "standard", now)
    opened = opened_dailies(tomorrow, "standard", now + timedelta(hours=12))
    assert {division: daily.day for division, daily in opened.items()} == {"main": tomorrow, "open": tomorrow}


def test_alice_has_one_ranked_attempt_a_day(alice: Player, daily: DailyDeal, dailies: None, now: datetime) -> None:
    game = start_ranked(alice, "standard", now)
    assert (game.deal, game.daily) == (daily.deal, daily)
    assert start_ranked(alice, "standard", now + timedelta(hours=1)) == game
    commit(open_session(game, now).resign(0, now))
    with pytest.raises(AlreadyAttempted) as refusal:
        start_ranked(alice, "standard", now + timedelta(hours=11))
    assert refusal.value.details == {"game": game.id}
    assert start_ranked(alice, "standard", now + timedelta(hours=12)).deal != game.deal


def test_there_is_no_ranked_attempt_without_a_daily(alice: Player, daily: DailyDeal, now: datetime) -> None:
    with pytest.raises(NoOpenDaily):
        start_ranked(alice, "giza", now)
    with pytest.raises(UnknownRuleSet):
        start_ranked(alice, "klondike", now)


def test_mallory_cannot_restart_a_ranked_attempt(mallory: Player, daily: DailyDeal, now: datetime) -> None:
    with pytest.raises(RestartNotAllowed):
        restart(start_ranked(mallory, "standard", now), now)


def test_practice_deals_are_random_and_bounded(alice: Player, settings: Settings, now: datetime) -> None:
    settings.PYRAMID_OPEN_PRACTICE_GAMES = 2
    games = [start_practice(alice, "giza", now) for _ in range(2)]
    assert games[0].deal.deck != games[1].deal.deck
    with pytest.raises(TooManyOpenGames):
        start_practice(alice, "giza", now)
    commit(open_session(games[0], now).resign(0, now))
    start_practice(alice, "giza", now)


def test_the_clock_starts_when_the_layout_is_first_shown(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = start_ranked(alice, "standard", now)
    assert game.started_at is None
    open_session(game, now + timedelta(minutes=1))
    later = open_session(own_game(game.id, alice), now + timedelta(minutes=3))
    assert later.elapsed_ms(now + timedelta(minutes=4)) == 180_000


def test_bob_cannot_open_the_game_of_alice(alice: Player, bob: Player, now: datetime) -> None:
    game = start_practice(alice, "standard", now)
    with pytest.raises(NotYours):
        own_game(game.id, bob)
    with pytest.raises(UnknownGame):
        own_game("0" * 12, bob)


def test_an_attempt_expires_as_it_stands(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = start_ranked(alice, "standard", now)
    play_one_draw(game, now)
    assert expire_overdue(FINISH_BY - MILLISECOND) == 0
    assert expire_overdue(FINISH_BY) == 1
    game.refresh_from_db()
    assert (game.status, game.moves, game.finished_at) == ("expired", 1, FINISH_BY)
    assert expire_overdue(FINISH_BY) == 0


def test_an_overdue_attempt_expires_when_it_is_opened_though_no_worker_ran(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    play_one_draw(game, now)
    assert look(game, FINISH_BY).result == "expired"
    with pytest.raises(GameOver):
        take_action(game, "D", 1, FINISH_BY)


def test_an_attempt_started_before_midnight_may_finish_in_the_grace_time(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC))
    session = open_session(game, FINISH_BY - 2 * MILLISECOND)
    commit(session.act(DRAW, 0, FINISH_BY - MILLISECOND))
    assert game.daily == daily


def test_a_record_of_an_open_deal_hides_what_alice_never_saw(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = start_ranked(alice, "standard", now)
    play_one_draw(game, now)
    text = record_for(game, alice, now).text
    assert game.deck.text[:58] + "??" in text
    assert record_for(game, alice, FINISH_BY).deck == game.deck


def test_a_record_of_an_open_deal_is_only_for_its_player(
    alice: Player, mallory: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    for reader in (mallory, None):
        with pytest.raises(NotYours):
            record_for(game, reader, FINISH_BY - MILLISECOND)
        assert record_for(game, reader, FINISH_BY).game == game.id


def test_a_wrong_token_opens_nothing(db: None) -> None:
    player, token, _ = create_guest()
    assert token_holder(token) == player
    for wrong in ("", "x", token[:-1], token + "a", "é" * 64):
        assert token_holder(wrong) is None


def test_a_ticket_is_good_for_a_minute_and_cannot_be_forged(alice: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = issue_ticket(alice)
    assert ticket_holder(ticket).player == alice
    assert ticket_holder(ticket[:-1] + ("a" if ticket[-1] != "a" else "b")).player is None
    monkeypatch.setattr(authentication, "TICKET_SECONDS", -1)
    assert ticket_holder(ticket).player is None


def test_a_blocked_player_has_no_key(alice: Player) -> None:
    ticket = issue_ticket(alice)
    alice.is_active = False
    alice.save()
    assert ticket_holder(ticket).player is None


def test_a_deal_of_practice_is_public_when_nobody_plays_it_any_more(alice: Player, now: datetime) -> None:
    game = start_practice(alice, "standard", now)
    assert not is_public(Deal.objects.get(), now)
    commit(open_session(game, now).resign(0, now))
    assert is_public(Deal.objects.get(), now)
    restart(own_game(game.id, alice), now)
    assert not is_public(Deal.objects.get(), now)


def test_the_worker_forgets_tokens_that_were_not_used_for_too_long(alice: Player) -> None:
    kept, _ = (issue_token(alice).token for _ in range(2))
    AuthToken.objects.exclude(digest=hash_token(kept)).update(expiry=timezone.now())
    assert forget_expired_tokens(timezone.now()) == 1
    assert token_holder(kept) == alice
