"""Boards are counted again: an altered sum, rank, state or version is found, and so is an entry that has gone."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

from django.core.management import CommandError, call_command

from games.calendar.models import DailyDeal
from games.players.models import Player
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, Entry, EntryState
from leaderboards.boards.recounting import boards_to_recount, mistakes_on
from leaderboards.boards.submission import submit
from leaderboards.boards.value_counts import keep_counts
from tests.guards import tamper, undone
from tests.leaderboards.conftest import BEST, BOARDS, FASTEST, FEWEST_MOVES, MONTH, NOON, WEEK, Finish, board_named
from tests.leaderboards.played import played

TAMPERED = {
    "a higher sum": (WEEK, "UPDATE leaderboards_entry SET key = key - 1 WHERE board_id = {board}"),
    "a lower sum of a month": (MONTH, "UPDATE leaderboards_entry SET key = key + 1 WHERE board_id = {board}"),
    "a sum that has gone": (WEEK, "DELETE FROM leaderboards_entry WHERE board_id = {board}"),
    "a sum that ended": (WEEK, "UPDATE leaderboards_entry SET valid_to = valid_from + 1 WHERE board_id = {board}"),
    "a sum that is not listed": (WEEK, "UPDATE leaderboards_entry SET listed = FALSE WHERE board_id = {board}"),
    "a sum before its equals": (WEEK, "UPDATE leaderboards_entry SET entered_at_version = 0 WHERE board_id = {board}"),
    "another's sum": (WEEK, "UPDATE leaderboards_entry SET player_id = {bob} WHERE board_id = {board}"),
    "an entry that has gone": (FEWEST_MOVES, "DELETE FROM leaderboards_entry WHERE board_id = {board}"),
    "a best that has gone": (BEST, "DELETE FROM leaderboards_entry WHERE board_id = {board}"),
    "a best without its rank": (BEST, "UPDATE leaderboards_entry SET listed = FALSE WHERE board_id = {board}"),
    "an entry before its equals": (BEST, "UPDATE leaderboards_entry SET entered_at_version = 0"),
    "an entry without a game": (
        FEWEST_MOVES,
        (
            "INSERT INTO leaderboards_entry (board_id, player_id, key, entered_at_version, valid_from, changed_at, "
            "state, listed, held) SELECT board_id, {bob}, key - 1, 1, 1, changed_at, state, TRUE, FALSE "
            "FROM leaderboards_entry WHERE board_id = {board}"
        ),
    ),
    "an entry among other players": (
        FEWEST_MOVES,
        ("UPDATE leaderboards_board SET slug = 'daily.2026-11-20.standard.open-bots.fewest-moves' WHERE id = {board}"),
    ),
    "a state that nobody decided": (
        FASTEST,
        "UPDATE leaderboards_entry SET state = 'verified' WHERE board_id = {board}",
    ),
    "a rank that is held": (
        FASTEST,
        "UPDATE leaderboards_entry SET state = 'flagged', listed = FALSE, held = TRUE WHERE board_id = {board}",
    ),
    "a version that was not": (BEST, "UPDATE leaderboards_board SET version = version + 1 WHERE id = {board}"),
    "a histogram that counts nothing": (BEST, "UPDATE leaderboards_valuecounts SET counts = '[]'"),
    "an impossible key": (FASTEST, "UPDATE leaderboards_entry SET key = 9223372036854775807 WHERE board_id = {board}"),
}


def test_what_was_changed_on_a_board_behind_the_servers_back_is_found(
    alice: Player, bob: Player, daily: DailyDeal
) -> None:
    played(alice, NOON)
    keep_counts(board_named(BEST))
    assert verify().startswith("All results agree with the logs: verified 1 games and 6 boards")
    assert [what for what in TAMPERED if not is_found(what, bob)] == []
    assert verify().startswith("All results agree with the logs")


def is_found(what: str, bob: Player) -> bool:
    """Return True if the command finds what was tampered with, which is then taken back."""
    with undone():
        tamper_on_board(what, bob)
        try:
            verify()
        except CommandError as error:
            return "are wrong" in str(error)
    return False


def tamper_on_board(what: str, bob: Player) -> None:
    slug, statement = TAMPERED[what]
    tamper(statement.format(board=board_named(slug).pk, bob=bob.pk))


def verify(*arguments: str) -> str:
    out = StringIO()
    call_command("verify_scores", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_an_altered_sum_is_named_by_board_and_player(alice: Player, bob: Player, finish: Finish) -> None:
    submit([finish(alice).pk], NOON)
    tamper_on_board("a higher sum", bob)
    assert mistakes_on(WEEK) == [f"{WEEK}: the sum of player {alice.pk} is not that of the best days"]
    assert mistakes_on(MONTH) == mistakes_on(FEWEST_MOVES) == []


def test_boards_hold_after_more_days_than_count_ties_bans_and_decisions(
    alice: Player, bob: Player, finish: Finish
) -> None:
    for days in range(-4, 3):  # all of the week from Monday, 16 November
        late = NOON + timedelta(days=days)
        games = [finish(alice, moves=40 + days, days=days), finish(bob, cards_left=14 * (days % 3), days=days)]
        submit([game.pk for game in games], late)
        state = EntryState.DISQUALIFIED if days % 2 else EntryState.FLAGGED
        decide(Decision(game=games[days % 2], state=state, reason="looked at", at=late))
        if days == 1:
            decide(Decision(game=games[days % 2], state=EntryState.REINSTATED, reason="looked at again", at=late))
    assert Entry.objects.filter(board__slug=WEEK, valid_to=None, listed=True).count() == 2
    assert [mistake for slug in boards_to_recount() for mistake in mistakes_on(slug)] == []


def test_only_boards_that_go_on_since_a_day_are_counted(alice: Player, finish: Finish) -> None:
    submit([finish(alice).pk], NOON)
    assert boards_to_recount() == sorted(BOARDS)
    assert boards_to_recount(NOON.date() + timedelta(days=1)) == sorted({*BOARDS} - {FEWEST_MOVES, FASTEST})
