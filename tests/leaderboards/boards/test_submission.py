from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from games.calendar.models import DailyDeal
from games.play import starting
from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.catalog import Entrants
from leaderboards.boards.models import Board, Decision, Entry, EntryState, PendingGame
from leaderboards.boards.submission import boards_of_games, submit_missing
from tests.games.ways_to_play import commit, open_session
from tests.guards import guards_dropped
from tests.leaderboards.conftest import (
    BOARDS,
    FASTEST,
    FEWEST_MOVES,
    NOON,
    WEEK,
    Finish,
    board_named,
    submit_score,
    values_of,
)

pytestmark = pytest.mark.django_db(transaction=True)

BOARDS_OF_GAMES = [slug for slug in BOARDS if not slug.endswith("points")]


def resign(game: Game, now: datetime) -> None:
    session = open_session(game, now)
    commit(session.resign(session.play.version, now))


def boards_of(game: Game) -> list[str]:
    return sorted(game.entries.values_list("board__slug", flat=True))


@pytest.mark.usefixtures("at_noon")
@pytest.mark.django_db(transaction=True)
def test_a_ranked_attempt_is_on_the_boards_of_its_deal_as_soon_as_it_has_ended(alice: Player, daily: DailyDeal) -> None:
    game = starting.start_ranked(alice, "standard", NOON)
    resign(game, NOON + timedelta(minutes=1))
    assert boards_of(game) == BOARDS_OF_GAMES


@pytest.mark.django_db(transaction=True)
def test_a_practice_game_is_on_no_board(alice: Player, daily: DailyDeal) -> None:
    resign(starting.start_practice(alice, "standard", NOON), NOON)
    assert submit_missing(NOON) == 0
    assert not Board.objects.exists()


def test_an_attempt_still_being_played_is_on_no_board(alice: Player, daily: DailyDeal) -> None:
    game = starting.start_ranked(alice, "standard", NOON)
    submit_score(game, NOON)
    assert submit_missing(NOON) == 0
    assert boards_of(game) == []


def test_submitting_a_game_again_changes_nothing(alice: Player, finish: Finish) -> None:
    game = finish(alice)
    submit_score(game, NOON)
    submit_score(game, NOON)
    assert Entry.objects.count() == len(BOARDS)
    assert board_named(FASTEST).version == 1


def test_an_entry_keeps_the_score_in_its_key(alice: Player, finish: Finish) -> None:
    submit_score(finish(alice, cards_left=3, moves=17, elapsed_ms=90_001), NOON)
    entry = board_named(FASTEST).entries.get()
    assert entry.board.key.order.unpack(entry.key) == {"cards_left": 3, "elapsed_ms": 90_001, "moves": 17}


def test_every_entry_makes_a_version_of_its_board(alice: Player, bob: Player, finish: Finish) -> None:
    for player in (alice, bob):
        submit_score(finish(player), NOON)
    board = board_named(FEWEST_MOVES)
    assert board.version == 2
    assert list(board.entries.values_list("player__username", "entered_at_version")) == [("alice", 1), ("bob", 2)]


def test_bots_have_boards_of_their_own(alice: Player, robot: Player, finish: Finish) -> None:
    for player in (alice, robot):
        submit_score(finish(player), NOON)
    assert board_named(FASTEST).entries.get().player == alice
    assert board_named("daily.2026-11-20.standard.open-bots.fastest").entries.get().player == robot


def test_the_worker_enters_what_a_lost_signal_left_behind(alice: Player, bob: Player, finish: Finish) -> None:
    games = [finish(alice), finish(bob)]
    submit_score(games[0], NOON)
    assert submit_missing(NOON) == 1
    assert all(boards_of(game) == BOARDS_OF_GAMES for game in games)
    assert submit_missing(NOON) == 0


def test_a_score_out_of_range_is_reported_and_nothing_of_it_is_entered(
    alice: Player, finish: Finish, caplog: pytest.LogCaptureFixture
) -> None:
    game = finish(alice, elapsed_ms=2**32)
    assert submit_score(game, NOON) == []
    assert f"game {game.id} cannot be ranked" in caplog.text
    assert not Entry.objects.exists()
    assert not Board.objects.exists()
    assert "elapsed_ms" in PendingGame.objects.get().error
    assert submit_missing(NOON) == 0


def test_one_score_out_of_range_does_not_hold_up_the_others(alice: Player, bob: Player, finish: Finish) -> None:
    broken, sound = finish(alice, moves=2**24), finish(bob)
    submit_missing(NOON)
    assert boards_of(sound) == BOARDS_OF_GAMES
    assert boards_of(broken) == []


@pytest.mark.django_db(transaction=True)
def test_of_several_attempts_the_best_is_on_the_board(alice: Player, daily: DailyDeal, finish: Finish) -> None:
    with guards_dropped():
        DailyDeal.objects.filter(pk=daily.pk).update(stored_policy={"attempts": 3})
    games = [finish(alice, moves=moves, attempt=attempt) for attempt, moves in enumerate((50, 40, 60), 1)]
    for game in games:
        submit_score(game, NOON)
    board = board_named(FEWEST_MOVES)
    listed = board.entries.get(valid_to=None, listed=True)
    assert (listed.game, board.entries.filter(valid_to=None).count()) == (games[1], 3)
    points = board_named(WEEK).entries.get(valid_to=None, listed=True)
    assert values_of(points)["moves"] == 40


def test_an_entered_game_stays_on_the_boards_of_people_when_its_player_becomes_a_bot(
    alice: Player, finish: Finish
) -> None:
    entered, other = finish(alice), finish(alice, days=1)
    submit_score(entered, NOON)
    alice.is_bot = True
    entrants = {pk: {key.entrants for _, key in boards} for pk, boards in boards_of_games([entered, other]).items()}
    assert entrants == {entered.pk: {Entrants.PEOPLE}, other.pk: {Entrants.BOTS}}


def test_what_was_decided_about_a_game_before_it_was_entered_stays(alice: Player, finish: Finish) -> None:
    game = finish(alice)
    Player.objects.filter(pk=alice.pk).update(banned_at=NOON)
    Decision.objects.create(game=game, state=EntryState.REINSTATED, reason="looked at", at=NOON)
    submit_score(game, NOON)
    assert game.decisions.get().reason == "looked at"


def test_of_equal_attempts_the_first_stays_on_the_board(alice: Player, daily: DailyDeal, finish: Finish) -> None:
    with guards_dropped():
        DailyDeal.objects.filter(pk=daily.pk).update(stored_policy={"attempts": 2})
    games = [finish(alice, attempt=attempt) for attempt in (1, 2)]
    for game in games:
        submit_score(game, NOON)
    assert board_named(FEWEST_MOVES).entries.get(valid_to=None, listed=True).game == games[0]


def test_divisions_have_boards_of_their_own(alice: Player, bob: Player, finish: Finish) -> None:
    games = [finish(alice, division="main"), finish(bob)]
    for game in games:
        submit_score(game, NOON)
    assert boards_of(games[0]) == [slug.replace("open", "main") for slug in BOARDS_OF_GAMES]
    assert boards_of(games[1]) == BOARDS_OF_GAMES
    main = board_named(WEEK.replace("open", "main"))
    assert [entry.player for entry in main.entries.filter(valid_to=None, listed=True)] == [alice]
