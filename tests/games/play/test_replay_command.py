from __future__ import annotations

import re
from datetime import datetime, timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import CommandError, call_command

from games.calendar.models import DailyDeal, Deal
from games.play.models import Game, Move
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.rules import Action
from tests.games.rules.test_views import CARD
from tests.games.ways_to_play import commit, open_session

pytestmark = pytest.mark.django_db(transaction=True)

DECK = "Td2hJhQd5d6c5cAs5hAcAd4h2sQhKc8c3dTh9sJs9d4dTs3h9c6sTc7s3c5s4c8d9h8h2c6dKs7cKhQcJdKd4s7h8sAh2d3sJc6hQs7d"


def replay(game: Game, at: datetime, *options: str) -> str:
    output = StringIO()
    with time_machine.travel(at, tick=False):
        call_command("replay", game.id, *options, stdout=output)
    return output.getvalue()


def play(game: Game, actions: str, now: datetime) -> None:
    """Take the actions a second apart; the first one a second after the start."""
    session = open_session(game, now)
    for seconds, action in enumerate(actions.split(), 1):
        change = session.act(Action.from_text(action), session.play.version, now + timedelta(seconds=seconds))
        commit(change)


@pytest.fixture
def alices_game(alice: Player, now: datetime) -> Game:
    """A finished practice game with a draw, an undo and a pair."""
    deal = Deal.objects.create(rules="relaxed", deck=DECK, created_at=now)
    game = Game.objects.create(player=alice, deal=deal, created_at=now)
    play(game, "4d9c 6s7s D U Y", now)
    commit(open_session(game, now).resign(5, now))
    return game


def test_each_step_tells_action_time_count_and_what_turned_up(alices_game: Game, now: datetime) -> None:
    heading, *steps = replay(alices_game, now).strip().split("\n\nStep ")
    assert (
        heading == f"Game {alices_game.id}: relaxed, {alices_game.player.username}, 2026-03-01T12:00:00.000Z, resigned"
    )
    assert [step.splitlines()[0] for step in steps] == [
        "0",
        "1: 4d9c at 1.000 s, move count 1",
        "2: 6s7s at 2.000 s, move count 2",
        "3: D at 3.000 s, move count 3, turned up 5s",
        "4: U at 4.000 s, move count 4",
        "5: Y at 5.000 s, move count 5",
    ]


def test_one_step_shows_the_board_after_it(alices_game: Game, now: datetime) -> None:
    _, step = replay(alices_game, now, "--step", "2").split("\n\n", 1)
    assert step.splitlines() == [
        "Step 2: 6s7s at 2.000 s, move count 2",
        "             Td",
        "           2h  Jh",
        "         Qd  5d  6c",
        "       5c  As  5h  Ac",
        "     Ad  4h  2s  Qh  Kc",
        "   8c  3d  Th [9s] Js  9d",
        " .. [Ts][3h] ..  .. [Tc] ..",
        "",
        "waste",
        "stock      [3c] 5s 4c 8d 9h 8h 2c 6d Ks 7c Kh Qc Jd Kd 4s 7h 8s Ah 2d 3s Jc 6h",
        "           Qs 7d",
        "recycles   2",
    ]


def test_all_steps_are_what_one_gets_without_an_option(alices_game: Game, now: datetime) -> None:
    assert replay(alices_game, now, "--all") == replay(alices_game, now)


def test_a_closed_deal_is_shown_with_the_cards_that_its_player_never_saw(alices_game: Game, now: datetime) -> None:
    assert len(set(CARD.findall(replay(alices_game, now, "--step", "0")))) == 52


@pytest.mark.parametrize(("after_noon", "cards"), [(timedelta(hours=12, minutes=29), 30), (timedelta(hours=12.5), 52)])
def test_an_open_deal_is_shown_as_its_player_saw_it(
    alice: Player, daily: DailyDeal, now: datetime, after_noon: timedelta, cards: int
) -> None:
    game = start_ranked(alice, "standard", now)
    play(game, "D D", now)
    told = set(CARD.findall(replay(game, now + after_noon).split("\n\n", 1)[1]))
    assert len(told) == cards


def test_a_game_that_its_player_has_not_seen_yet_shows_no_card(alice: Player, now: datetime) -> None:
    game = start_practice(alice, "giza", now)
    assert not CARD.findall(replay(game, now).split("\n\n", 1)[1])


def test_a_game_that_does_not_exist_is_refused(db: None) -> None:
    with pytest.raises(CommandError, match="there is no game 'nonsense'"):
        call_command("replay", "nonsense")


@pytest.mark.parametrize("step", ["-1", "6"])
def test_a_step_that_does_not_exist_is_refused(alices_game: Game, now: datetime, step: str) -> None:
    with pytest.raises(CommandError, match="has steps 0 to 5, no step"):
        replay(alices_game, now, "--step", step)


def test_a_log_that_breaks_the_rules_is_reported_without_a_card(alice: Player, daily: DailyDeal, now: datetime) -> None:
    game = start_ranked(alice, "standard", now)
    play(game, "D", now)
    Move.objects.create(game=game, version=2, action="R", at_ms=2000)
    with pytest.raises(CommandError) as refusal:
        replay(game, now)
    assert str(refusal.value) == f"the log of game {game.id} does not replay: illegal_move"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_cards_are_coloured_and_the_text_is_paged(
    alices_game: Game, now: datetime, capsys: pytest.CaptureFixture[str]
) -> None:
    stdout = Terminal()
    call_command("replay", alices_game.id, "--step=1", stdout=stdout, force_color=True)
    paged = capsys.readouterr().out
    assert stdout.getvalue() == "", "what the pager shows is not printed twice"
    assert "\x1b[31m9d\x1b[0m" not in paged.splitlines()[0], "a heading has one style"
    assert "\x1b[1mStep 1: 4d9c at 1.000 s, move count 1\x1b[0m" in paged
    assert "\x1b[31m" in paged
    plain = replay(alices_game, now, "--step=1", "--no-color")
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[\d*m", "", paged).strip() == plain.strip()
