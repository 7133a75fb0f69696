"""Every game on a daily deal has its own permutation of suits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pytest_django.fixtures import Settings

from games.accounts.guests import create_guest
from games.calendar.models import DailyDeal
from games.deals.shuffle import suits_of
from games.play.models import Game
from games.play.session import Session
from games.play.sessions import own_game
from games.play.starting import start_practice, start_ranked
from games.play.visibility import record_for
from games.play.wire import State
from games.players.models import Player
from games.rules import OWN_SUITS, Deck, Move, Record, RulesError, Suits
from tests.games.conftest import DECK
from tests.games.ways_to_play import commit, open_session
from tests.guards import guards_dropped

pytestmark = pytest.mark.django_db(transaction=True)

KEY = bytes(range(32))
FINISH_BY = datetime(2026, 3, 2, 0, 30, tzinfo=UTC)


def act_all(session: Session, moves: list[Move], now: datetime) -> None:
    for version, move in enumerate(moves):
        session.act(move, version, now)


def play_removals(game: Game, count: int, now: datetime) -> list[Move]:
    """Play some legal removals, or draws where there is none, and return them."""
    session, played = open_session(game, now), []
    for version in range(count):
        move = min(session.play.legal_moves, key=lambda move: (not move.cards, move.text))
        commit(session.act(move, version, now))
        played.append(move)
    return played


def test_suits_follow_from_key_and_game_alone() -> None:
    assert suits_of(KEY, "7f3kq2m8p1xz").text == "hcsddhscdschschdcdshdschdhschdschdschdscschdhscddshc"
    assert suits_of(KEY, "7f3kq2m8p1xy") != suits_of(KEY, "7f3kq2m8p1xz") != suits_of(KEY[:31], "7f3kq2m8p1xz")


def test_each_order_of_suits_is_as_likely_as_any_other() -> None:
    drawn = [suits_of(KEY, str(game)).text for game in range(1200)]
    of_aces = [sum(text.startswith(order) for text in drawn) for order in {text[:4] for text in drawn}]
    assert len(of_aces) == 24
    assert sum((count - 50) ** 2 / 50 for count in of_aces) < 58  # chi-square, 23 degrees of freedom, one in 10,000


def test_two_attempts_at_one_deal_show_different_suits(
    alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    games = [start_ranked(player, "standard", now) for player in (alice, bob)]
    shown = [State.of(open_session(game, now), now).position for game in games]
    assert shown[0] != shown[1]
    ranks = [[card.rank for card in game.deck.cards] for game in games]
    assert ranks[0] == ranks[1] == [card.rank for card in Deck.from_text(daily.deal.deck).cards]


def test_the_moves_of_alice_do_not_replay_in_the_games_of_others(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    daily.deal.deck = DECK
    with guards_dropped():
        daily.deal.save()
    moves = play_removals(start_ranked(alice, "standard", now), 12, now)
    assert sum(len(move.cards) for move in moves) >= 8
    for _ in range(4):
        session = open_session(start_ranked(create_guest().player, "standard", now), now)
        with pytest.raises(RulesError):
            act_all(session, moves, now)


def test_before_the_close_nobody_is_told_what_the_suits_of_a_game_are(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    play_removals(game, 3, now)
    record = record_for(game, alice, now)
    assert dict(record.more_tags).keys() == {"Day", "Division"}
    assert record.replay().view.text == State.of(open_session(game, now), now).position


def test_after_the_close_anyone_can_take_a_record_back_to_the_deal(
    alice: Player, bob: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_ranked(alice, "standard", now)
    play_removals(game, 3, now)
    record = Record.from_text(record_for(game, bob, FINISH_BY).text)
    assert record.suits.text == game.suits
    assert record.as_dealt().deck.text == daily.deal.deck
    assert record.as_dealt().replay().moves == 3


def test_a_stored_game_keeps_its_suits_whatever_the_key_becomes(
    alice: Player, daily: DailyDeal, now: datetime, settings: Settings
) -> None:
    game = start_ranked(alice, "standard", now)
    settings.SECRET_KEY = "another key that is just as long as it has to be for this"
    assert own_game(game.id, alice).deck == game.deck
    assert Suits(game.suits).text != OWN_SUITS.text


def test_the_suits_of_a_game_hang_on_the_secret_key(
    alice: Player, daily: DailyDeal, now: datetime, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.play.models.new_id", lambda: "7f3kq2m8p1xz")
    drawn = []
    for key in ("one key that is long enough to be a key of this server", "another key that is long enough to be one"):
        settings.SECRET_KEY = key
        game = start_ranked(alice, "standard", now)
        drawn.append(game.suits)
        with guards_dropped():
            game.delete()
    assert drawn[0] != drawn[1]


def test_a_practice_deal_is_shown_as_it_is_and_so_are_games_from_before(
    alice: Player, daily: DailyDeal, now: datetime
) -> None:
    game = start_practice(alice, "standard", now)
    assert (game.suits, game.deck.text, game.record().more_tags) == ("", game.deal.deck, ())
    before = Game.objects.create(player=alice, deal=daily.deal, daily=daily, created_at=now)
    assert before.deck.text == daily.deal.deck
