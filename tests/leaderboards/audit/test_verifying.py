"""Every score is replayed, and changes behind the server's back are found."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F

from games.calendar.models import DailyDeal, Deal
from games.play.journal.statements import write_changes
from games.play.models import Game
from games.play.starting import start_ranked
from games.players.models import Player
from leaderboards.audit.verifying import REEXECUTED, verify_entered
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, Entry, EntryState
from leaderboards.boards.submission import submit
from tests.calendar import prepared_dailies
from tests.games.ways_to_play import open_session
from tests.guards import guards_dropped, tamper, undone
from tests.leaderboards.conftest import FEWEST_MOVES, NOON, Finish, submit_score
from tests.leaderboards.played import played

LATER = NOON + timedelta(minutes=5)


@pytest.fixture
def game(alice: Player, daily: DailyDeal) -> Game:
    return played(alice, NOON)


def states(game: Game) -> set[str]:
    return set(game.entries.filter(valid_to=None).values_list("state", flat=True))


def test_a_score_is_verified_soon_after_it_was_entered(game: Game) -> None:
    assert states(game) == {EntryState.PROVISIONAL}
    assert verify_entered(LATER) == 1
    assert states(game) == {EntryState.VERIFIED}
    assert [(each.reason, each.by, each.at) for each in game.decisions.all()] == [(REEXECUTED, None, LATER)]
    assert verify_entered(LATER) == 0


def test_the_best_of_a_player_is_verified_and_so_is_what_it_replaced(game: Game, alice: Player) -> None:
    prepared_dailies(NOON + timedelta(days=1), days_ahead=0)
    second = played(alice, NOON + timedelta(days=1), actions=12)
    assert verify_entered(LATER + timedelta(days=1)) == 2
    assert states(game) == states(second) == {EntryState.VERIFIED}


TAMPERED = {
    "a removed move": "DELETE FROM games_move WHERE version = 3",
    "a lost end of the log": "DELETE FROM games_move WHERE version > 20",
    "an exchanged move": "UPDATE games_move SET action = CASE action WHEN 'Kd' THEN 'Ks' ELSE 'Kd' END "
    "WHERE version = 2",
    "an impossible action": "UPDATE games_move SET action = '?' WHERE version = 2",
    "an undo of nothing": "UPDATE games_move SET action = 'U' WHERE version = 1",
    "a time of a move": "UPDATE games_move SET at_ms = 999999 WHERE version = 5",
    "the time of the last move": "UPDATE games_move SET at_ms = at_ms + 1 WHERE version = 25",
    "fewer moves": "UPDATE games_game SET moves = moves - 1",
    "fewer undos": "UPDATE games_game SET undos = undos + 1",
    "a shorter time": "UPDATE games_game SET elapsed_ms = elapsed_ms - 1",
    "a later start": "UPDATE games_game SET started_at = finished_at",
    "a downtime that was not": "UPDATE games_game SET downtime_ms = 100000",
    "fewer cards left": "UPDATE games_game SET cards_left = cards_left - 1",
    "a win that was none": "UPDATE games_game SET status = 'won', cards_left = 0",
    "another end": "UPDATE games_game SET status = CASE status WHEN 'stuck' THEN 'resigned' ELSE 'stuck' END",
    "other suits": "UPDATE games_game SET suits = ''",
    "an exchanged deck": "UPDATE games_deal SET deck = (SELECT deck FROM games_deal AS other "
    "WHERE other.id <> games_deal.id LIMIT 1) WHERE id IN (SELECT deal_id FROM games_game)",
    "a better key": "UPDATE leaderboards_entry SET key = key - 1 WHERE game_id IS NOT NULL",
    "another player's entry": "UPDATE leaderboards_entry SET player_id = (SELECT min(id) FROM games_player)",
    "rules that there are not": "UPDATE games_deal SET rules = 'klondike'",
}


def test_whatever_was_changed_in_the_database_is_found_and_flagged(robot: Player, game: Game) -> None:
    for what, statement in TAMPERED.items():
        with undone():
            tamper(statement)
            assert (verify_entered(LATER), verify_entered(LATER)) == (1, 0), what
            assert states(game) == {EntryState.FLAGGED} or what == "another player's entry", what
            (decision,) = game.decisions.all()
            assert (decision.state, decision.reason != REEXECUTED) == (EntryState.FLAGGED, True), what
    verify_entered(LATER)
    assert states(game) == {EntryState.VERIFIED}


def test_a_game_that_did_not_begin_on_its_day_is_found_whatever_else_agrees(game: Game) -> None:
    day = timedelta(days=1)
    with guards_dropped():
        Game.objects.update(**{name: F(name) + day for name in ("created_at", "started_at", "finished_at")})
    verify_entered(LATER)
    assert game.decisions.get().reason == "it did not begin on its day"


def test_a_game_may_be_looked_at_after_the_midnight_before_which_it_began(alice: Player, daily: DailyDeal) -> None:
    midnight = datetime(2026, 11, 21, tzinfo=UTC)
    game = start_ranked(alice, "standard", midnight - timedelta(seconds=1))
    ended = open_session(game, midnight).resign(0, midnight + timedelta(seconds=9))
    write_changes(connection, [ended])
    submit([game.pk], midnight + timedelta(seconds=9))
    verify_entered(midnight + timedelta(minutes=5))
    assert states(game) == {EntryState.VERIFIED}


def test_a_score_that_was_changed_after_it_was_verified_is_found_by_the_command(game: Game) -> None:
    verify_entered(LATER)
    assert said() == "All results agree with the logs: verified 1 games and 6 boards"
    tamper("UPDATE games_game SET moves = moves - 1")
    with pytest.raises(CommandError, match="1 games and 0 rows or seals are wrong"):
        said()
    assert states(game) == {EntryState.VERIFIED}
    with pytest.raises(CommandError, match="1 games"):
        said("--flag")
    assert states(game) == {EntryState.FLAGGED}


def test_the_command_flags_no_score_that_is_disqualified_which_would_give_back_its_rank(game: Game) -> None:
    decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="its record differs", at=NOON))
    tamper("UPDATE games_game SET moves = moves - 1")
    with pytest.raises(CommandError, match="1 games"):
        said("--flag")
    assert states(game) == {EntryState.DISQUALIFIED}


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("verify_scores", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue().partition(" in ")[0]


def test_the_command_verifies_a_board_or_what_ended_since_a_day(game: Game) -> None:
    assert said(f"--board={FEWEST_MOVES}").endswith("verified 1 games and 1 boards")
    assert said("--since=2026-11-20").endswith("verified 1 games and 6 boards")
    assert said("--since=2026-11-21").endswith("verified 0 games and 4 boards")


@pytest.mark.parametrize("wrong", ["--since=yesterday", "--board=daily.never", "--jobs=0", "--jobs=many"])
def test_the_command_says_what_it_does_not_understand(db: None, wrong: str) -> None:
    with pytest.raises(CommandError):
        call_command("verify_scores", wrong, stdout=StringIO(), stderr=StringIO())


def test_what_was_decided_by_people_is_not_decided_again(game: Game) -> None:
    decide(Decision(game=game, state=EntryState.DISQUALIFIED, reason="looked at", at=NOON))
    assert verify_entered(LATER) == 0
    assert states(game) == {EntryState.DISQUALIFIED}


def test_a_game_on_a_deal_of_mallorys_own_is_no_score_of_the_day(game: Game) -> None:
    own = Deal.objects.create(rules=game.deal.rules, deck=game.deal.deck, created_at=NOON)
    with guards_dropped():
        Game.objects.update(deal=own)
    verify_entered(LATER)
    assert states(game) == {EntryState.FLAGGED}
    assert game.decisions.get().reason == "its deal is not that of its day"


def test_a_game_without_a_log_is_no_score(alice: Player, finish: Finish) -> None:
    forged = finish(alice, cards_left=0, moves=30)
    submit_score(forged, NOON)
    verify_entered(LATER)
    assert states(forged) == {EntryState.FLAGGED}
    assert "moves is 30, by the log 0" in forged.decisions.get().reason


def test_all_entries_of_a_batch_are_verified_with_as_many_queries_as_one(
    game: Game, bob: Player, robot: Player, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for player in (bob, robot):
        played(player, NOON)
    with django_assert_max_num_queries(30):  # type: ignore[attr-defined]
        assert verify_entered(LATER) == 3
    assert not Entry.objects.filter(valid_to=None, state=EntryState.PROVISIONAL, game__isnull=False).exists()
