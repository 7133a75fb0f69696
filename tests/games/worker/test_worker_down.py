"""Nobody is worse off for a worker that was down: what it would have done is done on access, and later in one run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from games.calendar import certificates
from games.calendar.models import DailyDeal, Deal
from games.calendar.verification import mistakes_in_commitments
from games.days.disclosure import disclose
from games.deals.daily import DailyState, Division
from games.play.models import Game
from games.play.scores import game_finished
from games.play.sessions import own_game
from games.play.starting import start_practice, start_ranked
from games.players.models import Player
from games.practice import stock
from games.rules import DRAW
from games.worker import tasks
from games.worker.tasks import Periodic, run_due
from leaderboards.boards.models import Entry
from leaderboards.boards.submission import submit_missing
from tests.calendar import prepared_dailies
from tests.games.ways_to_play import commit, look, open_session

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = datetime(2026, 12, 30, 12, tzinfo=UTC)  # the days without a worker lie on both sides of the year's end
DAY = timedelta(days=1)
BACK = FIRST + 2 * DAY


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that has just been started: every task of every app is due, none of which searches for deals."""
    monkeypatch.setattr(tasks, "_tasks", [Periodic(task.run, task.every) for task in tasks._tasks])
    monkeypatch.setattr(stock, "SECONDS_AT_ONCE", 0)
    monkeypatch.setattr(certificates, "DEALS_AT_ONCE", 0)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(FIRST, tick=False) as traveller:
        yield traveller


@dataclass
class Attempts:
    """Attempts of two days: left alone on either day, finished, and finished with the signal of it lost."""

    left_first: Game
    left_second: Game
    finished: Game
    unheard: Game

    @property
    def all(self) -> list[Game]:
        return [self.left_first, self.left_second, self.finished, self.unheard]


def play(player: Player, now: datetime, moves: int, *, resign: bool) -> Game:
    """Make at least so many moves, a removal among them: an untouched game has no rank."""
    game = start_ranked(player, "standard", now)
    session = open_session(game, now)
    whole = session.play.position.cards_left
    while session.play.version < moves or session.play.position.cards_left == whole:
        move = next((move for move in session.play.legal_moves if move is not DRAW), DRAW)
        commit(session.act(move, session.play.version, now + timedelta(seconds=session.play.version)))
    if resign:
        commit(session.resign(session.play.version, now + timedelta(minutes=1)))
    return game


@pytest.fixture
def attempts(alice: Player, bob: Player, mallory: Player, django_capture_on_commit_callbacks: object) -> Attempts:
    prepared_dailies(FIRST)
    second = FIRST + DAY
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        made = Attempts(
            left_first=play(alice, FIRST, 3, resign=False),
            left_second=play(bob, second, 5, resign=False),
            finished=play(mallory, FIRST, 2, resign=True),
            unheard=play(alice, second, 1, resign=False),
        )
    session = open_session(own_game(made.unheard.id, alice), second)
    given_up = session.resign(session.play.version, second + timedelta(minutes=1))
    commit(given_up)  # nobody hears of it: the process dies here
    return made


def days_ahead(now: datetime) -> list[int]:
    """Return how many days ahead there are deals of both divisions."""
    keys = {(daily.day, daily.division) for daily in DailyDeal.objects.filter(day__gte=now.date())}
    days = sorted({day for day, _ in keys})
    assert keys == {(day, division) for day in days for division in Division}
    return [(day - now.date()).days for day in days]


def results() -> dict[str, tuple[str, int]]:
    return {game.id: (game.status, game.log.count()) for game in Game.objects.all()}


def entered() -> dict[tuple[str, str], object]:
    """Return the scores that are listed, by board and game."""
    listed = Entry.objects.filter(valid_to=None, listed=True).select_related("board", "game")
    return {(entry.board.slug, entry.game.id): score_of(entry.game) for entry in listed if entry.game}


def score_of(game: Game) -> tuple[int | None, ...]:
    return game.cards_left, game.moves, game.elapsed_ms


def everything() -> object:
    return results(), entered(), list(DailyDeal.objects.values_list("pk", "commitment")), Entry.objects.count()


def test_one_run_after_two_days_makes_up_for_everything_though_a_task_fails_and_a_second_changes_nothing(
    attempts: Attempts, clock: time_machine.Traveller, django_capture_on_commit_callbacks: object
) -> None:
    def broken(now: datetime) -> None:
        raise RuntimeError("broken")

    tasks._tasks.insert(0, Periodic(broken, DAY))
    assert days_ahead(BACK) == [0, 1, 2, 3, 4, 5]
    clock.move_to(BACK)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        assert run_due(BACK) == 1
    assert days_ahead(BACK) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert mistakes_in_commitments() == []
    assert {game: status for game, (status, _) in results().items()} == {
        attempts.left_first.id: "expired",
        attempts.left_second.id: "expired",
        attempts.finished.id: "resigned",
        attempts.unheard.id: "resigned",
    }
    _require_boards_to_be_right(attempts)
    before = everything()
    for task in tasks._tasks:
        task.last_run = None
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        run_due(BACK + timedelta(minutes=1))
    assert everything() == before


def test_before_any_worker_runs_everything_is_as_it_should_be_for_whoever_looks(
    attempts: Attempts, alice: Player, bob: Player, clock: time_machine.Traveller
) -> None:
    clock.move_to(BACK)
    for game, player in ((attempts.left_first, alice), (attempts.left_second, bob)):
        assert look(own_game(game.id, player), BACK).result == "expired"
    first, second = DailyDeal.objects.filter(day__lt=BACK.date(), division=Division.OPEN).order_by("day")
    told = disclose([first, second], None, BACK)
    assert [daily.state for daily in told] == [DailyState.FINAL, DailyState.PROVISIONAL]
    assert all(daily.reveal for daily in told)
    today = start_ranked(alice, "standard", BACK)
    assert today.daily
    assert today.daily.day == BACK.date()
    submit_missing(BACK)
    _require_boards_to_be_right(attempts)


def test_days_are_missing_only_when_the_worker_was_down_for_more_than_a_week(attempts: Attempts) -> None:
    last = FIRST + 7 * DAY
    assert days_ahead(last) == [0]
    assert days_ahead(last + DAY) == []
    run_due(last + 5 * DAY)
    assert days_ahead(last + 5 * DAY) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert mistakes_in_commitments() == []


def test_practice_never_expires(alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(is_guest=False)  # those of guests are deleted after a while
    game = start_practice(alice, "standard", FIRST)
    run_due(FIRST + 400 * DAY)
    game.refresh_from_db()
    assert game.status == "playing"
    assert Deal.objects.filter(daily=None, kept_for="").count() == 1
    assert game_finished.has_listeners()


def _require_boards_to_be_right(attempts: Attempts) -> None:
    """Each attempt is listed once on each table of its day, unless that was final, and of all time."""
    listed = entered()
    in_time = [attempts.left_second, attempts.finished, attempts.unheard]
    for game in in_time:
        game.refresh_from_db()
        daily = game.daily
        assert daily
        for table in ("fewest-moves", "fastest"):
            slug = f"daily.{daily.day}.standard.{daily.division}.{table}"
            assert listed[slug, game.id] == score_of(game)
    assert attempts.left_first.id not in {game for _, game in listed}
    on_all_time = {game for (slug, game) in listed if slug.startswith("all-time.") and slug.endswith("fewest-moves")}
    assert on_all_time == {game.id for game in in_time}
